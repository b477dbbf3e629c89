/**
 * Finds references to documents that are not in the repository, to rules that no SPEC.md has, and to commands that
 * package.json lacks: a reader of a comment, a test title or a document must be able to look up or run what it names.
 */
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { inRoot } from '../toolchain/paths.mjs';
import { idsIn, idsOf, wordOf } from './rules.mjs';
import { lineAt } from './sources.mjs';

const outside = [
  // Sections of documents with numbers; standards have names that a reader can look up.
  /(?<!RFC \d{4} )§ ?\d/g,
  /\b(?:the|of|in|our|this) spec(?:'s|’s)?\b(?!\.)|\bspecification\b/gi,
  /(?<![\w./-])(?:access|product|playback|architecture|design|spec)\.md\b/g,
  /\baccess matrix, (?:rows? )?\d/gi,
  /\b(?:issue|ticket|review) #?\d+\b/gi,
  /(?<=\s)\((?:access )?[BDFR]\d{1,3}[,)]/g,
];
/** In documents and result files: where a thing lay on its author's machine. */
const onOneMachine = [
  /(?<![\w.$/-])(?:file:\/\/)?\/(?:work|tmp|home|root|Users|private|mnt)\/[\w.~-]+/g,
  /\b[A-Z]:\\[\w.~-]+/g,
];
/** In comments alone: elsewhere the same letters are colours, notes and keys. */
const numbered = /\b[BDFR]\d{1,3}\b/g;
const command = /\bnpm run (?:-s )?([\w:-]+)/g;
const commands = new Set(Object.keys(JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).scripts));

/**
 * @param {readonly import('./sources.mjs').Source[]} sources code and documents @param {string} spec the SPEC.md files
 */
export function brokenPointers(sources, spec) {
  const known = new Set(idsOf(spec));
  const words = new Set([...known].map(wordOf));
  return sources
    .filter(({ path }) => !path.startsWith('scripts/checks/'))
    .flatMap(({ path, text }) => {
      const isDocument = path.endsWith('.md');
      const prose = isDocument ? text : commentsOf(path, text);
      const pointing = [...outside, ...(isDocument ? onOneMachine : [])].flatMap((pattern) => [
        ...text.matchAll(pattern),
      ]);
      const lettered = [...prose.matchAll(numbered)].filter((hit) => !pointing.some((other) => covers(other, hit)));
      const unknown = idsIn(prose).filter(([id]) => words.has(wordOf(id)) && !known.has(id));
      const absent = [...text.matchAll(command)].filter(([, name]) => !commands.has(name));
      const said = (hit, because) => `${path}:${lineAt(text, hit.index)}: ${hit[0].trim()} (${because})`;
      return [
        ...[...pointing, ...lettered].map((hit) => said(hit, 'points outside the repository')),
        ...unknown.map((hit) => said(hit, 'no SPEC.md has such a rule')),
        ...absent.map((hit) => said(hit, 'package.json has no such command')),
      ];
    });
}

const covers = (outer, inner) =>
  outer.index <= inner.index && inner.index + inner[0].length <= outer.index + outer[0].length;

/** The text with blanks in place of everything that is no comment. */
function commentsOf(path, text) {
  const blank = (code) => code.replaceAll(/[^\n]/g, ' ');
  // Style sheets have no strings that look like comments.
  const comments = path.endsWith('.css')
    ? [...text.matchAll(/\/\*[^]*?\*\//g)].map((hit) => ({ start: hit.index, end: hit.index + hit[0].length }))
    : parseSync(path, text).comments;
  const parts = [];
  let at = 0;
  for (const { start, end } of comments) {
    parts.push(blank(text.slice(at, start)), text.slice(start, end));
    at = end;
  }
  return [...parts, blank(text.slice(at))].join('');
}
