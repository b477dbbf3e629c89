import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Timeline,
  changeTrack,
  clampPosition,
  emptyTimeline,
  hasEnded,
  isNewer,
  anchorTo,
  isSameLine,
  leadFor,
  pause,
  play,
  positionAt,
  reanchor,
  republish,
  rewind,
  seek,
} from './timeline.ts';

const now = 1_800_000_000_000;
const playing: Timeline = { revision: 7, trackKey: 'a', isPlaying: true, positionSeconds: 10, atServerMs: now };

describe('position', () => {
  test('advances with server time while playing and stands still while paused (SYNC-1)', () => {
    expect(positionAt(playing, now + 2500)).toBe(12.5);
    expect(positionAt({ ...playing, isPlaying: false }, now + 2500)).toBe(10);
  });

  test('holds until a scheduled start (SYNC-1)', () => {
    const scheduled = { ...playing, atServerMs: now + 800 };
    expect(positionAt(scheduled, now)).toBe(10);
    expect(positionAt(scheduled, now + 800)).toBe(10);
    expect(positionAt(scheduled, now + 1800)).toBe(11);
  });

  test('is never negative, never past a known end, never not a number (SYNC-4)', () => {
    expect(positionAt(playing, now + 60_000, 30)).toBe(30);
    expect(clampPosition(-3)).toBe(0);
    expect(clampPosition(Number.NaN)).toBe(0);
    expect(clampPosition(12, 0)).toBe(12);
  });

  test('has ended once a playing timeline reaches the length of the track (SYNC-27)', () => {
    expect(hasEnded(playing, now + 19_999, 30)).toBe(false);
    expect(hasEnded(playing, now + 20_000, 30)).toBe(true);
    expect(hasEnded({ ...playing, isPlaying: false, positionSeconds: 30 }, now, 30)).toBe(false);
  });
});

describe('lines', () => {
  test('the same line may be anchored anywhere on it (SYNC-22)', () => {
    expect(isSameLine(playing, reanchor(playing, 14, now + 4000))).toBe(true);
    expect(isSameLine(playing, reanchor(playing, 14, now + 3900))).toBe(false);
    expect(isSameLine(playing, { ...playing, trackKey: 'b' })).toBe(false);
    expect(isSameLine(playing, { ...playing, isPlaying: false })).toBe(false);
  });

  test('a paused line is the same at any time, and places 5 ms apart are two (SYNC-22)', () => {
    const paused = { ...playing, isPlaying: false, positionSeconds: 0 };
    expect(isSameLine(paused, { ...paused, atServerMs: now + 9000 })).toBe(true);
    expect(isSameLine(paused, { ...paused, positionSeconds: 0.0049 })).toBe(true);
    expect(isSameLine(paused, { ...paused, positionSeconds: 0.005 })).toBe(false);
  });

  test('waiting at a position is not the same line as playing from it earlier (SYNC-25)', () => {
    const held = reanchor(playing, 10, now + 5000);
    expect(isSameLine(held, reanchor(held, 10, now + 3000))).toBe(false);
  });
});

