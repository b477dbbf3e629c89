import { expect, test } from 'vitest';
import { offsetMs, playingTimeline } from './follow-example.ts';
import { wishOf } from './touch-wish.ts';

const paused = { ...playingTimeline, isPlaying: false, positionSeconds: 30 };
const atMs = offsetMs + 10_000;

test('YTF-4 a pause, a start and a move of the host’s player are wishes for everybody', () => {
  expect(wishOf({ type: 'held' }, playingTimeline, atMs)).toEqual({ type: 'pause' });
  expect(wishOf({ type: 'started' }, paused, atMs)).toEqual({ type: 'play' });
  expect(wishOf({ type: 'sought', positionSeconds: 50 }, playingTimeline, atMs)).toEqual({
    type: 'seek',
    positionSeconds: 50,
  });
  expect(wishOf({ type: 'sought', positionSeconds: 3 }, paused, atMs)).toEqual({ type: 'seek', positionSeconds: 3 });
});

test('YTF-4 what agrees with the room is no wish, nor anything without a track', () => {
  expect(wishOf({ type: 'started' }, playingTimeline, atMs)).toBeNull();
  expect(wishOf({ type: 'sought', positionSeconds: 10.9 }, playingTimeline, atMs)).toBeNull();
  expect(wishOf({ type: 'changed' }, playingTimeline, atMs)).toBeNull();
  expect(wishOf({ type: 'held' }, { ...paused, trackKey: null }, atMs)).toBeNull();
  expect(wishOf({ type: 'held' }, null, atMs)).toBeNull();
});
