/**
 * Ties the rules to the tests: every rule of a SPEC.md is named by the title of a test, no title names a rule that is
 * not there, and a title says the behaviour before it names the rule.
 * A rule is a line `- **JOIN-3** text`; a title names it in parentheses at its end: `finds the code (JOIN-3)`.
 */
import { readFileSync } from 'node:fs';
import { inRoot } from '../toolchain/paths.mjs';
import { isTest } from './sources.mjs';

/** Each workspace whose invariants are written down. Screens and internals have no rules: their titles say what holds. */
const specs = ['playback/SPEC.md', 'protocol/SPEC.md', 'server/SPEC.md'];

const ruleLine = /^- \*\*([A-Z]+(?:-[A-Z]+)*-[A-Z]?\d+[a-z]?)\*\*/gm;
const ruleId = /\b[A-Z]+(?:-[A-Z]+)*-[A-Z]?\d+[a-z]?\b/g;
/** The first argument of any call: `test('…'`, `test.each(kinds)('…'`, `describeEachDialect('…'`. */
const firstText = /\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g;
const idFirst = /^[A-Z]+(?:-[A-Z]+)*-[A-Z]?\d+[a-z]?(?=[:, ])/;

/** The text of all SPEC.md files, one after the other. */
export const readSpecs = () => specs.map((path) => readFileSync(inRoot(path), 'utf8')).join('\n');

/** @param {string} spec the text of the SPEC.md files @param {readonly import('./sources.mjs').Source[]} sources */
export function ruleProblems(spec, sources) {
  const rules = idsOf(spec);
  if (rules.length === 0) return ['There are no rules: a rule is a line that starts with `- **WORD-1**`'];
  const titles = sources
    .filter(({ path }) => isTest(path) && !path.startsWith('scripts/'))
    .flatMap(({ path, text }) => [...text.matchAll(firstText)].map(([, , title]) => ({ path, title })));
  const named = new Set(titles.flatMap(({ title }) => title.match(ruleId) ?? []));
  const known = new Set(rules);
  const words = new Set(rules.map(wordOf));

  const twice = rules.filter((id, index) => rules.indexOf(id) !== index).map((id) => `${id} is written twice`);
  const untested = [...known].filter((id) => !named.has(id)).map((id) => `${id} is named by no test`);
  const unknown = titles.flatMap(({ path, title }) =>
    (title.match(ruleId) ?? [])
      .filter((id) => words.has(wordOf(id)) && !known.has(id))
      .map((id) => `${path}: "${title}" names ${id}, which no SPEC.md has`),
  );
  const backwards = titles
    .filter(({ title }) => known.has(idFirst.exec(title)?.[0] ?? ''))
    .map(({ path, title }) => `${path}: "${title}" names its rule before the behaviour`);
  return [...twice, ...untested, ...unknown, ...backwards];
}

/** The rules of a text, in its order. @param {string} spec */
export const idsOf = (spec) => [...spec.matchAll(ruleLine)].map(([, id]) => id);

/** Every place of a text that looks like the id of a rule. @param {string} text */
export const idsIn = (text) => [...text.matchAll(ruleId)];

/** `SYNC` of `SYNC-V2`. @param {string} id */
export const wordOf = (id) => id.replace(/-[A-Z]?\d+[a-z]?$/, '');
