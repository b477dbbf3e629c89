import { describe, expect, test } from 'vitest';
import {
  offsetMs,
  playingTimeline,
  behindBy,
  followerInStep,
  inputAt,
  runUntilAction,
} from '../../testing/follow-example.ts';
import { initialFollower, type FollowerState } from './follower-state.ts';
import { follow, startByTap, retryNow } from './follower.ts';
import {
  mediaElementCapabilities,
  youtubeCapabilities,
  mediaElementCapabilities as media,
  type PlayerPhase,
  type PlayerErrorCode,
} from './player.ts';
import { pause, play, reanchor, seek, type Timeline } from '../room/timeline.ts';
import { initialLearned, learn } from './learned.ts';

/** How early a player that was loaded or moved gets its play command, in milliseconds. */
const startMs = mediaElementCapabilities.startLatencySeconds * 1000;
const pausedAtStart = { phase: 'paused', positionSeconds: 0 } as const;

describe('tracks', () => {
  test('a late joiner loads ahead of the live position and starts when the music gets there (SYNC-11)', () => {
    const loading = follow(initialFollower, inputAt(20_000, { player: { phase: 'empty' } }));
    expect(loading.actions).toMatchObject([{ type: 'load', trackKey: 'a' }]);
    const cueSeconds =
      loading.actions.flatMap((action) => (action.type === 'load' ? action.startSeconds : [])).at(0) ?? 0;
    expect(cueSeconds).toBeGreaterThan(20.3);
    expect(cueSeconds).toBeLessThan(22);
    const started = runUntilAction(loading.state, 20_300, 25_000, () => ({
      player: { phase: 'paused', positionSeconds: cueSeconds },
    }));
    expect(started.actions).toEqual([{ type: 'play' }]);
    expect((started.atMs + startMs) / 1000).toBeCloseTo(cueSeconds, 1);
  });

  test('a joiner that was too slow is cued once more instead of starting late (SYNC-11)', () => {
    const loading = follow(initialFollower, inputAt(20_000, { player: { phase: 'empty' } }));
    const late = runUntilAction(loading.state, 23_000, 25_000, () => ({
      player: { phase: 'paused', positionSeconds: 20.7 },
    }));
    expect(late.actions).toMatchObject([{ type: 'seek' }]);
  });

  test.each([
    ['cued nearer when what lies between is loaded', 0, 'seek'],
    ['left to wait when what lies between would have to be fetched', 20.8, 'play'],
  ])('a joiner whose track loaded long before it was expected is %s', (_how, bufferedFromSeconds, next) => {
    const loading = follow(initialFollower, inputAt(20_000, { player: { phase: 'loading' } }));
    const cued = { phase: 'paused', positionSeconds: 20.9, bufferedFromSeconds, bufferedUntilSeconds: 600 } as const;
    const early = runUntilAction(loading.state, 20_100, 25_000, () => ({ player: cued }));
    expect(early.actions.map(({ type }) => type)).toEqual([next]);
    const startsAt = early.actions.map((action) => (action.type === 'seek' ? action.positionSeconds : 20.9));
    expect(startsAt[0]).toBeLessThan(next === 'seek' ? 20.5 : 21);
    expect(startsAt[0]).toBeGreaterThan(early.atMs / 1000);
  });

  test('a track is begun where the room is in it, however short the one before it was', () => {
    const timeline = {
      ...playingTimeline,
      revision: 4,
      trackKey: 'b',
      positionSeconds: 3600,
      atServerMs: offsetMs + 13_250,
    };
    const { actions } = follow(followerInStep(), inputAt(10_250, { timeline, player: { durationSeconds: 240 } }));
    expect(actions).toEqual([{ type: 'load', trackKey: 'b', startSeconds: 3600 }]);
  });

  test('a track of a new device of YouTube’s that can load until the start is cued at its beginning', () => {
    const begins = (inMs: number) => {
      const timeline = { ...playingTimeline, revision: 4, trackKey: 'b', atServerMs: offsetMs + 10_250 + inMs };
      const coarse = { capabilities: youtubeCapabilities, seekToleranceSeconds: 2 };
      const { actions } = follow(followerInStep(), inputAt(10_250, { ...coarse, timeline }));
      return actions.map((action) => (action.type === 'load' ? action.startSeconds : Number.NaN));
    };
    expect([begins(3000), begins(2450)]).toEqual([[0], [0]]);
    // What may take longer is cued with room to spare.
    expect(begins(2449)).toEqual([expect.closeTo(2.2 * 1.3 + 0.25 - 2.449, 6)]);
  });

  test('loads nothing into a playing room before the clock is known, and unloads when no track is left', () => {
    const unknown = { serverMs: Number.NaN, isClockSynced: false, player: { phase: 'empty' } } as const;
    expect(follow(initialFollower, inputAt(20_000, unknown)).actions).toEqual([]);
    const none = { ...playingTimeline, revision: 4, trackKey: null, isPlaying: false };
    expect(follow(followerInStep(), inputAt(10_250, { timeline: none })).actions).toEqual([{ type: 'unload' }]);
  });

  test('leaves a failed track alone', () => {
    const failed = follow(followerInStep(), inputAt(10_250, { player: { phase: 'failed' } }));
    expect([failed.actions, failed.state.mode.status]).toEqual([[], 'failed']);
  });

  test('stays at the end of a track (SYNC-27)', () => {
    const ended = inputAt(600_500, { player: { phase: 'ended', positionSeconds: 600 } });
    expect(follow(followerInStep(), ended)).toMatchObject({ actions: [], state: { mode: { status: 'ended' } } });
  });
});

