/** The files that the checks look at, read once. A check is a pure function of them, so that a test can plant a fault. */
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { filesUnder, inRoot } from '../toolchain/paths.mjs';

/** One file: its path from the root, and its text. */
/** @typedef {{ readonly path: string, readonly text: string }} Source */

const isCode = (path) => /\.(ts|tsx|mjs|cjs|css)$/.test(path);

/** Every code file of the repository. @returns {Source[]} */
export function readSources() {
  return filesUnder()
    .filter(isCode)
    .map((path) => ({ path, text: readFileSync(inRoot(path), 'utf8') }));
}

/** The documents of the repository. The list of changes tells of the past, and what it names may be gone. @returns {Source[]} */
export function readDocuments() {
  return filesUnder()
    .filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md')
    .map((path) => ({ path, text: readFileSync(inRoot(path), 'utf8') }));
}

/** True for a file that holds tests. */
export const isTest = (path) => /\.(test|spec)\.(ts|tsx|mjs)$/.test(path) || path.startsWith('e2e/');

/** True for what stands beside tests to serve them: stand-ins, simulations, examples. Product code never imports it. */
export const isTestSupport = (path) => /^(?:playback|web)\/testing\//.test(path);

/** The number of the line that holds the character at `index`, counted from 1. */
export const lineAt = (text, index) => text.slice(0, index).split('\n').length;

/** The same file with blanks in place of its comments, so that line numbers stay. @param {Source} source @returns {Source} */
export function withoutComments({ path, text }) {
  const { comments } = parseSync(path, text);
  const blank = comments.reduce(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(start, end).replaceAll(/\S/g, ' ') + rest.slice(end),
    text,
  );
  return { path, text: blank };
}
