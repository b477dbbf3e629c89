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

describe('how far ahead', () => {
  test('the longest round trip of those in the room decides, whoever gives the command (SYNC-3)', () => {
    expect(roomLeadMs([5, 300, 40])).toBe(420);
    expect([roomLeadMs([5, null]), roomLeadMs([0])]).toEqual([150, 150]);
  });

  test('a room that has not measured anything yet is assumed to be of usual length (SYNC-3)', () => {
    expect(roomLeadMs([])).toBe(220);
    expect([roomLeadMs([null, null]), roomLeadMs([-5])]).toEqual([220, 220]);
  });

  test('no report, however wrong, moves a command beyond 1 s or closer than 150 ms (SYNC-36)', () => {
    const reports = fc.array(fc.oneof(fc.double(), fc.constant(null)));
    fc.assert(
      fc.property(reports, (roundTripsMs) => {
        const leadMs = roomLeadMs(roundTripsMs);
        expect(leadMs).toBeGreaterThanOrEqual(150);
        expect(leadMs).toBeLessThanOrEqual(1000);
      }),
    );
  });

  test('a round trip is news when it changed by more than 20 ms and more than a quarter (SYNC-36)', () => {
    expect([isNewRoundTrip(null, 0), isNewRoundTrip(5, 25), isNewRoundTrip(5, 26)]).toEqual([true, false, true]);
    expect([isNewRoundTrip(200, 250), isNewRoundTrip(200, 251), isNewRoundTrip(200, 149)]).toEqual([false, true, true]);
  });
});

describe('whom a new track waits for', () => {
  const waiting = trackChanged(noLoadWait, 7, ['host', 'near', 'far']);
  const loaded = (wait: LoadWait, ...members: string[]): LoadWait =>
    members.reduce((now, member) => trackLoaded(now, 7, member), wait);

  test('starts once everybody who was there has loaded it, in any order (SYNC-10)', () => {
    expect(canStart(loaded(waiting, 'far', 'host'))).toBe(false);
    expect(canStart(loaded(waiting, 'far', 'host', 'near'))).toBe(true);
    expect(canStart(trackChanged(noLoadWait, 7, []))).toBe(true);
    expect(canStart(noLoadWait)).toBe(false);
    expect(canStart(trackChanged(noLoadWait, 0, ['host']))).toBe(false);
  });

  test('a report that overtakes the change it answers counts, one for an earlier track does not (SYNC-10)', () => {
    const early = trackChanged(loaded(noLoadWait, 'near', 'far'), 7, ['host', 'near', 'far']);
    expect(canStart(trackLoaded(early, 7, 'host'))).toBe(true);
    expect(canStart(trackLoaded(early, 6, 'host'))).toBe(false);
    expect(canStart(trackLoaded(trackLoaded(early, 7, 'host'), 6, 'near'))).toBe(true);
  });

  test('somebody who has gone holds up nobody, and somebody who came later is not waited for (SYNC-10)', () => {
    expect(canStart(onlyPresent(loaded(waiting, 'host', 'near'), new Set(['host', 'near', 'late'])))).toBe(true);
    expect(canStart(onlyPresent(loaded(waiting, 'host'), new Set(['host', 'near', 'late'])))).toBe(false);
    expect(onlyPresent(noLoadWait, new Set(['host']))).toBe(noLoadWait);
  });

  test('a report under a later revision of the same track counts (SYNC-37)', () => {
    expect(canStart(trackLoaded(loaded(waiting, 'host', 'near'), 9, 'far'))).toBe(true);
  });
});

describe('when it starts', () => {
  const held = changeTrack(emptyTimeline(0), 'a', 10_000, 3000);

  test('the start is moved up to the nearest moment that all can hear of (SYNC-10)', () => {
    expect(startEarly(held, 13_000, 10_400, 420)).toEqual({ ...held, revision: 2, atServerMs: 10_920 });
  });

  test('it is never later than three seconds after the change (SYNC-10)', () => {
    expect([12_900, 12_480].map((nowMs) => startEarly(held, 13_000, nowMs, 420))).toEqual([null, null]);
    expect(startEarly(held, 13_000, 12_479, 420)?.atServerMs).toBe(12_999);
  });

  test('a room with the slowest connection is given no more than a second (SYNC-10)', () => {
    expect(startEarly(held, 13_000, 10_400, 1000)?.atServerMs).toBe(11_400);
  });

  test('a change of something else in the room meanwhile does not lose it (SYNC-37)', () => {
    expect(startEarly({ ...held, revision: 5 }, 13_000, 10_400, 420)?.atServerMs).toBe(10_920);
  });

  test('two starts are the same while track and moment are (SYNC-37)', () => {
    expect(isSameStart(held, { ...held, revision: 9, positionSeconds: 5 })).toBe(true);
    expect(isSameStart(held, { ...held, trackKey: 'b' })).toBe(false);
    expect(isSameStart(held, { ...held, atServerMs: 13_001 })).toBe(false);
  });

  test('a start that the host has moved or taken back meanwhile is left alone (SYNC-10)', () => {
    expect(startEarly({ ...held, isPlaying: false }, 13_000, 10_400, 420)).toBeNull();
    expect(startEarly({ ...held, atServerMs: 14_000 }, 13_000, 10_400, 420)).toBeNull();
  });
});