describe('starts', () => {
  const cued = { ...initialFollower, timeline: playingTimeline, loadedKey: 'a' };
  const startsAt = (atMs: number, positionSeconds = 0) => ({
    ...playingTimeline,
    revision: 5,
    positionSeconds,
    atServerMs: offsetMs + atMs,
  });

  test('a scheduled start begins just so early that it sounds on time (SYNC-3)', () => {
    const timeline = startsAt(2000);
    const started = runUntilAction(cued, 1000, 5000, () => ({ timeline, player: pausedAtStart }));
    expect([started.actions, started.atMs]).toEqual([[{ type: 'play' }], 2000 - startMs]);
  });

  test('a player that resumes after a pause needs no such head start (SYNC-3)', () => {
    const paused = pause(playingTimeline, offsetMs + 10_250, 0);
    const stopped = runUntilAction(followerInStep(), 10_250, 11_000, () => ({ timeline: paused }));
    const timeline = play(paused, offsetMs + 12_000, 500);
    const started = runUntilAction(stopped.state, 12_000, 14_000, () => ({
      timeline,
      player: { phase: 'paused', positionSeconds: 10.25 },
    }));
    const resumeMs = mediaElementCapabilities.resumeLatencySeconds * 1000;
    expect([started.actions, started.atMs]).toEqual([[{ type: 'play' }], 12_500 - resumeMs]);
  });

  test('a paused player a little off is started earlier or later rather than sought (SYNC-14)', () => {
    const timeline = startsAt(2000, 30);
    const ahead = runUntilAction(cued, 1000, 5000, () => ({
      timeline,
      player: { phase: 'paused', positionSeconds: 30.05 },
    }));
    const behind = runUntilAction(cued, 1000, 5000, () => ({
      timeline,
      player: { phase: 'paused', positionSeconds: 29.95 },
    }));
    expect([ahead.actions, Math.round(ahead.atMs)]).toEqual([[{ type: 'play' }], 2050 - startMs]);
    expect([behind.actions, Math.round(behind.atMs)]).toEqual([[{ type: 'play' }], 1950 - startMs]);
  });

  test('a device that is heard late plays ahead by as much', () => {
    const timeline = startsAt(2000);
    const change = { timeline, player: pausedAtStart, deviceOffsetSeconds: 0.2 };
    expect(runUntilAction(cued, 1000, 5000, () => change).atMs).toBe(1800 - startMs);
  });

  test.each([200, -200, 500, -500])(
    'a device that is heard %i ms late loads a track at its beginning, and starts it as much earlier',
    (ms) => {
      const timeline = { ...startsAt(4000), trackKey: 'b' };
      const change = { timeline, deviceOffsetSeconds: ms / 1000 };
      const loading = follow(cued, inputAt(1000, { ...change, player: { phase: 'empty' } }));
      expect(loading.actions).toEqual([{ type: 'load', trackKey: 'b', startSeconds: 0 }]);
      const started = runUntilAction(loading.state, 1300, 6000, () => ({ ...change, player: pausedAtStart }));
      expect([started.actions, started.atMs]).toEqual([[{ type: 'play' }], 4000 - ms - startMs]);
    },
  );

  test.each([500, -500])('one that stands where a device that is heard %i ms late was paused is not moved', (ms) => {
    const timeline = startsAt(2000, 30);
    const positionSeconds = 30 + ms / 1000;
    const paused = { phase: 'paused', positionSeconds } as const;
    const change = { timeline, player: paused, deviceOffsetSeconds: ms / 1000 };
    const started = runUntilAction({ ...cued, mayJump: true }, 1000, 5000, () => change);
    expect([started.actions, Math.round(started.atMs)]).toEqual([[{ type: 'play' }], 2000 - startMs]);
  });

  test('waits for the clock', () => {
    const change = { timeline: startsAt(2000), player: pausedAtStart, isClockSynced: false };
    const decision = runUntilAction(cued, 1000, 5000, () => change);
    expect([decision.actions, decision.state.mode.status]).toEqual([[], 'waiting-for-clock']);
  });
});

