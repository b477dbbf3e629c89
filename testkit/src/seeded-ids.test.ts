import { expect, test } from 'vitest';
import { seededIds, seededRandom } from './seeded-ids.ts';

const run = (seed: number) => {
  const ids = seededIds(seed);
  return Array.from({ length: 5 }, () => [ids.newId(), ids.newToken(), ids.newRoomCode()]);
};

test('gives the same run for the same seed, and another for another', () => {
  expect(run(7)).toEqual(run(7));
  expect(run(7)).not.toEqual(run(8));
});

test('gives ids of the real forms that do not repeat', () => {
  const ids = seededIds();
  const made = Array.from({ length: 1000 }, () => ids.newId());
  expect(new Set(made).size).toBe(1000);
  for (const id of made) expect(id).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(ids.newToken()).toMatch(/^[\w-]{43}$/);
  expect(ids.newRoomCode()).toMatch(/^[0-9A-F]{6}$/);
});

test('spreads its numbers evenly between 0 and 1', () => {
  const numbers = Array.from({ length: 10_000 }, seededRandom(3));
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  expect(mean).toBeCloseTo(0.5, 1);
});
