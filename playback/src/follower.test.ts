import { describe, expect, it } from 'vitest';
import { OFFSET_MS, PLAYING_TIMELINE, behindBy, followerInStep, inputAt, runUntilAction } from './follow-example.ts';
import { INITIAL_FOLLOWER } from './follower-state.ts';
import { follow, startByTap } from './follower.ts';
import { MEDIA_ELEMENT_CAPABILITIES, YOUTUBE_CAPABILITIES } from './player.ts';
import { pause, play, reanchor, seek } from './timeline.ts';

/** How early a player is told to start that was loaded or moved, in milliseconds. */
const START_MS = MEDIA_ELEMENT_CAPABILITIES.startLatencySeconds * 1000;
const PAUSED = { phase: 'paused', positionSeconds: 0 } as const;

describe('tracks', () => {
  it('SYNC-11 a late joiner loads ahead of the live position and starts when the music gets there', () => {
    const loading = follow(INITIAL_FOLLOWER, inputAt(20_000, { player: { phase: 'empty' } }));
    expect(loading.actions).toMatchObject([{ type: 'load', trackKey: 'a' }]);
    const cueSeconds =
      loading.actions.flatMap((action) => (action.type === 'load' ? action.startSeconds : [])).at(0) ?? 0;
    expect(cueSeconds).toBeGreaterThan(20.3);
    expect(cueSeconds).toBeLessThan(22);
    const started = runUntilAction(loading.state, 20_300, 25_000, () => ({
      player: { phase: 'paused', positionSeconds: cueSeconds },
    }));
    expect(started.actions).toEqual([{ type: 'play' }]);
    expect((started.atMs + START_MS) / 1000).toBeCloseTo(cueSeconds, 1);
  });

  it('SYNC-11 a joiner that was too slow is cued once more instead of starting late', () => {
    const loading = follow(INITIAL_FOLLOWER, inputAt(20_000, { player: { phase: 'empty' } }));
    const late = runUntilAction(loading.state, 23_000, 25_000, () => ({
      player: { phase: 'paused', positionSeconds: 20.7 },
    }));
    expect(late.actions).toMatchObject([{ type: 'seek' }]);
  });

  it('loads nothing into a playing room before the clock is known, and unloads when no track is left', () => {
    const unknown = { serverMs: Number.NaN, isClockSynced: false, player: { phase: 'empty' } } as const;
    expect(follow(INITIAL_FOLLOWER, inputAt(20_000, unknown)).actions).toEqual([]);
    const none = { ...PLAYING_TIMELINE, revision: 4, trackKey: null, isPlaying: false };
    expect(follow(followerInStep(), inputAt(10_250, { timeline: none })).actions).toEqual([{ type: 'unload' }]);
  });

  it('SYNC-29 leaves a failed track alone', () => {
    const failed = follow(followerInStep(), inputAt(10_250, { player: { phase: 'failed' } }));
    expect([failed.actions, failed.state.mode.status]).toEqual([[], 'failed']);
  });

  it('SYNC-27 stays at the end of a track', () => {
    const ended = inputAt(600_500, { player: { phase: 'ended', positionSeconds: 600 } });
    expect(follow(followerInStep(), ended)).toMatchObject({ actions: [], state: { mode: { status: 'ended' } } });
  });
});

describe('starts', () => {
  const cued = { ...INITIAL_FOLLOWER, timeline: PLAYING_TIMELINE, loadedKey: 'a' };
  const startsAt = (atMs: number, positionSeconds = 0) => ({
    ...PLAYING_TIMELINE,
    revision: 5,
    positionSeconds,
    atServerMs: OFFSET_MS + atMs,
  });

  it('SYNC-3 a scheduled start begins just so early that it sounds on time', () => {
    const timeline = startsAt(2000);
    const started = runUntilAction(cued, 1000, 5000, () => ({ timeline, player: PAUSED }));
    expect([started.actions, started.atMs]).toEqual([[{ type: 'play' }], 2000 - START_MS]);
  });

  it('SYNC-3 a player that goes on where it was paused needs no such head start', () => {
    const paused = pause(PLAYING_TIMELINE, OFFSET_MS + 10_250, 0);
    const stopped = runUntilAction(followerInStep(), 10_250, 11_000, () => ({ timeline: paused }));
    const timeline = play(paused, OFFSET_MS + 12_000, 500);
    const started = runUntilAction(stopped.state, 12_000, 14_000, () => ({
      timeline,
      player: { phase: 'paused', positionSeconds: 10.25 },
    }));
    const resumeMs = MEDIA_ELEMENT_CAPABILITIES.resumeLatencySeconds * 1000;
    expect([started.actions, started.atMs]).toEqual([[{ type: 'play' }], 12_500 - resumeMs]);
  });

  it('SYNC-14 a paused player a little off is started earlier or later rather than sought', () => {
    const timeline = startsAt(2000, 30);
    const ahead = runUntilAction(cued, 1000, 5000, () => ({
      timeline,
      player: { phase: 'paused', positionSeconds: 30.05 },
    }));
    const behind = runUntilAction(cued, 1000, 5000, () => ({
      timeline,
      player: { phase: 'paused', positionSeconds: 29.95 },
    }));
    expect([ahead.actions, Math.round(ahead.atMs)]).toEqual([[{ type: 'play' }], 2050 - START_MS]);
    expect([behind.actions, Math.round(behind.atMs)]).toEqual([[{ type: 'play' }], 1950 - START_MS]);
  });

  it('SYNC-28 a device that is heard late plays ahead by as much', () => {
    const timeline = startsAt(2000);
    const change = { timeline, player: PAUSED, deviceOffsetSeconds: 0.2 };
    expect(runUntilAction(cued, 1000, 5000, () => change).atMs).toBe(1800 - START_MS);
  });

  it('waits for the clock', () => {
    const change = { timeline: startsAt(2000), player: PAUSED, isClockSynced: false };
    const decision = runUntilAction(cued, 1000, 5000, () => change);
    expect([decision.actions, decision.state.mode.status]).toEqual([[], 'waiting-for-clock']);
  });
});

