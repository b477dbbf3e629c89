import { expect, test } from 'vitest';
import { readSources } from './sources.mjs';
import { sentenceProblems } from './sentences.mjs';

const sources = readSources();
const withPage = (text) => sentenceProblems([...sources, { path: 'web/src/shell/Planted.tsx', text }]);

test.each([
  ['text', 'export const a = <p>Nobody is here</p>;', '"Nobody is here" is not marked with t'],
  ['a label', 'export const a = <input aria-label="Search" />;', '"Search" is not marked with t'],
  [
    'one of two labels',
    'export const a = <b title={one ? t`Proposal` : "Others"} />;',
    '"Others" is not marked with t',
  ],
  ['a word in a template', 'export const a = <p>{`${n} people`}</p>;', '"people" is not marked with t'],
  ['a field', 'export const a = { label: n > 1 ? "Rooms" : t`Room` };', '"Rooms" is not marked with t'],
])('%s without a mark is found', (_what, text, problem) => {
  expect(withPage(text)).toEqual([expect.stringContaining(`web/src/shell/Planted.tsx:1: ${problem}`)]);
});

test('a sentence without a translation is found in each language', () => {
  expect(withPage('export const a = t`Nobody ever said this.`;')).toEqual(
    ['de', 'es', 'hi', 'ar'].map((language) => expect.stringContaining(`${language}: no translation of "Nobody ever`)),
  );
});

test('a translation without its sentence is found', () => {
  const fewer = sources.filter(({ path }) => path !== 'web/src/home/FirstSteps.tsx');
  expect(sentenceProblems(fewer)).toContain('de: "Three things to do first" is in no source (npm run sentences)');
});
