/** Code that can wait waits for the first sound, and no longer than four seconds. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterFirstSound, endFirstSound, expectFirstSound } from './first-sound.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  endFirstSound();
  vi.useRealTimers();
});

async function isOver(): Promise<boolean> {
  let isIt = false;
  void afterFirstSound().then(() => (isIt = true));
  await vi.advanceTimersByTimeAsync(0);
  return isIt;
}

test('nothing waits outside of a room', async () => {
  expect(await isOver()).toBe(true);
});

test('code waits until the sound is heard, also what asked before', async () => {
  expectFirstSound();
  const asked = afterFirstSound();
  expect(await isOver()).toBe(false);
  endFirstSound();
  await asked;
  expect(await isOver()).toBe(true);
});

test('a track that is never heard keeps nothing away for longer than four seconds', async () => {
  expectFirstSound();
  await vi.advanceTimersByTimeAsync(3999);
  expect(await isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isOver()).toBe(true);
});

test('in another room code waits anew, and what waited for the first one goes on', async () => {
  expectFirstSound();
  const first = afterFirstSound();
  await vi.advanceTimersByTimeAsync(3000);
  expectFirstSound();
  await first;
  await vi.advanceTimersByTimeAsync(3999);
  expect(await isOver()).toBe(false);
});
