import { describe, expect, test } from 'vitest';
import type { FollowStatus } from './follower-state.ts';
import { awaitedStart, hasLoaded } from '../room/room-schedule.ts';
import { type Timeline, emptyTimeline, reanchor } from '../room/timeline.ts';

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
