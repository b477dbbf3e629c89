import { expect, test } from 'vitest';
import { barsOf, levelsOf } from './peaks.ts';

const ramp = Array.from({ length: 200 }, (_, at) => Math.floor((at * 36) / 200).toString(36)).join('');

test('the seek bar has a bar for the loudest of each three parts, and none is invisible', () => {
  const { path, count } = barsOf(ramp);
  expect(count).toBe(66);
  expect(path).toMatch(/^M0\.5 0\.94v0\.12M1\.5 /);
  expect(path).toMatch(/M65\.5 0\.00v2\.00$/);
});

test('the level bar has a bar for each part, and silence before and after the track', () => {
  const levels = levelsOf(ramp, 20);
  expect(levels).toHaveLength(240);
  expect(levels.slice(0, 20)).toEqual(Array(20).fill(8));
  expect([levels[20], levels[219]]).toEqual([8, 100]);
  expect(levels.slice(220)).toEqual(Array(20).fill(8));
});

test('what is no digit is silence', () => {
  expect(levelsOf('!?~', 1)).toEqual([8, 8, 8, 8, 8]);
});
