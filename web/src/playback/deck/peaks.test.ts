import { expect, test } from 'vitest';
import { barsOf, levelsAt } from './peaks.ts';

const ramp = Array.from({ length: 200 }, (_, at) => Math.floor((at * 36) / 200).toString(36)).join('');

test('the seek bar has a bar for the loudest of each three parts, and none is invisible', () => {
  const { path, count } = barsOf(ramp);
  expect(count).toBe(66);
  expect(path).toMatch(/^M0\.5 0\.94v0\.12M1\.5 /);
  expect(path).toMatch(/M65\.5 0\.00v2\.00$/);
});

test('the level bar shows the parts around the place that sounds, and nothing before and after the track', () => {
  const half = levelsAt(ramp, 0.5, 40);
  expect(half).toHaveLength(40);
  expect(half[0]).toBeLessThan(half[39] ?? 0);
  expect(levelsAt(ramp, 0, 40).slice(0, 20)).toEqual(Array(20).fill(8));
  expect(levelsAt(ramp, 1, 40).slice(20)).toEqual(Array(20).fill(8));
});

test('what is no digit is silence', () => {
  expect(levelsAt('!?~'.repeat(60), 0.5, 4)).toEqual([8, 8, 8, 8]);
});
