import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

const NOW = 1_800_000_000_000;
const playing: Timeline = { revision: 7, trackKey: 'a', isPlaying: true, positionSeconds: 10, atServerMs: NOW };

describe('position', () => {
  it('SYNC-1 advances with server time while playing and stands still while paused', () => {
    expect(positionAt(playing, NOW + 2500)).toBe(12.5);
    expect(positionAt({ ...playing, isPlaying: false }, NOW + 2500)).toBe(10);
  });

  it('SYNC-1 holds until a scheduled start', () => {
    const scheduled = { ...playing, atServerMs: NOW + 800 };
    expect(positionAt(scheduled, NOW)).toBe(10);
    expect(positionAt(scheduled, NOW + 800)).toBe(10);
    expect(positionAt(scheduled, NOW + 1800)).toBe(11);
  });

  it('SYNC-4 is never negative, never past a known end, never not a number', () => {
    expect(positionAt(playing, NOW + 60_000, 30)).toBe(30);
    expect(clampPosition(-3)).toBe(0);
    expect(clampPosition(Number.NaN)).toBe(0);
    expect(clampPosition(12, 0)).toBe(12);
  });

  it('SYNC-27 has ended once a playing timeline reaches the length of the track', () => {
    expect(hasEnded(playing, NOW + 19_999, 30)).toBe(false);
    expect(hasEnded(playing, NOW + 20_000, 30)).toBe(true);
    expect(hasEnded({ ...playing, isPlaying: false, positionSeconds: 30 }, NOW, 30)).toBe(false);
  });
});

describe('lines', () => {
  it('SYNC-22 the same line may be anchored anywhere on it', () => {
    expect(isSameLine(playing, reanchor(playing, 14, NOW + 4000))).toBe(true);
    expect(isSameLine(playing, reanchor(playing, 14, NOW + 3900))).toBe(false);
    expect(isSameLine(playing, { ...playing, trackKey: 'b' })).toBe(false);
    expect(isSameLine(playing, { ...playing, isPlaying: false })).toBe(false);
  });

  it('SYNC-22 a paused line is the same at any time, and places 5 ms apart are two', () => {
    const paused = { ...playing, isPlaying: false, positionSeconds: 0 };
    expect(isSameLine(paused, { ...paused, atServerMs: NOW + 9000 })).toBe(true);
    expect(isSameLine(paused, { ...paused, positionSeconds: 0.0049 })).toBe(true);
    expect(isSameLine(paused, { ...paused, positionSeconds: 0.005 })).toBe(false);
  });

  it('SYNC-25 waiting at a position is not the same line as playing on from it earlier', () => {
    const held = reanchor(playing, 10, NOW + 5000);
    expect(isSameLine(held, reanchor(held, 10, NOW + 3000))).toBe(false);
  });
});