describe('commands', () => {
  test('play takes effect a little ahead, from where the music stood (SYNC-3)', () => {
    const paused = pause(playing, now + 1000, 200);
    expect(paused).toMatchObject({ isPlaying: false, positionSeconds: 11.2, atServerMs: now + 1200 });
    const resumed = play(paused, now + 9000, 300);
    expect(resumed).toMatchObject({ isPlaying: true, positionSeconds: 11.2, atServerMs: now + 9300 });
    expect(positionAt(resumed, now + 9100)).toBe(11.2);
  });

  test('playing while it plays already changes no position (SYNC-1)', () => {
    const again = play(playing, now + 4000, 250);
    for (const laterMs of [4250, 5000, 90_000]) {
      expect(positionAt(again, now + laterMs)).toBeCloseTo(positionAt(playing, now + laterMs), 9);
    }
  });

  test('plays nothing while no track is chosen', () => {
    expect(emptyTimeline(now)).toMatchObject({ isPlaying: false, positionSeconds: 0, atServerMs: now });
    expect(play(emptyTimeline(now), now, 200).isPlaying).toBe(false);
    expect(changeTrack(playing, null, now, 200).isPlaying).toBe(false);
    const emptied = { ...playing, trackKey: null };
    expect(play(emptied, now + 5, 200)).toMatchObject({ isPlaying: false, positionSeconds: 10, atServerMs: now + 5 });
  });

  test('a seek keeps playing or pausing, and a track change starts at the beginning by default', () => {
    expect(seek(playing, 40, now, 200)).toMatchObject({ isPlaying: true, positionSeconds: 40, atServerMs: now + 200 });
    expect(seek({ ...playing, isPlaying: false }, 99, now, 200, 60)).toMatchObject({
      isPlaying: false,
      positionSeconds: 60,
    });
    expect(changeTrack(playing, 'b', now, 3000)).toEqual({
      revision: 8,
      trackKey: 'b',
      isPlaying: true,
      positionSeconds: 0,
      atServerMs: now + 3000,
    });
    const cued = changeTrack(playing, 'b', now, 0, { isPlaying: false, positionSeconds: 5 });
    expect(cued).toMatchObject({ isPlaying: false, positionSeconds: 5 });
  });

  test('rewinding pauses at the beginning', () => {
    expect(rewind(playing, now)).toMatchObject({ isPlaying: false, positionSeconds: 0, atServerMs: now });
  });

  test('each raises the revision by one, and only a higher revision is newer (SYNC-2)', () => {
    const commands = [
      play(playing, now, 1),
      pause(playing, now, 1),
      seek(playing, 1, now, 1),
      changeTrack(playing, 'b', now, 1),
      reanchor(playing, 1, now),
      rewind(playing, now),
    ];
    for (const next of commands) {
      expect(next.revision).toBe(8);
      expect(isNewer(next, playing)).toBe(true);
      expect(isNewer(playing, next)).toBe(false);
    }
    expect(isNewer(playing, playing)).toBe(false);
    expect(isNewer(playing, null)).toBe(true);
  });

  test('a room is anchored to the position at the effective time, however long the message took (SYNC-25)', () => {
    const seen = { positionSeconds: 40, atServerMs: now - 700 };
    expect(anchorTo(playing, seen, now + 300)).toMatchObject({ positionSeconds: 41, atServerMs: now + 300 });
    expect(anchorTo({ ...playing, isPlaying: false }, seen, now).positionSeconds).toBe(40);
    expect(anchorTo(playing, seen, now + 300, 40.5).positionSeconds).toBe(40.5);
  });

  test('a republished position is the same line; there is none while nothing moves (SYNC-22)', () => {
    const again = republish(playing, now + 12_345);
    expect(again).toMatchObject({ revision: 8, atServerMs: now + 12_345 });
    expect(again !== null && isSameLine(playing, again)).toBe(true);
    expect(republish({ ...playing, isPlaying: false }, now + 12_345)).toBeNull();
    expect([republish(playing, now - 1), republish(playing, now)?.revision]).toEqual([null, 8]);
  });

  test('leads follow the round trip, from 150 ms up to one second (SYNC-3)', () => {
    expect([0, 200, 5000, Number.NaN].map((rttMs) => leadFor(rttMs, 'start'))).toEqual([150, 320, 1000, 1000]);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6 }), (rttMs) => {
        expect(leadFor(rttMs, 'start')).toBeGreaterThanOrEqual(150);
        expect(leadFor(rttMs, 'start')).toBeLessThanOrEqual(1000);
      }),
    );
  });

  test('the lead of a pause is the way to the farthest member and 20 ms, up to one second (SYNC-3)', () => {
    expect([0, 200, 5000, Number.NaN].map((rttMs) => leadFor(rttMs, 'stop'))).toEqual([20, 120, 1000, 1000]);
  });

  test('a pause that takes effect before a start or a jump that was pressed before it holds their position (SYNC-S3)', () => {
    const jumped = seek(playing, 40, now, 150);
    expect(pause(jumped, now + 20, 25)).toMatchObject({ positionSeconds: 40, atServerMs: now + 45, isPlaying: false });
    const stood = pause(playing, now, 25);
    expect(pause(play(stood, now + 100, 150), now + 120, 25).positionSeconds).toBe(stood.positionSeconds);
  });

  test('pausing and resuming loses and repeats nothing (SYNC-1)', () => {
    const times = fc.record({
      playedMs: fc.integer({ min: 0, max: 10_000_000 }),
      pausedMs: fc.integer({ min: 0, max: 10_000_000 }),
      leadMs: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(times, ({ playedMs, pausedMs, leadMs }) => {
        const paused = pause(playing, now + playedMs, leadMs);
        const resumed = play(paused, paused.atServerMs + pausedMs, leadMs);
        expect(positionAt(resumed, resumed.atServerMs)).toBeCloseTo(positionAt(playing, paused.atServerMs), 6);
      }),
    );
  });
});
