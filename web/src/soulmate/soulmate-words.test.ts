import { describe, expect, test } from 'vitest';
import { askedWhen } from './soulmate-words.ts';

const at = (day: number, hour: number): number => new Date(2026, 10, day, hour).getTime();

describe('when a request was made', () => {
  test.each([
    ['today', at(20, 9), 'today'],
    ['a weekday within six days', at(18, 23), 'on Wednesday'],
    ['the day of last week as a date', at(13, 9), 'on November 13'],
  ])('%s', (_, atMs, words) => {
    expect(askedWhen(atMs, at(20, 20))).toBe(words);
  });
});
