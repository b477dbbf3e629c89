import { describe, expect, test } from 'vitest';
import type { Timeline } from './timeline.ts';
import { changeDueMs, endsAtMs, isNextLoaded, updateUpNext, toLoadNext } from './room-schedule.ts';

const timeline: Timeline = { revision: 4, trackKey: 'a', isPlaying: true, positionSeconds: 30, atServerMs: 1_000_000 };

describe('the end of a track', () => {
  test.each<[string, Partial<Timeline>, number | null, number | null]>([
    ['by its length and where it was', {}, 100, 1_070_000],
    ['never while it is paused', { isPlaying: false }, 100, null],
    ['never without a track', { trackKey: null }, 100, null],
    ['at no known moment where its length is unknown', {}, null, null],
    ['at no known moment where its length is none', {}, 0, null],
    ['at once where it is past', { positionSeconds: 101 }, 100, 1_000_000],
  ])('comes %s (GAP-1)', (_when, change, durationSeconds, endMs) => {
    expect(endsAtMs({ ...timeline, ...change }, durationSeconds)).toBe(endMs);
  });

  test('is decided a second ahead where the next is loaded, at the end otherwise, and never before the start (GAP-1)', () => {
    expect(changeDueMs(timeline, 1_070_000, true)).toBe(1_069_000);
    expect(changeDueMs(timeline, 1_070_000, false)).toBe(1_070_000);
    expect(changeDueMs(timeline, 1_000_400, true)).toBe(1_000_000);
  });

  test('a track that was next for five seconds is loaded by the end, unless it is the same track (GAP-1)', () => {
    const now = { trackKey: 'a', nextKey: 'b' };
    const first = updateUpNext(null, now, 1000);
    expect(updateUpNext(first, now, 3000)).toBe(first);
    expect(updateUpNext(first, { ...now, nextKey: 'c' }, 3000).sinceMs).toBe(3000);
    expect(updateUpNext(first, { ...now, trackKey: 'x' }, 3000).sinceMs).toBe(3000);
    expect([isNextLoaded(first, 6000), isNextLoaded(first, 5999)]).toEqual([true, false]);
    expect(isNextLoaded({ ...first, nextKey: 'a' }, 60_000)).toBe(false);
    expect(isNextLoaded({ ...first, nextKey: null }, 60_000)).toBe(false);
  });
});

describe('the track that a page loads besides the playing one', () => {
  const queue = { videoQueue: ['a', 'b'].map((videoId) => ({ videoId, title: videoId })), currentIndex: 0 };
  const near = { positionSeconds: 90, durationSeconds: 100 };

  test('is the next of the queue, from the beginning after the last, shortly before the end', () => {
    const playing = { queue, timeline, afterTrack: 'queue' } as const;
    expect(toLoadNext(playing, near)).toBe('b');
    const atLast = { ...playing, queue: { ...queue, currentIndex: 1 }, timeline: { ...timeline, trackKey: 'b' } };
    expect(toLoadNext(atLast, near)).toBe('a');
  });

  test.each([
    ['long before the end', queue, timeline, { ...near, positionSeconds: 50 }],
    ['while it is paused', queue, { ...timeline, isPlaying: false }, near],
    ['while the length is unknown', queue, timeline, { ...near, durationSeconds: null }],
    ['where the same track comes again', { ...queue, videoQueue: queue.videoQueue.slice(0, 1) }, timeline, near],
    ['where nothing is queued', { videoQueue: [], currentIndex: 0 }, timeline, near],
  ])('is nothing %s', (_when, inQueue, line, playing) => {
    expect(toLoadNext({ queue: inQueue, timeline: line, afterTrack: 'queue' }, playing)).toBeNull();
  });

  test('is none where the room stops, or before a suggestion is chosen', () => {
    expect(toLoadNext({ queue, timeline, afterTrack: 'stop' }, near)).toBeNull();
    expect(toLoadNext({ queue, timeline, afterTrack: 'suggested' }, near)).toBe('b');
    const atLast = { queue: { ...queue, currentIndex: 1 }, timeline: { ...timeline, trackKey: 'b' } };
    expect(toLoadNext({ ...atLast, afterTrack: 'suggested' }, near)).toBeNull();
  });
});
