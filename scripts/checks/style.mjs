/**
 * Holds what CONTRIBUTING.md says of style and the linter has no rule for: constants in camelCase, and heads of files.
 */
import { lineAt, withoutComments } from './sources.mjs';

const constant = /\bconst ((?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{3,}\d*)) ?[:=]/g;

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
