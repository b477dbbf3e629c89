/**
 * Ties SPEC.md to the tests: every rule is named by the title of a test, and no title names a rule that is not there.
 * A rule is a line `- **JOIN-3** text`; a title names it anywhere (`JOIN-3`), and claims it at its start (`JOIN-3: …`).
 */
import { isTest } from './sources.mjs';

const ruleLine = /^- \*\*([A-Z]+(?:-[A-Z]+)*-[A-Z]?\d+[a-z]?)\*\*/gm;
const ruleId = /\b[A-Z]+(?:-[A-Z]+)*-[A-Z]?\d+[a-z]?\b/g;
/** The first argument of any call: `it('…'`, `test.each(kinds)('…'`, `describeEachDialect('…'`. */
const firstText = /\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g;
const claims = /^[A-Z]+(?:-[A-Z]+)*-[A-Z]?\d+[a-z]?(?:(?:, ?| and | & |\/)[A-Z]+(?:-[A-Z]+)*-[A-Z]?\d+[a-z]?)*(?=[: ])/;

/** @param {string} spec SPEC.md @param {readonly import('./sources.mjs').Source[]} sources */
export function ruleProblems(spec, sources) {
  const rules = idsOf(spec);
  if (rules.length === 0) return ['SPEC.md has no rules: a rule is a line that starts with `- **WORD-1**`'];
  const titles = sources
    .filter(({ path }) => isTest(path) && !path.startsWith('scripts/'))
    .flatMap(({ path, text }) => [...text.matchAll(firstText)].map(([, , title]) => ({ path, title })));
  const named = new Set(titles.flatMap(({ title }) => title.match(ruleId) ?? []));
  const known = new Set(rules);
  const words = new Set(rules.map(wordOf));

  const twice = rules.filter((id, index) => rules.indexOf(id) !== index).map((id) => `SPEC.md has ${id} twice`);
  const untested = [...known].filter((id) => !named.has(id)).map((id) => `${id} is named by no test`);
  const unknown = titles.flatMap(({ path, title }) => {
    const claimed = new Set(title.match(claims)?.[0].match(ruleId) ?? []);
    const ids = (title.match(ruleId) ?? []).filter((id) => claimed.has(id) || words.has(wordOf(id)));
    return ids
      .filter((id) => !known.has(id))
      .map((id) => `${path}: "${title}" names ${id}, which SPEC.md does not have`);
  });
  return [...twice, ...untested, ...unknown];
}

/** The rules of SPEC.md, in its order. @param {string} spec */
export const idsOf = (spec) => [...spec.matchAll(ruleLine)].map(([, id]) => id);

/** Every place of a text that looks like the id of a rule. @param {string} text */
export const idsIn = (text) => [...text.matchAll(ruleId)];

/** `SYNC` of `SYNC-V2`. @param {string} id */
export const wordOf = (id) => id.replace(/-[A-Z]?\d+[a-z]?$/, '');
