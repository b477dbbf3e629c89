import { expect, test } from 'vitest';
import { standsStill, watchProgress } from './frame-watch.ts';

/** Looks at a clock every `everyMs`; returns at which of them it stood still. */
function lookAt(positions: readonly number[], everyMs = 250): number[] {
  let progress: ReturnType<typeof watchProgress> | null = null;
  return positions.flatMap((seconds, look) => {
    progress = watchProgress(progress, seconds, look * everyMs);
    return standsStill(progress, look * everyMs) ? [look] : [];
  });
}
const looks = (count: number, of: (look: number) => number) => Array.from({ length: count }, (_, look) => of(look));

test.each([0.5, 0.75, 1, 2])('a clock at rate %f never stands still', (rate) => {
  expect(lookAt(looks(40, (look) => 20 + look * 0.25 * rate))).toEqual([]);
});

test('a clock that stands still is detected after a second, even while messages extrapolate a little further', () => {
  expect(lookAt(looks(8, () => 20))).toEqual([4, 5, 6, 7]);
  expect(lookAt(looks(12, (look) => 20 + [0.02, 0.27, 0.13, 0.05][look % 4]!)).length).toBeGreaterThan(6);
});

test('without messages the extrapolation advances for a second, and then stands still', () => {
  const guessed = looks(16, (look) => 20 + Math.min(1, look * 0.25));
  const still = lookAt(guessed);
  expect(still[0]).toBeGreaterThan(4);
  expect(still).toContain(15);
});

test('a clock that was moved back continues from there', () => {
  expect(lookAt(looks(12, (look) => (look < 4 ? 20 : 10) + look * 0.25))).toEqual([]);
});

test('a page that did not run for a while has too few looks', () => {
  expect(lookAt([20, 20, 20], 5000)).toEqual([]);
});
