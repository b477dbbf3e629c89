import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canStart,
  isNewRoundTrip,
  isSameStart,
  type LoadWait,
  noLoadWait,
  onlyPresent,
  roomLeadMs,
  startEarly,
  trackChanged,
  trackLoaded,
  awaitedStart,
  hasLoaded,
  changeDueMs,
  endsAtMs,
  isNextLoaded,
  updateUpNext,
  toLoadNext,
} from './room-schedule.ts';
import { changeTrack, emptyTimeline, type Timeline, reanchor } from './timeline.ts';
import type { FollowStatus } from '../follow/follower-state.ts';

describe('the lead of a command', () => {
  test('the longest round trip in the room decides, whichever member sends the command (SYNC-3)', () => {
    expect(roomLeadMs([5, 300, 40])).toBe(420);
    expect([roomLeadMs([5, null]), roomLeadMs([0])]).toEqual([150, 150]);
    expect([roomLeadMs([5, 300, 40], 'stop'), roomLeadMs([], 'stop')]).toEqual([170, 70]);
  });

  test('a room without a measured round trip gets a usual one (SYNC-3)', () => {
    expect(roomLeadMs([])).toBe(220);
    expect([roomLeadMs([null, null]), roomLeadMs([-5])]).toEqual([220, 220]);
  });

  test('no report, however wrong, makes a lead longer than 1 s, or shorter than 150 ms (20 ms of a pause) (SYNC-36)', () => {
    const reports = fc.array(fc.oneof(fc.double(), fc.constant(null)));
    fc.assert(
      fc.property(reports, (roundTripsMs) => {
        for (const [asks, leastMs] of [
          ['start', 150],
          ['stop', 20],
        ] as const) {
          expect(roomLeadMs(roundTripsMs, asks)).toBeGreaterThanOrEqual(leastMs);
          expect(roomLeadMs(roundTripsMs, asks)).toBeLessThanOrEqual(1000);
        }
      }),
    );
  });

  test('a round trip is reported when it changed by more than 20 ms and more than a quarter (SYNC-36)', () => {
    expect([isNewRoundTrip(null, 0), isNewRoundTrip(5, 25), isNewRoundTrip(5, 26)]).toEqual([true, false, true]);
    expect([isNewRoundTrip(200, 250), isNewRoundTrip(200, 251), isNewRoundTrip(200, 149)]).toEqual([false, true, true]);
  });
});

describe('the members that a new track waits for', () => {
  const waiting = trackChanged(noLoadWait, 7, ['host', 'near', 'far']);
  const loaded = (wait: LoadWait, ...members: string[]): LoadWait =>
    members.reduce((now, member) => trackLoaded(now, 7, member), wait);

  test('starts once all members of that time have loaded it, in any order (SYNC-10)', () => {
    expect(canStart(loaded(waiting, 'far', 'host'))).toBe(false);
    expect(canStart(loaded(waiting, 'far', 'host', 'near'))).toBe(true);
    expect(canStart(trackChanged(noLoadWait, 7, []))).toBe(true);
    expect(canStart(noLoadWait)).toBe(false);
    expect(canStart(trackChanged(noLoadWait, 0, ['host']))).toBe(false);
  });

  test('a report that arrives before its change counts, one for an earlier track does not (SYNC-10)', () => {
    const early = trackChanged(loaded(noLoadWait, 'near', 'far'), 7, ['host', 'near', 'far']);
    expect(canStart(trackLoaded(early, 7, 'host'))).toBe(true);
    expect(canStart(trackLoaded(early, 6, 'host'))).toBe(false);
    expect(canStart(trackLoaded(trackLoaded(early, 7, 'host'), 6, 'near'))).toBe(true);
  });

  test('waits neither for members who have left nor for later joiners (SYNC-10)', () => {
    expect(canStart(onlyPresent(loaded(waiting, 'host', 'near'), new Set(['host', 'near', 'late'])))).toBe(true);
    expect(canStart(onlyPresent(loaded(waiting, 'host'), new Set(['host', 'near', 'late'])))).toBe(false);
    expect(onlyPresent(noLoadWait, new Set(['host']))).toBe(noLoadWait);
  });

  test('a report under a later revision of the same track counts (SYNC-37)', () => {
    expect(canStart(trackLoaded(loaded(waiting, 'host', 'near'), 9, 'far'))).toBe(true);
  });
});

