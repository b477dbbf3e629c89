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
} from './room-schedule.ts';
import { changeTrack, emptyTimeline } from './timeline.ts';

describe('the lead of a command', () => {
  test('the longest round trip in the room decides, whichever member sends the command (SYNC-3)', () => {
    expect(roomLeadMs([5, 300, 40])).toBe(420);
    expect([roomLeadMs([5, null]), roomLeadMs([0])]).toEqual([150, 150]);
  });

  test('a room without a measured round trip gets a usual one (SYNC-3)', () => {
    expect(roomLeadMs([])).toBe(220);
    expect([roomLeadMs([null, null]), roomLeadMs([-5])]).toEqual([220, 220]);
  });

  test('no report, however wrong, makes a lead longer than 1 s or shorter than 150 ms (SYNC-36)', () => {
    const reports = fc.array(fc.oneof(fc.double(), fc.constant(null)));
    fc.assert(
      fc.property(reports, (roundTripsMs) => {
        const leadMs = roomLeadMs(roundTripsMs);
        expect(leadMs).toBeGreaterThanOrEqual(150);
        expect(leadMs).toBeLessThanOrEqual(1000);
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