describe('commands of the host', () => {
  it('a pause is obeyed at its time, not before', () => {
    const timeline = pause(PLAYING_TIMELINE, OFFSET_MS + 10_250, 300);
    const paused = runUntilAction(followerInStep(), 10_250, 12_000, () => ({ timeline }));
    expect([paused.actions, paused.atMs]).toEqual([[{ type: 'pause' }], 10_550]);
  });

  it('SYNC-15 a seek is one seek: cued while it is ahead, started on time', () => {
    const timeline = seek(PLAYING_TIMELINE, 90, OFFSET_MS + 10_250, 300);
    const cued = follow(followerInStep(), inputAt(10_250, { timeline }));
    expect(cued.actions).toEqual([{ type: 'pause' }, { type: 'seek', positionSeconds: 90 }]);
    const started = runUntilAction(cued.state, 10_300, 12_000, () => ({
      timeline,
      player: { phase: 'paused', positionSeconds: 90 },
    }));
    expect([started.actions, started.atMs]).toEqual([[{ type: 'play' }], 10_550 - START_MS]);
  });

  it('SYNC-15 a seek that arrives late is made at once, aiming ahead', () => {
    const timeline = seek(PLAYING_TIMELINE, 90, OFFSET_MS + 10_000, 150);
    const decision = follow(followerInStep(), inputAt(10_250, { timeline }));
    expect(decision.actions).toEqual([{ type: 'seek', positionSeconds: expect.closeTo(90.1 + 0.095, 6) }]);
  });

  it('SYNC-22 the same position once more moves nobody', () => {
    const again = reanchor(PLAYING_TIMELINE, 10.25, OFFSET_MS + 10_250);
    const ahead = reanchor(again, 10.75, OFFSET_MS + 10_750);
    const decision = runUntilAction(followerInStep(), 10_250, 20_000, (nowMs) => ({
      timeline: nowMs < 10_500 ? again : ahead,
    }));
    expect(decision.actions).toEqual([]);
  });

  it('SYNC-2 a revision that was passed changes nothing', () => {
    const old = { ...PLAYING_TIMELINE, revision: 2, positionSeconds: 300 };
    const decision = follow(followerInStep(), inputAt(10_250, { timeline: old, player: { positionSeconds: 310.25 } }));
    expect(decision.state.timeline?.revision).toBe(3);
  });
});

describe('what a browser or its user may do', () => {
  it('SYNC-23 a blocked player is not asked again until a tap, which plays it at once', () => {
    const blocked = runUntilAction(followerInStep(), 10_250, 15_000, () => ({ isBlocked: true, player: PAUSED }));
    expect([blocked.actions, blocked.state.mode.status]).toEqual([[], 'blocked']);
    const tapped = startByTap(blocked.state, inputAt(20_000, { player: PAUSED }));
    expect(tapped.actions).toMatchObject([{ type: 'seek' }, { type: 'play' }]);
  });

  it('SYNC-24 a player that something else paused is started again once, and then left alone', () => {
    const foreign = { player: { phase: 'paused', positionSeconds: 10.24 } } as const;
    const first = runUntilAction(followerInStep(), 10_250, 12_000, () => foreign);
    expect(first.actions).toMatchObject([{ type: 'play' }]);
    const running = runUntilAction(first.state, first.atMs + 50, 13_000, behindBy(0)).state;
    const second = runUntilAction(running, 13_250, 30_000, () => ({
      player: { phase: 'paused', positionSeconds: 13.2 },
    }));
    expect([second.actions, second.state.mode.status]).toEqual([[], 'blocked']);
    expect(startByTap(second.state, inputAt(30_000, { player: PAUSED })).actions.at(-1)).toEqual({ type: 'play' });
  });

  it('SYNC-14 a device that slept may be sought once, however little it is off', () => {
    const woken = follow(followerInStep(), inputAt(10_250, { serverMs: OFFSET_MS + 11_250 }));
    expect(woken.actions).toMatchObject([{ type: 'seek' }]);
  });

  it('a coarse player that reports late is not told twice', () => {
    const coarse = { capabilities: YOUTUBE_CAPABILITIES, seekToleranceSeconds: 2 };
    const timeline = pause(PLAYING_TIMELINE, OFFSET_MS + 10_250, 0);
    const first = follow(followerInStep(coarse), inputAt(10_250, { ...coarse, timeline }));
    expect(first.actions).toEqual([{ type: 'pause' }]);
    expect(follow(first.state, inputAt(10_400, { ...coarse, timeline })).actions).toEqual([]);
  });
});
