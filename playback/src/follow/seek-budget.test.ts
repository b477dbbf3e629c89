import { expect, test } from 'vitest';
import { inputAt } from '../sim/follow-example.ts';
import { initialFollower } from './follower-state.ts';
import { youtubeCapabilities } from './player.ts';
import { isSeekAllowed, rememberSeek } from './correction.ts';

const fresh = { ...initialFollower, mayJump: true };
const coarse = { capabilities: youtubeCapabilities };

test('beyond the tolerance any player may seek, inside it a fine one once (SYNC-14)', () => {
  const settled = { ...fresh, mayJump: false };
  expect([1.51, -1.51].map((off) => isSeekAllowed(settled, inputAt(0, coarse), off))).toEqual([true, true]);
  expect([1.5, -1.5].map((off) => isSeekAllowed(settled, inputAt(0), off))).toEqual([false, false]);
  expect([1.5, -1.5].map((off) => isSeekAllowed(fresh, inputAt(0), off))).toEqual([true, true]);
  expect([1.5, -1.5].map((off) => isSeekAllowed(fresh, inputAt(0, coarse), off))).toEqual([false, false]);
  expect(rememberSeek(fresh, inputAt(700))).toMatchObject({ mayJump: false, hurryUntilMs: 3200 });
});

test('each pause is twice the one before, 16 s at most, until nothing was sought for 30 s (SYNC-16)', () => {
  let state = fresh;
  let nowMs = 0;
  const pausesMs: number[] = [];
  for (let seek = 0; seek < 7; seek++) {
    state = rememberSeek(state, inputAt(nowMs));
    const pauseMs = state.lastSeek?.refractoryMs ?? 0;
    pausesMs.push(pauseMs);
    expect(isSeekAllowed(state, inputAt(nowMs + pauseMs - 1), 5)).toBe(false);
    nowMs += pauseMs;
    expect(isSeekAllowed(state, inputAt(nowMs), 5)).toBe(true);
  }
  expect(pausesMs).toEqual([1000, 2000, 4000, 8000, 16_000, 16_000, 16_000]);
  const lastMs = state.lastSeek?.atMs ?? 0;
  expect(rememberSeek(state, inputAt(lastMs + 30_000)).lastSeek?.refractoryMs).toBe(16_000);
  expect(rememberSeek(state, inputAt(lastMs + 30_001)).lastSeek?.refractoryMs).toBe(1000);
});
