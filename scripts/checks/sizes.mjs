/** Keeps files short enough to read at one sitting. Past the limit a file is to be split by meaning. */
import { isTest } from './sources.mjs';

const linesOfCode = 300;
const linesOfTests = 500;

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function oversized(sources) {
  return sources.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    const limit = isTest(path) ? linesOfTests : linesOfCode;
    return lines > limit ? [`${path}: ${lines} lines, the limit is ${limit}`] : [];
  });
}
