/** How long a guest of a slow chat waits. */
import { expect, test } from 'vitest';
import { slowWaitMs } from './slow-chat.ts';

const facts = { slowSeconds: 15, isHost: false, lastAtMs: 100_000, nowMs: 100_000 } as const;

test.each([
  ['a guest who has just written', {}, 15_000],
  ['a guest who wrote before', { nowMs: 114_999 }, 1],
  ['a guest whose wait is over', { nowMs: 115_000 }, 0],
  ['a guest who wrote long ago', { nowMs: 900_000 }, 0],
  ['a guest who has written nothing', { lastAtMs: null }, 0],
  ['the host', { isHost: true }, 0],
  ['a guest where the chat is not slow', { slowSeconds: null }, 0],
  ['a guest where the host has just chosen a longer time', { slowSeconds: 60, nowMs: 120_000 }, 40_000],
  ['a guest whose clock is a little behind', { nowMs: 99_000 }, 15_000],
  ['a guest who wrote before the clock was set back', { nowMs: 50_000 }, 0],
] as const)('%s waits so long (SLOW-1)', (_, more, waitMs) => {
  expect(slowWaitMs({ ...facts, ...more })).toBe(waitMs);
});
