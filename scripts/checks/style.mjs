/**
 * Holds what CONTRIBUTING.md says of style and the linter has no rule for: constants in camelCase, heads of files, and
 * words that hide who does what.
 */
import { lineAt, withoutComments } from './sources.mjs';

const constant = /\bconst ((?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{3,}\d*)) ?[:=]/g;

/** Each has a plain one: everyone who, people who, sends, is notified. */
const hiding = /\b(?:who(?:m|so)?ever|those who|told)\b/giu;
/** The name of a migration that databases have run. */
const asItWas = "'0003-times-of-what-is-told'";

/** @param {readonly import('./sources.mjs').Source[]} sources Code and documents */
export function wordProblems(sources) {
  return sources
    .filter(({ path }) => !path.startsWith('bench/results/') && !path.startsWith('scripts/checks/style'))
    .flatMap(({ path, text }) =>
      [...text.replaceAll(asItWas, ' '.repeat(asItWas.length)).matchAll(hiding)].map(
        ({ 0: word, index }) => `${path}:${lineAt(text, index)}: "${word}" (say who does what)`,
      ),
    );
}

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function styleProblems(sources) {
  return sources
    .filter(({ path }) => /\.tsx?$/.test(path))
    .flatMap((source) => {
      const { path, text } = source;
      const shouted = [...withoutComments(source).text.matchAll(constant)].map(
        (hit) => `${path}:${lineAt(text, hit.index)}: ${hit[1]} (constants are camelCase)`,
      );
      const isPlainHead = /^\/\*(?!\*)/.test(text);
      return [...shouted, ...(isPlainHead ? [`${path}:1: the head of a file begins with /**`] : [])];
    });
}
