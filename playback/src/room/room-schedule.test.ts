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
  test('SYNC-3 the longest round trip of those in the room decides, whoever gives the command', () => {
    expect(roomLeadMs([5, 300, 40])).toBe(420);
    expect([roomLeadMs([5, null]), roomLeadMs([0])]).toEqual([150, 150]);
  });

  test('SYNC-3 a room that has not measured anything yet is assumed to be of usual length', () => {
    expect(roomLeadMs([])).toBe(220);
    expect([roomLeadMs([null, null]), roomLeadMs([-5])]).toEqual([220, 220]);
  });

  test('SYNC-36 no report, however wrong, moves a command beyond 1 s or closer than 150 ms', () => {
    const reports = fc.array(fc.oneof(fc.double(), fc.constant(null)));
    fc.assert(
      fc.property(reports, (roundTripsMs) => {
        const leadMs = roomLeadMs(roundTripsMs);
        expect(leadMs).toBeGreaterThanOrEqual(150);
        expect(leadMs).toBeLessThanOrEqual(1000);
      }),
    );
  });

  test('SYNC-36 a round trip is news when it changed by more than 20 ms and more than a quarter', () => {
    expect([isNewRoundTrip(null, 0), isNewRoundTrip(5, 25), isNewRoundTrip(5, 26)]).toEqual([true, false, true]);
    expect([isNewRoundTrip(200, 250), isNewRoundTrip(200, 251), isNewRoundTrip(200, 149)]).toEqual([false, true, true]);
  });
});

describe('whom a new track waits for', () => {
  const waiting = trackChanged(noLoadWait, 7, ['host', 'near', 'far']);
  const loaded = (wait: LoadWait, ...members: string[]): LoadWait =>
    members.reduce((now, member) => trackLoaded(now, 7, member), wait);

  test('SYNC-10 starts once everybody who was there has loaded it, in any order', () => {
    expect(canStart(loaded(waiting, 'far', 'host'))).toBe(false);
    expect(canStart(loaded(waiting, 'far', 'host', 'near'))).toBe(true);
    expect(canStart(trackChanged(noLoadWait, 7, []))).toBe(true);
    expect(canStart(noLoadWait)).toBe(false);
    expect(canStart(trackChanged(noLoadWait, 0, ['host']))).toBe(false);
  });

  test('SYNC-10 a report that overtakes the change it answers counts, one for an earlier track does not', () => {
    const early = trackChanged(loaded(noLoadWait, 'near', 'far'), 7, ['host', 'near', 'far']);
    expect(canStart(trackLoaded(early, 7, 'host'))).toBe(true);
    expect(canStart(trackLoaded(early, 6, 'host'))).toBe(false);
    expect(canStart(trackLoaded(trackLoaded(early, 7, 'host'), 6, 'near'))).toBe(true);
  });

  test('SYNC-10 somebody who has gone holds up nobody, and somebody who came later is not waited for', () => {
    expect(canStart(onlyPresent(loaded(waiting, 'host', 'near'), new Set(['host', 'near', 'late'])))).toBe(true);
    expect(canStart(onlyPresent(loaded(waiting, 'host'), new Set(['host', 'near', 'late'])))).toBe(false);
    expect(onlyPresent(noLoadWait, new Set(['host']))).toBe(noLoadWait);
  });

  test('SYNC-37 a report under a later revision of the same track counts', () => {
    expect(canStart(trackLoaded(loaded(waiting, 'host', 'near'), 9, 'far'))).toBe(true);
  });
});

describe('when it starts', () => {
  const held = changeTrack(emptyTimeline(0), 'a', 10_000, 3000);

  test('SYNC-10 the start is moved up to the nearest moment that all can hear of', () => {
    expect(startEarly(held, 13_000, 10_400, 420)).toEqual({ ...held, revision: 2, atServerMs: 10_920 });
  });

  test('SYNC-10 it is never later than three seconds after the change', () => {
    expect([12_900, 12_480].map((nowMs) => startEarly(held, 13_000, nowMs, 420))).toEqual([null, null]);
    expect(startEarly(held, 13_000, 12_479, 420)?.atServerMs).toBe(12_999);
  });

  test('SYNC-10 a room with the slowest connection is given no more than a second', () => {
    expect(startEarly(held, 13_000, 10_400, 1000)?.atServerMs).toBe(11_400);
  });

  test('SYNC-37 a change of something else in the room meanwhile does not lose it', () => {
    expect(startEarly({ ...held, revision: 5 }, 13_000, 10_400, 420)?.atServerMs).toBe(10_920);
  });

  test('SYNC-37 two starts are the same while track and moment are', () => {
    expect(isSameStart(held, { ...held, revision: 9, positionSeconds: 5 })).toBe(true);
    expect(isSameStart(held, { ...held, trackKey: 'b' })).toBe(false);
    expect(isSameStart(held, { ...held, atServerMs: 13_001 })).toBe(false);
  });

  test('SYNC-10 a start that the host has moved or taken back meanwhile is left alone', () => {
    expect(startEarly({ ...held, isPlaying: false }, 13_000, 10_400, 420)).toBeNull();
    expect(startEarly({ ...held, atServerMs: 14_000 }, 13_000, 10_400, 420)).toBeNull();
  });
});
