import { expect, test } from 'vitest';
import { enqueueBatches } from './rooms/enqueue-batches.ts';
import { type NamedTrack, playbackIntent } from './playback.ts';

const track = (n: number, title: string): NamedTrack => ({
  videoId: `lib_${String(n).padStart(16, '0')}` as NamedTrack['videoId'],
  title,
  durationSeconds: null,
});
const fits = (items: readonly NamedTrack[]) => playbackIntent.safeParse({ type: 'enqueueAll', items }).success;

test('a playlist of ordinary titles fits into one list', () => {
  const items = Array.from({ length: 50 }, (_, n) =>
    track(n, 'An ordinary title of some sixty characters, as they are'),
  );
  expect(enqueueBatches(items)).toEqual([items]);
  expect(fits(items)).toBe(true);
});

test('a list of too many bytes is refused, and is split into lists that are not, in the same order', () => {
  const items = Array.from({ length: 50 }, (_, n) => track(n, '🎧'.repeat(150)));
  expect(fits(items)).toBe(false);
  const batches = enqueueBatches(items);
  expect(batches.map(fits)).toEqual([true, true, true]);
  expect(batches.flat()).toEqual(items);
});

test('a list longer than the queue is refused, and is split; an empty one is refused, and is no list', () => {
  const items = Array.from({ length: 201 }, () => track(1, 'A'));
  expect([fits(items), fits([])]).toEqual([false, false]);
  expect(enqueueBatches([])).toEqual([]);
  expect(enqueueBatches(items).every(fits)).toBe(true);
});
