import { expect, test } from 'vitest';
import { dayWords } from './home.ts';

test.for([
  ['Saturday night', new Date(2026, 10, 29, 0, 30)],
  ['Sunday morning', new Date(2026, 10, 29, 5, 0)],
  ['Sunday afternoon', new Date(2026, 10, 29, 12, 0)],
  ['Sunday evening', new Date(2026, 10, 29, 23, 59)],
] as const)('home is headed %s', ([words, at]) => {
  expect(dayWords(at)).toBe(words);
});
