import { describe, expect, test } from 'vitest';
import { behindBy, followerInStep, inputAt, runUntilAction } from '../sim/follow-example.ts';
import type { FollowerState } from './follower-state.ts';
import { follow } from './follower.ts';
import { mediaElementCapabilities, youtubeCapabilities } from './player.ts';

const coarse = { capabilities: youtubeCapabilities, seekToleranceSeconds: 2 };

describe('a fine player', () => {
  test('is left alone inside the dead band (SYNC-12)', () => {
    const decision = runUntilAction(followerInStep(), 10_250, 40_000, behindBy(0.0025));
    expect(decision.actions).toEqual([]);
    expect(decision.wakeInMs).toBe(250);
  });

  test('one odd reading moves nothing (SYNC-18)', () => {
    const odd = runUntilAction(followerInStep(), 10_250, 20_000, (nowMs) => behindBy(nowMs < 10_400 ? 0.4 : 0)(nowMs));
    expect(odd.actions).toEqual([]);
  });

  test.each([0.02, 0.3, 1.4, -0.02, -1.4])(
    'a drift of %f s in the middle of a track is nudged, not sought (SYNC-14)',
    (behind) => {
      const decision = runUntilAction(followerInStep(), 10_250, 20_000, behindBy(behind));
      expect(decision.actions).toMatchObject([{ type: 'set-rate' }]);
      expect(decision.atMs).toBeLessThan(11_500);
    },
  );

  test('a drift beyond the tolerance is sought, once (SYNC-14)', () => {
    const decision = runUntilAction(followerInStep(), 10_250, 20_000, behindBy(1.6));
    expect(decision.actions).toMatchObject([{ type: 'seek' }]);
  });

  test('a seek aims ahead by what seeks take to land (SYNC-17)', () => {
    const decision = runUntilAction(followerInStep(), 10_250, 20_000, behindBy(5));
    const aimed = decision.atMs / 1000 + mediaElementCapabilities.seekLatencySeconds;
    expect(decision.actions).toEqual([{ type: 'seek', positionSeconds: expect.closeTo(aimed, 6) }]);
  });

  test('learns how late its seeks land (SYNC-17)', () => {
    const sought = runUntilAction(followerInStep(), 10_250, 20_000, behindBy(5));
    const landed = runUntilAction(sought.state, sought.atMs + 60, sought.atMs + 400, behindBy(0.04));
    const again = runUntilAction(landed.state, 60_000, 90_000, behindBy(5));
    const aheadSeconds = again.actions
      .flatMap((action) => (action.type === 'seek' ? action.positionSeconds : []))
      .at(0);
    expect((aheadSeconds ?? 0) - again.atMs / 1000).toBeCloseTo(0.095 + 0.02, 3);
  });

  test('seeks that do not help come ever more rarely (SYNC-16)', () => {
    let state = followerInStep();
    let nowMs = 10_250;
    const seeksAtMs: number[] = [];
    while (nowMs < 60_000) {
      const decision = follow(state, inputAt(nowMs, behindBy(5)(nowMs)));
      if (decision.actions.some((action) => action.type === 'seek')) seeksAtMs.push(nowMs);
      state = decision.state;
      nowMs += Math.max(1, decision.wakeInMs);
    }
    const pauses = seeksAtMs.slice(1).map((atMs, index) => atMs - (seeksAtMs[index] ?? 0));
    expect(seeksAtMs.length).toBeLessThanOrEqual(7);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  });

  test('a listener that stalled may be sought once, unless the place is not loaded yet (SYNC-14)', () => {
    const stalled = follow(followerInStep(), inputAt(10_250, { player: { phase: 'buffering' } })).state;
    const reached = runUntilAction(stalled, 11_000, 13_000, behindBy(0.8));
    expect(reached.actions).toMatchObject([{ type: 'seek' }]);
    const unloaded = runUntilAction(stalled, 11_000, 13_000, (nowMs) =>
      behindBy(0.8, { player: { bufferedUntilSeconds: nowMs / 1000 - 0.5 } })(nowMs),
    );
    expect(unloaded.actions).toMatchObject([{ type: 'set-rate' }]);
  });

  test('a stall right after a seek is a stall, not a slow landing (SYNC-14)', () => {
    const sought = runUntilAction(followerInStep(), 10_250, 20_000, behindBy(5));
    const landed = runUntilAction(sought.state, sought.atMs + 60, sought.atMs + 200, behindBy(0));
    const stalled = follow(landed.state, inputAt(landed.atMs + 10, { player: { phase: 'buffering' } })).state;
    const resumed = runUntilAction(stalled, landed.atMs + 1300, landed.atMs + 3000, behindBy(1.3));
    expect(resumed.actions).toMatchObject([{ type: 'seek' }]);
  });

  test('a seek that has to wait is still made, even from within a nudge (SYNC-16)', () => {
    const sought = runUntilAction(followerInStep(), 10_250, 20_000, behindBy(5));
    const stalled = follow(sought.state, inputAt(sought.atMs + 10, { player: { phase: 'playing' } })).state;
    const nudged = runUntilAction({ ...stalled, mayJump: true }, sought.atMs + 200, 20_000, behindBy(1));
    const rate = nudged.actions.flatMap((action) => (action.type === 'set-rate' ? action.rate : [])).at(0) ?? 1;
    expect(rate).toBeGreaterThan(1);
    const made = runUntilAction(nudged.state, nudged.atMs + 10, 20_000, behindBy(0.9, { player: { rate } }));
    expect(made.actions).toMatchObject([{ type: 'set-rate', rate: 1 }, { type: 'seek' }]);
    expect(made.atMs - sought.atMs).toBeGreaterThanOrEqual(1000);
  });

  test('a nudge ends at rate 1, where the player is expected to be on the line (SYNC-13)', () => {
    const begun = runUntilAction(followerInStep(), 10_250, 20_000, behindBy(0.03));
    const rate = begun.actions.flatMap((action) => (action.type === 'set-rate' ? action.rate : [])).at(0) ?? 1;
    // The rate shows 100 ms after it was set, and lasts as long after its end.
    const behindAt = (nowMs: number): number => 0.03 - ((rate - 1) * Math.max(0, nowMs - begun.atMs - 100)) / 1000;
    const ended = runUntilAction(begun.state, begun.atMs + 20, begun.atMs + 9000, (nowMs) =>
      behindBy(behindAt(nowMs), { player: { rate } })(nowMs),
    );
    expect(ended.actions).toEqual([{ type: 'set-rate', rate: 1 }]);
    expect(Math.abs(behindAt(ended.atMs + 100))).toBeLessThan(0.0015);
  });
});

