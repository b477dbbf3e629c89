/** Keeps the pure workspaces pure: time, timers and chance come in as arguments. */
import { isTest, lineAt, withoutComments } from './sources.mjs';

const impure =
  /\bDate\.now\(|\bnew Date\b|\bMath\.random\(|\bperformance\.now\(|\bset(?:Timeout|Interval)\(|\bcrypto\.|\bfetch\(|\bprocess\./g;
const pureFolders = /^(?:playback|protocol|domain)\/src\//;

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function impureCalls(sources) {
  return sources
    .filter(({ path }) => pureFolders.test(path) && !isTest(path))
    .map(withoutComments)
    .flatMap(({ path, text }) =>
      [...text.matchAll(impure)].map(
        (hit) => `${path}:${lineAt(text, hit.index)}: ${hit[0]} (pass it in as an argument)`,
      ),
    );
}