describe('commands', () => {
  it('SYNC-3 play takes effect a little ahead, from where the music stood', () => {
    const paused = pause(playing, NOW + 1000, 200);
    expect(paused).toMatchObject({ isPlaying: false, positionSeconds: 11.2, atServerMs: NOW + 1200 });
    const resumed = play(paused, NOW + 9000, 300);
    expect(resumed).toMatchObject({ isPlaying: true, positionSeconds: 11.2, atServerMs: NOW + 9300 });
    expect(positionAt(resumed, NOW + 9100)).toBe(11.2);
  });

  it('SYNC-1 playing what plays already changes no position', () => {
    const again = play(playing, NOW + 4000, 250);
    for (const laterMs of [4250, 5000, 90_000]) {
      expect(positionAt(again, NOW + laterMs)).toBeCloseTo(positionAt(playing, NOW + laterMs), 9);
    }
  });

  it('plays nothing while no track is chosen', () => {
    expect(emptyTimeline(NOW)).toMatchObject({ isPlaying: false, positionSeconds: 0, atServerMs: NOW });
    expect(play(emptyTimeline(NOW), NOW, 200).isPlaying).toBe(false);
    expect(changeTrack(playing, null, NOW, 200).isPlaying).toBe(false);
    const emptied = { ...playing, trackKey: null };
    expect(play(emptied, NOW + 5, 200)).toMatchObject({ isPlaying: false, positionSeconds: 10, atServerMs: NOW + 5 });
  });

  it('a seek keeps playing or pausing, and a track change starts at the beginning unless told otherwise', () => {
    expect(seek(playing, 40, NOW, 200)).toMatchObject({ isPlaying: true, positionSeconds: 40, atServerMs: NOW + 200 });
    expect(seek({ ...playing, isPlaying: false }, 99, NOW, 200, 60)).toMatchObject({
      isPlaying: false,
      positionSeconds: 60,
    });
    expect(changeTrack(playing, 'b', NOW, 3000)).toEqual({
      revision: 8,
      trackKey: 'b',
      isPlaying: true,
      positionSeconds: 0,
      atServerMs: NOW + 3000,
    });
    const cued = changeTrack(playing, 'b', NOW, 0, { isPlaying: false, positionSeconds: 5 });
    expect(cued).toMatchObject({ isPlaying: false, positionSeconds: 5 });
  });

  it('SYNC-A1 rewinding pauses at the beginning', () => {
    expect(rewind(playing, NOW)).toMatchObject({ isPlaying: false, positionSeconds: 0, atServerMs: NOW });
  });

  it('SYNC-2 each raises the revision by one, and only a higher revision is newer', () => {
    const commands = [
      play(playing, NOW, 1),
      pause(playing, NOW, 1),
      seek(playing, 1, NOW, 1),
      changeTrack(playing, 'b', NOW, 1),
      reanchor(playing, 1, NOW),
      rewind(playing, NOW),
    ];
    for (const next of commands) {
      expect(next.revision).toBe(8);
      expect(isNewer(next, playing)).toBe(true);
      expect(isNewer(playing, next)).toBe(false);
    }
    expect(isNewer(playing, playing)).toBe(false);
    expect(isNewer(playing, null)).toBe(true);
  });

  it('SYNC-25 a room is anchored to where the music will be when the word takes effect, however long it was on its way', () => {
    const seen = { positionSeconds: 40, atServerMs: NOW - 700 };
    expect(anchorTo(playing, seen, NOW + 300)).toMatchObject({ positionSeconds: 41, atServerMs: NOW + 300 });
    expect(anchorTo({ ...playing, isPlaying: false }, seen, NOW).positionSeconds).toBe(40);
    expect(anchorTo(playing, seen, NOW + 300, 40.5).positionSeconds).toBe(40.5);
  });

  it('SYNC-22 the position published once more is the same line, and there is none to publish while nothing moves', () => {
    const again = republish(playing, NOW + 12_345);
    expect(again).toMatchObject({ revision: 8, atServerMs: NOW + 12_345 });
    expect(again !== null && isSameLine(playing, again)).toBe(true);
    expect(republish({ ...playing, isPlaying: false }, NOW + 12_345)).toBeNull();
    expect([republish(playing, NOW - 1), republish(playing, NOW)?.revision]).toEqual([null, 8]);
  });

  it('SYNC-3 leads follow the round trip, from 150 ms up to one second', () => {
    expect(leadFor(0)).toBe(150);
    expect(leadFor(200)).toBe(320);
    expect(leadFor(5000)).toBe(1000);
    expect(leadFor(Number.NaN)).toBe(1000);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6 }), (rttMs) => {
        expect(leadFor(rttMs)).toBeGreaterThanOrEqual(150);
        expect(leadFor(rttMs)).toBeLessThanOrEqual(1000);
      }),
    );
  });

  it('SYNC-1 pausing and going on later loses and repeats nothing', () => {
    const times = fc.record({
      playedMs: fc.integer({ min: 0, max: 10_000_000 }),
      pausedMs: fc.integer({ min: 0, max: 10_000_000 }),
      leadMs: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(times, ({ playedMs, pausedMs, leadMs }) => {
        const paused = pause(playing, NOW + playedMs, leadMs);
        const resumed = play(paused, paused.atServerMs + pausedMs, leadMs);
        expect(positionAt(resumed, resumed.atServerMs)).toBeCloseTo(positionAt(playing, paused.atServerMs), 6);
      }),
    );
  });
});
