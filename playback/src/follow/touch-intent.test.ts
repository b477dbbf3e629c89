import { expect, test } from 'vitest';
import { offsetMs, playingTimeline } from '../sim/follow-example.ts';
import { touchIntent } from './follow-loop.ts';

const paused = { ...playingTimeline, isPlaying: false, positionSeconds: 30 };
const atMs = offsetMs + 10_000;

test('a pause, a start and a seek in the host’s player are intents for the room', () => {
  expect(touchIntent({ type: 'held' }, playingTimeline, atMs)).toEqual({ type: 'pause' });
  expect(touchIntent({ type: 'started' }, paused, atMs)).toEqual({ type: 'play' });
  expect(touchIntent({ type: 'sought', positionSeconds: 50 }, playingTimeline, atMs)).toEqual({
    type: 'seek',
    positionSeconds: 50,
  });
  expect(touchIntent({ type: 'sought', positionSeconds: 3 }, paused, atMs)).toEqual({
    type: 'seek',
    positionSeconds: 3,
  });
});

test('a move of the host’s player is one to where the room is then, not a device that is heard late', () => {
  const sought = (positionSeconds: number, deviceOffsetSeconds: number) =>
    touchIntent({ type: 'sought', positionSeconds }, playingTimeline, atMs, deviceOffsetSeconds);
  expect(sought(50, 0.4)).toEqual({ type: 'seek', positionSeconds: 49.6 });
  expect(sought(0.1, 0.4)).toEqual({ type: 'seek', positionSeconds: 0 });
  expect([sought(11.8, 0.4), sought(8.2, -0.4)]).toEqual([null, null]);
});

test('what agrees with the room is no intent, nor anything without a track', () => {
  expect(touchIntent({ type: 'started' }, playingTimeline, atMs)).toBeNull();
  expect(touchIntent({ type: 'sought', positionSeconds: 10.9 }, playingTimeline, atMs)).toBeNull();
  expect(touchIntent({ type: 'changed' }, playingTimeline, atMs)).toBeNull();
  expect(touchIntent({ type: 'held' }, { ...paused, trackKey: null }, atMs)).toBeNull();
  expect(touchIntent({ type: 'held' }, null, atMs)).toBeNull();
});
