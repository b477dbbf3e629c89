import { expect, test } from 'vitest';
import { lineAt, lineLastsMs } from './Lyrics.tsx';

const lines = [2, 5, 5.5, 30].map((atSeconds) => ({ atSeconds }));

test.each([
  [-1, -1],
  [1.999, -1],
  [2, 0],
  [5.499, 1],
  [5.5, 2],
  [1e9, 3],
  [Number.NaN, -1],
])('at %d s the line is %d', (seconds, line) => {
  expect(lineAt(lines, seconds)).toBe(line);
});

test('no line is current where there is none', () => {
  expect(lineAt([], 10)).toBe(-1);
});

test('the next look is right behind the beginning of the next line, and never further off than a second', () => {
  expect(lineLastsMs(lines, -1, 1.9)).toBeCloseTo(101);
  expect(lineLastsMs(lines, 1, 5.499)).toBeCloseTo(2);
  // A timer that was early finds the same line, and looks again at once.
  expect(lineLastsMs(lines, 0, 5.0001)).toBe(1);
  expect(lineLastsMs(lines, 2, 6)).toBe(1000);
  expect(lineLastsMs(lines, 3, 31)).toBe(1000);
  expect(lineLastsMs(lines, -1, Number.NaN)).toBe(1000);
});
