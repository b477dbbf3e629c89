import { describe, expect, it } from 'vitest';
import type { FollowStatus } from './follow-status.ts';
import { awaitedStart, hasLoaded } from './load-report.ts';
import { type Timeline, emptyTimeline, reanchor } from './timeline.ts';

const BEFORE = emptyTimeline(0);
const STARTING: Timeline = { revision: 4, trackKey: 'a', isPlaying: true, positionSeconds: 0, atServerMs: 13_000 };
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
});

describe('a start that waits for players', () => {
  it('SYNC-10 is another track, or further ahead than any command', () => {
    expect(awaitedStart(null, BEFORE, STARTING, 10_000)).toBe(STARTING);
    const known = { ...STARTING, revision: 3, isPlaying: false };
    expect(awaitedStart(null, known, STARTING, 10_000)).toBe(STARTING);
    expect(awaitedStart(null, known, { ...STARTING, atServerMs: 11_000 }, 10_000)).toBeNull();
  });

  it('SYNC-10 is none while the room stands still or nothing was chosen', () => {
    expect(awaitedStart(STARTING, STARTING, { ...STARTING, revision: 5, isPlaying: false }, 10_000)).toBeNull();
    expect(awaitedStart(null, BEFORE, { ...STARTING, trackKey: null }, 10_000)).toBeNull();
  });

  it('SYNC-37 stays the same one when something else in the room changes meanwhile', () => {
    const measured = { ...STARTING, revision: 5 };
    expect(awaitedStart(STARTING, STARTING, measured, 12_500)).toBe(STARTING);
    expect(awaitedStart(STARTING, STARTING, reanchor(STARTING, 0, 11_000), 10_000)).toBe(STARTING);
    expect(awaitedStart(STARTING, STARTING, measured, 10_000)).toBe(STARTING);
    expect(awaitedStart(STARTING, STARTING, { ...STARTING, isPlaying: false }, 10_000)).toBe(STARTING);
  });

  it('SYNC-10 is a new one when the host starts the same track anew, or another', () => {
    const anew = reanchor(STARTING, 0, 14_000);
    expect(awaitedStart(STARTING, STARTING, anew, 11_000)).toBe(anew);
    const other = { ...anew, trackKey: 'b', atServerMs: 11_100 };
    expect(awaitedStart(STARTING, STARTING, other, 11_000)).toBe(other);
  });
});

describe('the report', () => {
  it('SYNC-10 is due once the player has loaded the track, or cannot', () => {
    for (const name of ['idle', 'loading', 'waiting-for-clock'] as const) {
      expect(hasLoaded(STARTING, status(name, 4))).toBe(false);
    }
    expect(hasLoaded(STARTING, status('cued', 3))).toBe(false);
    expect(hasLoaded(STARTING, status('cued', 4))).toBe(true);
    expect(hasLoaded(STARTING, status('failed', 4))).toBe(true);
  });

  it('SYNC-37 is due under a later revision of the same track too', () => {
    expect(hasLoaded(STARTING, status('cued', 6))).toBe(true);
  });
});