describe('a player whose corrections do not help', () => {
  const nudgeFrom = (state: FollowerState, fromMs: number, behind: number) =>
    runUntilAction(state, fromMs, fromMs + 20_000, behindBy(behind));
  /**
   * Begins a nudge, lets the player be `behindAfter` behind all through it and afterwards, and looks for five seconds.
   */
  function nudgedInVain(state: FollowerState, fromMs: number, behind: number, behindAfter: number) {
    const begun = nudgeFrom(state, fromMs, behind);
    const rate = begun.actions.flatMap((action) => (action.type === 'set-rate' ? action.rate : [])).at(0) ?? 1;
    const nudged = behindBy(behindAfter, { player: { rate } });
    const ended = runUntilAction(begun.state, begun.atMs + 10, begun.atMs + 20_000, nudged);
    expect(ended.actions).toMatchObject([{ type: 'set-rate', rate: 1 }]);
    return { rate, state: ended.state, atMs: ended.atMs };
  }

  test('is not nudged again after a nudge increased the drift, but sought back once (SYNC-53)', () => {
    const { state, atMs } = nudgedInVain(followerInStep(), 10_250, 0.01, 0.12);
    const sought = runUntilAction(state, atMs + 10, atMs + 5000, behindBy(0.12));
    expect(sought.actions).toMatchObject([{ type: 'seek' }]);
    const after = runUntilAction(sought.state, sought.atMs + 10, sought.atMs + 29_000, behindBy(0.1));
    expect(after.actions).toEqual([]);
  });

  test('is not nudged a fourth time after three failures (SYNC-53)', () => {
    let state = followerInStep();
    let nowMs = 10_250;
    const atMs: number[] = [];
    while (nowMs < 60_000) {
      const decision = follow(state, inputAt(nowMs, stuckAt(state, 0.02)(nowMs)));
      const isNudge = decision.actions.some((action) => action.type === 'set-rate' && action.rate !== 1);
      if (isNudge) atMs.push(nowMs);
      state = decision.state;
      nowMs += Math.max(1, decision.wakeInMs);
    }
    expect(atMs).toHaveLength(3);
  });

  test('is sought when further off than 150 ms, and not again for half a minute (SYNC-53)', () => {
    const { state, atMs } = nudgedInVain(followerInStep(), 10_250, 0.01, 0.12);
    const landed = runUntilAction(state, atMs + 10, atMs + 5000, behindBy(0.12));
    const settled = runUntilAction(landed.state, landed.atMs + 200, landed.atMs + 31_000, behindBy(0));
    const sought = runUntilAction(settled.state, settled.atMs, settled.atMs + 5000, behindBy(0.2));
    expect(sought.actions).toMatchObject([{ type: 'seek' }]);
    const quiet = runUntilAction(sought.state, sought.atMs + 200, sought.atMs + 29_000, behindBy(0.2));
    expect(quiet.actions).toEqual([]);
  });

  test('is nudged again after two minutes, and left alone once more if that does not help (SYNC-53)', () => {
    const first = nudgedInVain(followerInStep(), 10_250, 0.01, 0.12);
    const landed = runUntilAction(first.state, first.atMs + 10, first.atMs + 5000, behindBy(0.12));
    const resting = runUntilAction(landed.state, landed.atMs + 200, first.atMs + 119_000, behindBy(0.02));
    expect(resting.actions).toEqual([]);
    const tried = nudgedInVain(resting.state, resting.atMs, 0.02, 0.08);
    expect(tried.atMs).toBeGreaterThan(first.atMs + 119_000);
    const left = runUntilAction(tried.state, tried.atMs + 10, tried.atMs + 60_000, behindBy(0.03));
    expect(left.actions.filter(({ type }) => type === 'set-rate')).toEqual([]);
  });

  test('gets another chance with the next track (SYNC-53)', () => {
    const { state } = nudgedInVain(followerInStep(), 10_250, 0.01, 0.12);
    const timeline = { ...inputAt(0).timeline, revision: 4, trackKey: 'b' };
    const changed = follow(state, inputAt(20_000, { timeline })).state;
    const playing = runUntilAction(changed, 20_100, 24_000, () => ({ timeline })).state;
    const nudged = runUntilAction(playing, 24_000, 40_000, behindBy(0.01, { timeline }));
    expect(nudged.actions).toMatchObject([{ type: 'set-rate' }]);
  });

  /** Takes every rate it is given, and none has any effect. */
  function stuckAt(state: FollowerState, behind: number) {
    const rate = state.mode.status === 'nudging' ? state.mode.rate : 1;
    // A nudge without any effect still ends after its planned duration.
    const gainedSeconds = (nowMs: number): number =>
      state.mode.status === 'nudging' ? ((rate - 1) * (nowMs - state.mode.sinceMs)) / 1000 : 0;
    return (nowMs: number) => behindBy(behind - gainedSeconds(nowMs), { player: { rate } })(nowMs);
  }
});

