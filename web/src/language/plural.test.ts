import { expect, test } from 'vitest';
import { around, gap, t } from './t.ts';
import { plural } from './plural.ts';

test.each([
  [1, 'one'],
  [2, 'other'],
  ['48,310', 'other'],
  ['1', 'one'],
  ['١', 'one'],
  ['४८,३१०', 'other'],
  ['१', 'one'],
])('%s takes the form of its number', (count, form) => {
  expect(plural(count, { one: 'one', other: 'other' })).toBe(form);
});

test('a form that a translation leaves out is the common one', () => {
  expect(plural(1, { other: 'other' })).toBe('other');
});

test('a sentence is read as it is written while it is developed', () => {
  expect(t`${2} of ${'three'}`).toBe('2 of three');
  expect(around(t`before ${gap} after`)).toEqual(['before ', ' after']);
});
