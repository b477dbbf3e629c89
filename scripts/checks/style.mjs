/**
 * Holds what CONTRIBUTING.md says of style and the linter has no rule for: constants in camelCase, heads of files, and
 * that only a device with a pointer that hovers lights what lies under it.
 */
import { lineAt, withoutComments } from './sources.mjs';

const constant = /\bconst ((?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{3,}\d*)) ?[:=]/g;

/** On a touch screen what was pressed last would stay lit. */
function bareHovers({ path, text }) {
  const blank = text.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/\S/g, ' '));
  const around = [];
  const problems = [];
  for (const part of blank.matchAll(/([^{};]*)([{};])/g)) {
    const [, head, end] = part;
    if (end === '{') around.push(head);
    const isAllowed = around.some((each) => /@media[^{]*\(hover: hover\)/.test(each));
    if (end === '{' && head.includes(':hover') && !isAllowed) {
      const line = lineAt(text, part.index + head.indexOf(':hover'));
      problems.push(`${path}:${line}: :hover outside of @media (hover: hover)`);
    }
    if (end === '}') around.pop();
  }
  return problems;
}

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function styleProblems(sources) {
  const ofSheets = sources.filter(({ path }) => path.endsWith('.css')).flatMap(bareHovers);
  const ofCode = sources
    .filter(({ path }) => /\.tsx?$/.test(path))
    .flatMap((source) => {
      const { path, text } = source;
      const shouted = [...withoutComments(source).text.matchAll(constant)].map(
        (hit) => `${path}:${lineAt(text, hit.index)}: ${hit[1]} (constants are camelCase)`,
      );
      const isPlainHead = /^\/\*(?!\*)/.test(text);
      return [...shouted, ...(isPlainHead ? [`${path}:1: the head of a file begins with /**`] : [])];
    });
  return [...ofSheets, ...ofCode];
}