describe('commands of the host', () => {
  test('a pause takes effect at its time, not before', () => {
    const timeline = pause(playingTimeline, offsetMs + 10_250, 300);
    const paused = runUntilAction(followerInStep(), 10_250, 12_000, () => ({ timeline }));
    expect([paused.actions, paused.atMs]).toEqual([[{ type: 'pause' }], 10_550]);
  });

  test('a seek is one seek: cued while it is ahead, started on time (SYNC-15)', () => {
    const timeline = seek(playingTimeline, 90, offsetMs + 10_250, 300);
    const cued = follow(followerInStep(), inputAt(10_250, { timeline }));
    expect(cued.actions).toEqual([{ type: 'pause' }, { type: 'seek', positionSeconds: 90 }]);
    const started = runUntilAction(cued.state, 10_300, 12_000, () => ({
      timeline,
      player: { phase: 'paused', positionSeconds: 90 },
    }));
    expect([started.actions, started.atMs]).toEqual([[{ type: 'play' }], 10_550 - startMs]);
  });

  test('a seek that arrives late is made at once, aiming ahead (SYNC-15)', () => {
    const timeline = seek(playingTimeline, 90, offsetMs + 10_000, 150);
    const decision = follow(followerInStep(), inputAt(10_250, { timeline }));
    expect(decision.actions).toEqual([{ type: 'seek', positionSeconds: expect.closeTo(90.1 + 0.095, 6) }]);
  });

  test('republishing the same position moves no player (SYNC-22)', () => {
    const again = reanchor(playingTimeline, 10.25, offsetMs + 10_250);
    const ahead = reanchor(again, 10.75, offsetMs + 10_750);
    const decision = runUntilAction(followerInStep(), 10_250, 20_000, (nowMs) => ({
      timeline: nowMs < 10_500 ? again : ahead,
    }));
    expect(decision.actions).toEqual([]);
  });

  test('an older revision changes nothing (SYNC-2)', () => {
    const old = { ...playingTimeline, revision: 2, positionSeconds: 300 };
    const decision = follow(followerInStep(), inputAt(10_250, { timeline: old, player: { positionSeconds: 310.25 } }));
    expect(decision.state.timeline?.revision).toBe(3);
  });
});