describe('the start of a track', () => {
  const held = changeTrack(emptyTimeline(0), 'a', 10_000, 3000);

  test('is moved to the earliest time that all members can receive (SYNC-10)', () => {
    expect(startEarly(held, 13_000, 10_400, 420)).toEqual({ ...held, revision: 2, atServerMs: 10_920 });
  });

  test('is never later than three seconds after the change (SYNC-10)', () => {
    expect([12_900, 12_480].map((nowMs) => startEarly(held, 13_000, nowMs, 420))).toEqual([null, null]);
    expect(startEarly(held, 13_000, 12_479, 420)?.atServerMs).toBe(12_999);
  });

  test('is at most a second ahead in a room with the slowest connection (SYNC-10)', () => {
    expect(startEarly(held, 13_000, 10_400, 1000)?.atServerMs).toBe(11_400);
  });

  test('survives a change of something else in the room (SYNC-37)', () => {
    expect(startEarly({ ...held, revision: 5 }, 13_000, 10_400, 420)?.atServerMs).toBe(10_920);
  });

  test('is the same as another with the same track and time (SYNC-37)', () => {
    expect(isSameStart(held, { ...held, revision: 9, positionSeconds: 5 })).toBe(true);
    expect(isSameStart(held, { ...held, trackKey: 'b' })).toBe(false);
    expect(isSameStart(held, { ...held, atServerMs: 13_001 })).toBe(false);
  });

  test('is not moved after the host moved or cancelled it (SYNC-10)', () => {
    expect(startEarly({ ...held, isPlaying: false }, 13_000, 10_400, 420)).toBeNull();
    expect(startEarly({ ...held, atServerMs: 14_000 }, 13_000, 10_400, 420)).toBeNull();
  });
});

describe('load report', () => {
  const before = emptyTimeline(0);
  const starting: Timeline = { revision: 4, trackKey: 'a', isPlaying: true, positionSeconds: 0, atServerMs: 13_000 };
  const status = (name: FollowStatus['status'], revision: number): FollowStatus => ({
    status: name,
    revision,
    driftMs: null,
    smoothedDriftMs: null,
    uncertaintyMs: 1,
    seeks: 0,
    rateChanges: 0,
    errorCode: null,
    isLive: false,
    isInexact: false,
  });

  describe('a start that waits for players', () => {
    test('is another track, or further ahead than any command (SYNC-10)', () => {
      expect(awaitedStart(null, before, starting, 10_000)).toBe(starting);
      const known = { ...starting, revision: 3, isPlaying: false };
      expect(awaitedStart(null, known, starting, 10_000)).toBe(starting);
      expect(awaitedStart(null, known, { ...starting, atServerMs: 11_000 }, 10_000)).toBeNull();
    });

    test('is none while the room is paused or has no track (SYNC-10)', () => {
      expect(awaitedStart(starting, starting, { ...starting, revision: 5, isPlaying: false }, 10_000)).toBeNull();
      expect(awaitedStart(null, before, { ...starting, trackKey: null }, 10_000)).toBeNull();
    });

    test('stays the same one when something else in the room changes meanwhile (SYNC-37)', () => {
      const measured = { ...starting, revision: 5 };
      expect(awaitedStart(starting, starting, measured, 12_500)).toBe(starting);
      expect(awaitedStart(starting, starting, reanchor(starting, 0, 11_000), 10_000)).toBe(starting);
      expect(awaitedStart(starting, starting, measured, 10_000)).toBe(starting);
      expect(awaitedStart(starting, starting, { ...starting, isPlaying: false }, 10_000)).toBe(starting);
    });

    test('is a new one when the host starts the same track again, or another (SYNC-10)', () => {
      const anew = reanchor(starting, 0, 14_000);
      expect(awaitedStart(starting, starting, anew, 11_000)).toBe(anew);
      const other = { ...anew, trackKey: 'b', atServerMs: 11_100 };
      expect(awaitedStart(starting, starting, other, 11_000)).toBe(other);
    });
  });

  describe('the report', () => {
    test('is due once the player has loaded the track, or cannot (SYNC-10)', () => {
      for (const name of ['idle', 'loading', 'waiting-for-clock'] as const) {
        expect(hasLoaded(starting, status(name, 4))).toBe(false);
      }
      expect(hasLoaded(starting, status('cued', 3))).toBe(false);
      expect(hasLoaded(starting, status('cued', 4))).toBe(true);
      expect(hasLoaded(starting, status('failed', 4))).toBe(true);
    });

    test('is due under a later revision of the same track too (SYNC-37)', () => {
      expect(hasLoaded(starting, status('cued', 6))).toBe(true);
    });
  });
});

describe('track end', () => {
  const timeline: Timeline = {
    revision: 4,
    trackKey: 'a',
    isPlaying: true,
    positionSeconds: 30,
    atServerMs: 1_000_000,
  };

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
});
