import { expect, test } from 'vitest';
import { readSources } from './sources.mjs';
import { sentenceProblems } from './sentences.mjs';

/** What is planted, and what the check says of it. */
const planted = [
  ['export const a = <p>Nobody is here</p>;', '"Nobody is here" is not marked with t'],
  ['export const a = <input aria-label="Search" />;', '"Search" is not marked with t'],
  ['export const a = <b title={one ? t`Proposal` : "Others"} />;', '"Others" is not marked with t'],
  ['export const a = <p>{`${n} people`}</p>;', '"people" is not marked with t'],
  ['export const a = { label: n > 1 ? "Rooms" : t`Room` };', '"Rooms" is not marked with t'],
];

// One reading of all pages, which takes seconds.
test('text and labels without a mark are found, and a sentence without a translation in each language', () => {
  const texts = [...planted.map(([text]) => text), 'export const a = t`Nobody ever said this.`;'];
  const pages = texts.map((text, n) => ({ path: `web/src/shell/Planted${n}.tsx`, text }));
  expect(sentenceProblems([...readSources(), ...pages])).toEqual([
    ...planted.map(([, problem], n) => expect.stringContaining(`web/src/shell/Planted${n}.tsx:1: ${problem}`)),
    ...['de', 'es', 'hi', 'ar'].map((language) =>
      expect.stringContaining(`${language}: no translation of "Nobody ever`),
    ),
  ]);
});

test('a translation without its sentence is found', () => {
  expect(sentenceProblems([])).toContain('de: "Three things to do first" is in no source (npm run sentences)');
});