describe('a coarse player', () => {
  test('is left alone up to 65 ms, and brought back from more (SYNC-20)', () => {
    expect(runUntilAction(followerInStep(coarse), 10_250, 30_000, behindBy(0.06, coarse)).actions).toEqual([]);
    const further = runUntilAction(followerInStep(coarse), 10_250, 30_000, behindBy(0.07, coarse));
    expect(further.actions).toEqual([{ type: 'set-rate', rate: 1.25 }]);
  });

  test.each([
    { behind: 0.4, rate: 1.25 },
    { behind: -0.4, rate: 0.75 },
  ])('is brought back from $behind s by a burst at $rate (SYNC-20)', ({ behind, rate }) => {
    const decision = runUntilAction(followerInStep(coarse), 10_250, 30_000, behindBy(behind, coarse));
    expect(decision.actions).toEqual([{ type: 'set-rate', rate }]);
  });

  test('is never sought inside the tolerance, not even after a jump (SYNC-20)', () => {
    const timeline = { ...inputAt(0).timeline, revision: 4, positionSeconds: 1.9 };
    const decision = runUntilAction(followerInStep(coarse), 10_250, 30_000, (nowMs) => ({
      ...coarse,
      timeline,
      player: { positionSeconds: nowMs / 1000 },
    }));
    expect(decision.actions).toMatchObject([{ type: 'set-rate' }]);
  });

  test('is not nudged again on a track for which it refuses rates (SYNC-21)', () => {
    const refusing = behindBy(0.4, { ...coarse, player: { rate: 1 } });
    const begun = runUntilAction(followerInStep(coarse), 10_250, 30_000, refusing);
    const given = runUntilAction(begun.state, begun.atMs + 100, 30_000, refusing);
    expect(given.actions).toEqual([{ type: 'set-rate', rate: 1 }]);
    expect(runUntilAction(given.state, given.atMs + 100, 60_000, refusing).actions).toEqual([]);
  });
});
