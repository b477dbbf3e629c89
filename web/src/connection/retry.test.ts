import { expect, test } from 'vitest';
import { backoffMs } from './retry.ts';

test('the window doubles from half a second up to eight seconds (CONN-2)', () => {
  const windows = [1, 2, 3, 4, 5, 6, 50].map((attempt) => backoffMs(attempt, () => 1));
  expect(windows).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
});

test('any moment of the window can be chosen (CONN-2)', () => {
  expect(backoffMs(3, () => 0)).toBe(0);
  expect(backoffMs(3, () => 0.25)).toBe(500);
  expect(backoffMs(3, () => 0.25, 1000)).toBe(1500);
});