describe('effects of the browser and its user', () => {
  test('a blocked player is not started until a tap, which plays it at once (SYNC-23)', () => {
    const blocked = runUntilAction(followerInStep(), 10_250, 15_000, () => ({
      isBlocked: true,
      player: pausedAtStart,
    }));
    expect([blocked.actions, blocked.state.mode.status]).toEqual([[], 'blocked']);
    const tapped = startByTap(blocked.state, inputAt(20_000, { player: pausedAtStart }));
    expect(tapped.actions).toMatchObject([{ type: 'seek' }, { type: 'play' }]);
  });

  test('a player that something else paused is restarted once, and then left alone (SYNC-24)', () => {
    const foreign = { player: { phase: 'paused', positionSeconds: 10.24 } } as const;
    const first = runUntilAction(followerInStep(), 10_250, 12_000, () => foreign);
    expect(first.actions).toMatchObject([{ type: 'play' }]);
    const running = runUntilAction(first.state, first.atMs + 50, 13_000, behindBy(0)).state;
    const second = runUntilAction(running, 13_250, 30_000, () => ({
      player: { phase: 'paused', positionSeconds: 13.2 },
    }));
    expect([second.actions, second.state.mode.status]).toEqual([[], 'blocked']);
    expect(startByTap(second.state, inputAt(30_000, { player: pausedAtStart })).actions.at(-1)).toEqual({
      type: 'play',
    });
  });

  test('a device that slept may be sought once, however little it is off (SYNC-14)', () => {
    const woken = follow(followerInStep(), inputAt(10_250, { serverMs: offsetMs + 11_250 }));
    expect(woken.actions).toMatchObject([{ type: 'seek' }]);
  });

  test('a coarse player that reports late gets no command twice', () => {
    const coarse = { capabilities: youtubeCapabilities, seekToleranceSeconds: 2 };
    const timeline = pause(playingTimeline, offsetMs + 10_250, 0);
    const first = follow(followerInStep(coarse), inputAt(10_250, { ...coarse, timeline }));
    expect(first.actions).toEqual([{ type: 'pause' }]);
    expect(follow(first.state, inputAt(10_400, { ...coarse, timeline })).actions).toEqual([]);
  });
});

/** Which track changes let the playing track play to its end. */
describe('the next track', () => {
  /** It is local time 10.25 s, and track "b" begins three quarters of a second later. */
  const soon: Timeline = { ...playingTimeline, revision: 4, trackKey: 'b', atServerMs: offsetMs + 11_000 };
  const hear = (
    change: Partial<Timeline>,
    phase: PlayerPhase = 'playing',
    state: FollowerState = followerInStep(),
    nowMs = 10_250,
  ) => follow(state, inputAt(nowMs, { timeline: { ...soon, ...change }, player: { phase } }));

  test('within a second lets the playing one play to its end', () => {
    const { state, actions, wakeInMs } = hear({});
    expect(actions).toEqual([{ type: 'load', trackKey: 'b', startSeconds: 0, followsOn: true }]);
    expect(state.mode).toEqual({ status: 'cued', sinceMs: 10_250, cueSeconds: 0, isSeek: false, isPrepared: true });
    expect(wakeInMs).toBe(40);
    expect(hear({ atServerMs: offsetMs + 11_250 }).actions).toMatchObject([{ followsOn: true }]);
  });

  test('was loaded ahead, so its readiness says nothing about load times', () => {
    const { state } = hear({});
    expect(hear({}, 'paused', state, 10_900).state.learned).toBe(state.learned);
    const readying = hear({}, 'loading', state, 10_290);
    expect(readying.state.mode.status).toBe('loading');
    expect(hear({}, 'paused', readying.state, 10_330).state.learned).toBe(state.learned);
  });

  test('is at its beginning, and stays there, however long this device takes to load others', () => {
    const learned = [3, 3].reduce((known, seconds) => learn(known, media, 'loadSeconds', seconds), initialLearned);
    const { actions } = hear({}, 'playing', { ...followerInStep(), learned });
    expect(actions).toMatchObject([{ startSeconds: 0, followsOn: true }]);
  });

  const nothingLoaded = { ...followerInStep(), loadedKey: null };
  test.each<[string, Partial<Timeline>, PlayerPhase, FollowerState]>([
    ['begins later than in a second', { atServerMs: offsetMs + 11_251 }, 'playing', followerInStep()],
    ['begins right now', { atServerMs: offsetMs + 10_250 }, 'playing', followerInStep()],
    ['has begun already', { atServerMs: offsetMs + 10_000 }, 'playing', followerInStep()],
    ['goes on from its middle', { positionSeconds: 30 }, 'playing', followerInStep()],
    ['stands still', { isPlaying: false }, 'playing', followerInStep()],
    ['comes after one that is paused here', {}, 'paused', followerInStep()],
    ['is the first that was loaded', {}, 'playing', nothingLoaded],
  ])('that %s replaces the other one at once', (_what, change, phase, state) => {
    const { actions, state: after } = hear(change, phase, state);
    expect(actions).toMatchObject([{ type: 'load', trackKey: 'b' }]);
    expect(actions[0]).not.toHaveProperty('followsOn');
    expect(after.mode.status).toBe('loading');
  });
});

