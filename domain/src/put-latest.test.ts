import { expect, test } from 'vitest';
import { putLatest } from './put-latest.ts';

test('what was put longest ago is dropped first; putting it again keeps it', () => {
  const map = new Map<string, number>();
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    expect(putLatest(map, key, value, 2)).toBe(value);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
