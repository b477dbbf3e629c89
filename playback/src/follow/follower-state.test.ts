import { describe, expect, test } from 'vitest';
import {
  smoothed,
  describe as describeFollower,
  type FollowerMode,
  type FollowerState,
  initialFollower,
} from './follower-state.ts';
import {
  behindBy,
  type Change,
  followerInStep,
  inputAt,
  playingTimeline,
  runUntilAction,
} from '../../testing/follow-example.ts';

describe('the drift of several looks (SYNC-18)', () => {
  const readingsOf = (...values: number[]) => values.map((behindSeconds) => ({ atMs: 1000, behindSeconds }));

  test('is the middle one of an odd number, in whatever order they came', () => {
    expect(smoothed(readingsOf(0.5, 0.01, 0.02), 1000)).toBeCloseTo(0.02, 9);
  });

  test('is between the two in the middle of an even number', () => {
    expect(smoothed(readingsOf(0.01, 0.9, 0.03, -0.5), 1000)).toBeCloseTo(0.02, 9);
  });

  test('carries each look forward by what the rate has brought since', () => {
    const readings = [
      { atMs: 0, behindSeconds: 0.03 },
      { atMs: 500, behindSeconds: 0.02 },
    ];
    expect(smoothed(readings, 1000, 0.02)).toBeCloseTo(0.01, 9);
  });

  test('is none when there was no look', () => {
    expect(smoothed([], 1000)).toBe(0);
  });
});

describe('follow status', () => {
  const statusOf = (state: FollowerState, nowMs: number, change: Change = {}) =>
    describeFollower(inputAt(nowMs, change), state, { seeks: 2, rateChanges: 5 }, 3, null);
  const inMode = (mode: FollowerMode): FollowerState => ({ ...followerInStep(), mode });
  const watching = { status: 'watching', readings: [], trustFromMs: 0 } as const;
  const nudging = {
    status: 'nudging',
    sinceMs: 0,
    endAtMs: 0,
    latestEndMs: 0,
    trustFromMs: 0,
    readings: [],
    fromSeconds: 0,
  } as const;

  describe('the status of a player', () => {
    test.each<[string, FollowerMode, string]>([
      ['plays', { ...watching, landing: { after: 'nothing', sinceMs: 0 } }, 'playing'],
      [
        'was just moved',
        { ...watching, landing: { after: 'seek', sinceMs: 0, expectedBehindSeconds: 0 } },
        'correcting',
      ],
      ['plays at another rate', { ...nudging, rate: 1.01 }, 'correcting'],
      ['was just started', { status: 'starting', sinceMs: 0, expectedBehindSeconds: 0, isResumption: false }, 'cued'],
      ['waits for data', { status: 'buffering', sinceMs: 0 }, 'buffering'],
      ['is paused', { status: 'paused', sinceMs: 0 }, 'paused'],
    ])('one that %s', (_what, mode, name) => {
      expect(statusOf(inMode(mode), 10_250).status).toBe(name);
    });

    test('a follower without a timeline follows revision -1 and has no drift', () => {
      expect(statusOf(initialFollower, 10_250)).toEqual({
        status: 'idle',
        revision: -1,
        driftMs: null,
        smoothedDriftMs: null,
        isLive: false,
        isInexact: false,
        uncertaintyMs: 3,
        seeks: 2,
        rateChanges: 5,
        errorCode: null,
      });
    });

    test('a live stream is live at any edge, and an inexact format is inexact', () => {
      const live = statusOf(followerInStep(), 10_250, { player: { liveEdgeSeconds: 0 } });
      expect([live.isLive, live.isInexact]).toEqual([true, false]);
      const inexact = statusOf(followerInStep(), 10_250, { player: { liveEdgeSeconds: null, isInexact: true } });
      expect([inexact.isLive, inexact.isInexact]).toEqual([false, true]);
    });
  });

  describe('the displayed drift', () => {
    test('is in milliseconds, and negative for a player that is behind', () => {
      const { state } = runUntilAction(followerInStep(), 10_250, 10_250, behindBy(0.002));
      expect(statusOf(state, 10_250, behindBy(0.002)(10_250)).driftMs).toBeCloseTo(-2, 6);
      expect(statusOf(state, 10_250, behindBy(-0.002)(10_250)).driftMs).toBeCloseTo(2, 6);
      expect(statusOf(inMode({ status: 'paused', sinceMs: 0 }), 10_250).driftMs).toBeNull();
    });

    test('is smoothed over several looks: one odd look does not move it', () => {
      const landing = { after: 'nothing', sinceMs: 0 } as const;
      const readings = [0.002, 0.3, 0.002].map((behindSeconds, index) => ({ atMs: 10_000 + index, behindSeconds }));
      const state = inMode({ ...watching, landing, readings });
      expect(statusOf(state, 10_250).smoothedDriftMs).toBeCloseTo(-2, 6);
      expect(statusOf(inMode({ ...watching, landing }), 10_250).smoothedDriftMs).toBeNull();
    });

    test('shrinks during a nudge as fast as the rate brings the player back', () => {
      const state = inMode({ ...nudging, rate: 1.02, readings: [{ atMs: 10_000, behindSeconds: 0.03 }] });
      const shown = statusOf(state, 10_500, behindBy(0.02)(10_500));
      expect(shown.smoothedDriftMs).toBeCloseTo(-20, 6);
      expect(shown.driftMs).toBeCloseTo(-20, 6);
      expect(shown.revision).toBe(playingTimeline.revision);
    });
  });
});