describe('a track that could not be fetched', () => {
  /** Runs a follower whose player fails again a moment after each load; answers when and where it loaded. */
  function loadsWhileFailing(state: FollowerState, fromMs: number, untilMs: number, errorCode: PlayerErrorCode) {
    const loads: { atMs: number; startSeconds: number }[] = [];
    let phase: PlayerPhase = 'failed';
    let nowMs = fromMs;
    while (nowMs < untilMs) {
      const decision = follow(state, inputAt(nowMs, { errorCode, player: { phase, durationSeconds: null } }));
      state = decision.state;
      phase = 'failed';
      for (const action of decision.actions) {
        if (action.type !== 'load') continue;
        loads.push({ atMs: nowMs, startSeconds: action.startSeconds });
        phase = 'loading';
      }
      nowMs += Math.max(1, decision.wakeInMs);
    }
    return { state, loads };
  }

  test('is loaded again after 1, 2, 5, 15 and then every 30 s, where the room is by then (SYNC-41)', () => {
    const { loads } = loadsWhileFailing(followerInStep(), 10_000, 110_000, 'network');
    const waits = loads.map(({ atMs }, index) => Math.round((atMs - (loads[index - 1]?.atMs ?? 10_000)) / 1000));
    expect(waits).toEqual([1, 2, 5, 15, 30, 30]);
    for (const { atMs, startSeconds } of loads) expect(startSeconds).toBeGreaterThanOrEqual(atMs / 1000);
  });

  test('one that is damaged here is loaded again a second later, where the room is by then', () => {
    const { loads } = loadsWhileFailing(followerInStep(), 10_000, 11_500, 'damaged');
    expect(loads).toHaveLength(1);
    expect(loads[0]?.startSeconds).toBeGreaterThanOrEqual(11);
  });

  test('is loaded at once on request, and its waits restart with 1 s once it has played (SYNC-41)', () => {
    const failing = loadsWhileFailing(followerInStep(), 10_000, 30_000, 'network');
    const asked = loadsWhileFailing(retryNow(failing.state), 30_000, 30_010, 'network');
    expect(asked.loads).toHaveLength(1);
    const playing = follow(asked.state, inputAt(31_000, { errorCode: 'network' })).state;
    expect(loadsWhileFailing(playing, 40_000, 41_500, 'network').loads).toHaveLength(1);
  });

  test('waits as long as before when the player was only ready by default, without having fetched anything (SYNC-41)', () => {
    const failing = loadsWhileFailing(followerInStep(), 10_000, 12_500, 'network');
    expect(failing.loads).toHaveLength(1);
    const atRest = { phase: 'paused', hasNothingFetched: true, durationSeconds: null } as const;
    const { state } = follow(failing.state, inputAt(12_500, { errorCode: 'network', player: atRest }));
    expect(loadsWhileFailing(state, 13_000, 14_500, 'network').loads).toEqual([]);
    expect(loadsWhileFailing(state, 13_000, 18_500, 'network').loads).toHaveLength(1);
  });

  test.each([
    { phase: 'paused', durationSeconds: null },
    { phase: 'ended', durationSeconds: null },
  ] as const)('restarts its waits with 1 s once the player could have played it: $phase (SYNC-41)', (player) => {
    const failing = loadsWhileFailing(followerInStep(), 10_000, 12_500, 'network');
    const { state } = follow(failing.state, inputAt(12_500, { player }));
    expect(loadsWhileFailing(state, 13_000, 14_500, 'network').loads).toHaveLength(1);
  });

  test('a retry of one that has not failed changes nothing (SYNC-41)', () => {
    const playing = followerInStep();
    expect(retryNow(playing)).toEqual(playing);
  });

  test('one that the player cannot play is loaded again only on request (SYNC-41)', () => {
    const failing = loadsWhileFailing(followerInStep(), 10_000, 60_000, 'unsupported');
    expect(failing.loads).toEqual([]);
    expect(loadsWhileFailing(retryNow(failing.state), 60_000, 90_000, 'unsupported').loads).toHaveLength(1);
  });
});
