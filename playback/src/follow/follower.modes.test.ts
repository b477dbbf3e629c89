/** Single decisions of a follower, by its mode and the state of its player. */
import { describe, expect, test } from 'vitest';
import {
  behindBy,
  type Change,
  followerInStep,
  inputAt,
  offsetMs,
  playingTimeline,
} from '../../testing/follow-example.ts';
import { type FollowerMode, type FollowerState, initialFollower, type Landing } from './follower-state.ts';
import { allowJump, follow, startByTap } from './follower.ts';
import { expected } from './learned.ts';
import { mediaElementCapabilities as media, youtubeCapabilities as youtube } from './player.ts';

const coarse = { capabilities: youtube, seekToleranceSeconds: 2 };
const paused = { ...playingTimeline, revision: 4, isPlaying: false, positionSeconds: 20 };
/** A follower in `mode` that has played in sync until local time 10 s. */
const during = (mode: FollowerMode, change: Partial<FollowerState> = {}): FollowerState => ({
  ...followerInStep(),
  ...change,
  mode,
});
const underPause = (mode: FollowerMode) => during(mode, { timeline: paused, mayJump: true });
const next = (state: FollowerState, nowMs: number, change: Change = {}) => follow(state, inputAt(nowMs, change));
const watching = (landing: Landing = { after: 'nothing', sinceMs: 0 }, change = {}): FollowerMode => ({
  status: 'watching',
  readings: [],
  trustFromMs: 0,
  landing,
  ...change,
});
const nudging: FollowerMode = {
  status: 'nudging',
  rate: 1.01,
  sinceMs: 9500,
  endAtMs: 12_000,
  latestEndMs: 13_500,
  trustFromMs: 9600,
  readings: [],
  fromSeconds: 0.01,
};
const reading = { atMs: 10_100, behindSeconds: 0 };

describe('a player that gets ready', () => {
  test.each(['loading', 'empty'] as const)(
    'one that is %s without a command counts as loading from now on',
    (phase) => {
      const { state, actions, wakeInMs } = next(during({ status: 'idle' }), 10_250, { player: { phase } });
      const loading = { status: 'loading', sinceMs: 10_250, cueSeconds: 10.25, isSeek: false };
      expect([state.mode, actions, wakeInMs]).toEqual([loading, [], 40]);
      expect(next(state, 10_500, { player: { phase } }).state.mode).toEqual(loading);
    },
  );

  test.each([true, false])('one that was cued is loading since then (by a seek: %s)', (isSeek) => {
    const cued = { status: 'cued', sinceMs: 9000, cueSeconds: 33, isSeek } as const;
    const { mode } = next(during(cued), 10_250, { player: { phase: 'loading', positionSeconds: 1 } }).state;
    expect(mode).toEqual({ ...cued, status: 'loading' });
  });

  test.each([
    { isSeek: false, figure: 'loadSeconds' as const },
    { isSeek: true, figure: 'cueSeconds' as const },
  ])('what it took until it could start is learned as $figure (SYNC-11)', ({ isSeek, figure }) => {
    const loading = { status: 'loading', sinceMs: 8250, cueSeconds: 20, isSeek } as const;
    const ready = { phase: 'paused', positionSeconds: 20 } as const;
    const guessed = expected(initialFollower.learned, media)[figure];
    for (const state of [during(loading), underPause(loading)]) {
      const after = next(state, 9250, { player: ready, timeline: state.timeline ?? playingTimeline }).state;
      expect(expected(after.learned, media)[figure]).toBeCloseTo((guessed + 1) / 2, 6);
    }
  });
});

describe('a track', () => {
  const later = { ...playingTimeline, revision: 4, trackKey: 'b' };

  test('a new one resets the state, and is cued ahead by the load and start times', () => {
    const spoiled = during(watching(), {
      isWarm: true,
      mayJump: false,
      lastSeek: { atMs: 9000, refractoryMs: 8000 },
      refusesRates: true,
      failedNudges: 2,
      noNudgesUntilMs: 90_000,
      isHeldByOther: true,
    });
    const { state, actions, wakeInMs } = next(spoiled, 10_250, { timeline: later });
    const cueSeconds = 10.25 + 0.5 * 1.3 + 0.095;
    expect(actions).toEqual([{ type: 'load', trackKey: 'b', startSeconds: expect.closeTo(cueSeconds, 6) }]);
    expect(state).toMatchObject({
      loadedKey: 'b',
      isWarm: false,
      mayJump: true,
      lastSeek: null,
      refusesRates: false,
      failedNudges: 0,
      noNudgesUntilMs: Number.NEGATIVE_INFINITY,
      isHeldByOther: false,
      mode: { status: 'loading', sinceMs: 10_250, isSeek: false },
    });
    expect(wakeInMs).toBe(40);
  });

  test('under a paused timeline it is loaded at the paused position, even before the clock is known', () => {
    const stopped = { ...later, isPlaying: false, positionSeconds: 42 };
    const { actions } = next(during(watching()), 10_250, {
      timeline: stopped,
      serverMs: Number.NaN,
      isClockSynced: false,
    });
    expect(actions).toEqual([{ type: 'load', trackKey: 'b', startSeconds: 42 }]);
  });

  test('a playing one waits for the first clock answer', () => {
    const { state, actions } = next(initialFollower, 10_250, { serverMs: Number.NaN, isClockSynced: false });
    expect([state.mode, actions]).toEqual([{ status: 'waiting-for-clock' }, []]);
  });

  test('without one the player is unloaded once and idle', () => {
    const none = { ...playingTimeline, revision: 4, trackKey: null, isPlaying: false };
    const first = next(during(watching()), 10_250, { timeline: none });
    expect([first.state.mode, first.actions]).toEqual([{ status: 'idle' }, [{ type: 'unload' }]]);
    const second = next(first.state, 10_500, { timeline: none, player: { phase: 'empty' } });
    expect([second.state.mode, second.actions, second.wakeInMs]).toEqual([{ status: 'idle' }, [], 250]);
  });

  test.each([
    ['within two seconds of its end', 599, 598.2, true],
    ['long before its end', 599, 590, false],
    ['short, in its second half', 1, 0.6, true],
    ['short, in its first half', 1, 0.4, false],
    ['of unknown length', null, 598.2, false],
    ['of no length', 0, 0.2, false],
  ])(
    'a player that ended one %s: the end for the room or not (SYNC-27)',
    (_when, durationSeconds, atSeconds, hasEnded) => {
      const player = { phase: 'ended', positionSeconds: atSeconds, durationSeconds } as const;
      const { mode } = next(during({ status: 'idle' }), atSeconds * 1000, { player }).state;
      expect(mode.status === 'ended').toBe(hasEnded);
    },
  );

  test('a player that still plays shortly before the end of the timeline has not ended (SYNC-27)', () => {
    expect(next(during(watching()), 599_000).state.mode.status).toBe('watching');
  });

  test('a player that still plays after the end of the timeline has ended as well (SYNC-27)', () => {
    expect(next(during(watching()), 601_000).state.mode).toEqual({ status: 'ended' });
  });
});

describe('under a paused timeline', () => {
  test.each(['playing', 'buffering'] as const)('a player that is %s is stopped at the time, and at rate 1', (phase) => {
    const pause = { ...paused, atServerMs: offsetMs + 10_400 };
    const player = { phase, positionSeconds: 20, rate: 1.01 };
    const early = next(underPause(watching()), 10_250, { timeline: pause, player });
    expect([early.actions, early.wakeInMs]).toEqual([[], 150]);
    const far = next(underPause(watching()), 9000, { timeline: pause, player });
    expect([far.actions, far.wakeInMs]).toEqual([[], 250]);
    const due = next(underPause(watching()), 10_400, { timeline: pause, player });
    expect(due.actions).toEqual([{ type: 'pause' }, { type: 'set-rate', rate: 1 }]);
    expect([due.state.mode, due.wakeInMs]).toEqual([{ status: 'paused', sinceMs: 10_400 }, 40]);
  });

  test.each([
    ['at once, and stands there where it is hardly past it', 100, []],
    ['at once, and is moved unheard to where all stand', 500, [{ type: 'seek', positionSeconds: 20 }]],
  ])('a player that gets the pause late stops %s (SYNC-3)', (_how, lateMs, moves) => {
    const pause = { ...paused, atServerMs: offsetMs + 10_000 };
    const nowMs = 10_000 + lateMs;
    const player = { positionSeconds: 20 + lateMs / 1000 };
    const stopped = next(underPause(watching()), nowMs, { timeline: pause, player });
    expect(stopped.actions).toEqual([{ type: 'pause' }]);
    const standing = next(stopped.state, nowMs + 1000, { timeline: pause, player: { ...player, phase: 'paused' } });
    expect(standing.actions).toEqual(moves);
  });

  test('before the clock is known it is stopped at once', () => {
    const pause = { ...paused, atServerMs: offsetMs + 10_400 };
    const { actions } = next(underPause(watching()), 10_250, { timeline: pause, isClockSynced: false });
    expect(actions).toEqual([{ type: 'pause' }]);
  });

  test('a pause is repeated after a second, not earlier', () => {
    const asked = underPause({ status: 'paused', sinceMs: 10_000 });
    const still = { timeline: paused, player: { positionSeconds: 20 } };
    expect(next(asked, 10_999, still)).toMatchObject({ actions: [], wakeInMs: 40 });
    expect(next(asked, 11_000, still).actions).toEqual([{ type: 'pause' }]);
  });

  test('a seek is waited for as long, unless the player ended', () => {
    const cued = { status: 'cued', sinceMs: 10_000, cueSeconds: 20, isSeek: true } as const;
    const old = { timeline: paused, player: { phase: 'paused', positionSeconds: 5 } } as const;
    expect(next(underPause(cued), 10_999, old).actions).toEqual([]);
    expect(next(underPause(cued), 11_000, old).actions).toEqual([{ type: 'seek', positionSeconds: 20 }]);
    expect(next(underPause({ ...cued, isSeek: false }), 10_100, old).actions).toMatchObject([{ type: 'seek' }]);
    const ended = { ...old, player: { phase: 'ended', positionSeconds: 5 } } as const;
    expect(next(underPause(cued), 10_100, ended).actions).toMatchObject([{ type: 'seek' }]);
  });

  test.each([19.7, 20.3])(
    'a player that stands at %f s is moved to 20 s; one within a quarter second is not',
    (off) => {
      const at = (positionSeconds: number) =>
        ({ timeline: paused, player: { phase: 'paused', positionSeconds } }) as const;
      const idle = underPause({ status: 'idle' });
      expect(next(idle, 10_250, at(off)).actions).toEqual([{ type: 'seek', positionSeconds: 20 }]);
      const near = next(idle, 10_250, at(20 + (off - 20) * 0.8));
      expect([near.actions, near.state.mode, near.wakeInMs]).toEqual([[], { status: 'paused', sinceMs: 10_250 }, 250]);
      const standing = next(underPause({ status: 'paused', sinceMs: 3000 }), 10_250, at(20));
      expect(standing.state.mode).toEqual({ status: 'paused', sinceMs: 3000 });
    },
  );
});

describe('a player that stands still', () => {
  const still = { player: { phase: 'paused', positionSeconds: 10.25 } } as const;

  test.each([watching(), nudging])(
    'paused by something else while $status it is started again, once in ten seconds (SYNC-24)',
    (mode) => {
      const first = next(during(mode, { mayJump: false }), 10_250, still);
      expect(first.state).toMatchObject({ foreignPauseAtMs: 10_250, mayJump: true });
      const again = (atMs: number) => next(during(mode, { foreignPauseAtMs: 1000 }), atMs, still).state;
      expect(again(10_999)).toMatchObject({ mode: { status: 'blocked' }, isHeldByOther: true });
      expect(again(11_000)).toMatchObject({ foreignPauseAtMs: 11_000, isHeldByOther: false });
    },
  );

  test('the first pause of a page that has just been opened is no repeated one (SYNC-24)', () => {
    const { state } = next(during(watching(), { foreignPauseAtMs: null }), 4000, {
      player: { phase: 'paused', positionSeconds: 4 },
    });
    expect(state).toMatchObject({ foreignPauseAtMs: 4000, isHeldByOther: false });
  });

  test('a pause before a scheduled start is not a foreign pause (SYNC-24)', () => {
    const ahead = { ...playingTimeline, revision: 4, positionSeconds: 90, atServerMs: offsetMs + 12_000 };
    const state = during(watching(), { timeline: ahead, foreignPauseAtMs: 9000 });
    const { state: after } = next(state, 10_250, { timeline: ahead, player: { phase: 'paused', positionSeconds: 90 } });
    expect(after).toMatchObject({ foreignPauseAtMs: 9000, isHeldByOther: false, mode: { status: 'cued' } });
  });

  test('one that plays again by itself is followed again (SYNC-24)', () => {
    const held = during({ status: 'blocked' }, { isHeldByOther: true, isWarm: false });
    const { state } = next(held, 10_250);
    expect(state).toMatchObject({ isHeldByOther: false, isWarm: true, mode: { status: 'watching' } });
  });

  test('it is warm only after playing its own track at the right position', () => {
    const cold = { isWarm: false, mayJump: true };
    const cued = { status: 'cued', sinceMs: 10_000, cueSeconds: 10, isSeek: true } as const;
    expect(next(during(cued, cold), 10_250).state.isWarm).toBe(false);
    expect(next(during(watching(), cold), 10_250).state.isWarm).toBe(true);
    const other = { ...playingTimeline, revision: 4, trackKey: 'b' };
    expect(next(during(watching(), cold), 10_250, { timeline: other }).state.isWarm).toBe(false);
  });
});

describe('a player that waits for data', () => {
  const stalled = { player: { phase: 'buffering', rate: 1.01 } } as const;
  const restored = [{ type: 'set-rate', rate: 1 }];

  test('has stalled from now on, at rate 1, and since then', () => {
    const { state, actions, wakeInMs } = next(during(watching()), 10_250, stalled);
    expect([state.mode, actions, wakeInMs]).toEqual([{ status: 'buffering', sinceMs: 10_250 }, restored, 40]);
    expect(next(state, 11_000, stalled)).toMatchObject({ actions: [], state: { mode: { sinceMs: 10_250 } } });
  });

  test('has stalled too when it was paused a moment ago, or has only been watched a moment', () => {
    const calm = watching({ after: 'nothing', sinceMs: 10_000 });
    for (const mode of [{ status: 'paused', sinceMs: 10_000 } as const, calm]) {
      expect(next(during(mode), 10_250, stalled).state.mode).toEqual({ status: 'buffering', sinceMs: 10_250 });
    }
  });

  test('is still starting for four and a half seconds after its play command', () => {
    const starting = { status: 'starting', sinceMs: 10_000, expectedBehindSeconds: 0, isResumption: false } as const;
    expect(next(during(starting), 14_499, stalled)).toMatchObject({ actions: [], state: { mode: starting } });
    expect(next(during(starting), 14_500, stalled).state.mode).toEqual({ status: 'buffering', sinceMs: 14_500 });
  });

  test.each<[string, Landing, object, number, string]>([
    ['is landing after a seek', { after: 'seek', sinceMs: 10_000, expectedBehindSeconds: 0 }, {}, 14_499, 'watching'],
    [
      'has not landed for too long',
      { after: 'seek', sinceMs: 10_000, expectedBehindSeconds: 0 },
      {},
      14_500,
      'buffering',
    ],
    [
      'had landed already',
      { after: 'seek', sinceMs: 10_000, expectedBehindSeconds: 0 },
      { readings: [reading] },
      10_250,
      'buffering',
    ],
    [
      'came back from a nudge',
      { after: 'nudge', sinceMs: 10_000, rate: 1.01, fromSeconds: 0 },
      {},
      10_250,
      'buffering',
    ],
  ])('one that %s', (_what, landing, change, nowMs, status) => {
    const { mode } = next(during(watching(landing, change)), nowMs, stalled).state;
    expect(mode.status).toBe(status);
    if (mode.status === 'watching') expect(mode).toMatchObject({ landing, trustFromMs: nowMs + 120 });
  });

  test.each([
    [250, false],
    [251, true],
  ])('after %i ms of standing still one seek is allowed: %s (SYNC-14)', (stalledMs, mayJump) => {
    const buffering = during({ status: 'buffering', sinceMs: 10_000 }, { mayJump: false });
    const { state } = next(buffering, 10_000 + stalledMs);
    expect(state).toMatchObject({ mayJump, hurryUntilMs: 12_500 + stalledMs, mode: { status: 'watching' } });
    expect(state.mode).toMatchObject({ landing: { after: 'start', expectedBehindSeconds: 0 } });
  });
});

describe('a player that plays', () => {
  test.each([
    [false, 'start'],
    [true, 'resume'],
  ])('after a start (where it was paused: %s) is watched as one after a %s', (isResumption, after) => {
    const starting = { status: 'starting', sinceMs: 9900, expectedBehindSeconds: 0.02, isResumption } as const;
    const { state, wakeInMs } = next(during(starting), 10_000);
    const landing = { after, sinceMs: 9900, expectedBehindSeconds: 0.02 };
    expect(state).toMatchObject({ hurryUntilMs: 12_500, mode: { status: 'watching', readings: [], landing } });
    expect([state.mode, wakeInMs]).toMatchObject([{ trustFromMs: 10_120 }, 40]);
  });

  test('that was moved and has not reported it yet is waited for', () => {
    const cued = { status: 'cued', sinceMs: 10_000, cueSeconds: 10.5, isSeek: true } as const;
    const { state, actions, wakeInMs } = next(during(cued), 10_250, { player: { positionSeconds: 3 } });
    expect([state.mode, actions, wakeInMs]).toEqual([cued, [], 40]);
    const loaded = { ...cued, status: 'loading' } as const;
    expect(next(during(loaded), 10_250).state.mode.status).toBe('watching');
  });

  test('again after a pause has not stalled, however long that was (SYNC-14)', () => {
    const stood = during({ status: 'paused', sinceMs: 3000 }, { mayJump: false });
    expect(next(stood, 10_250).state).toMatchObject({ mayJump: false, mode: { status: 'watching' } });
  });

  const ahead = { ...playingTimeline, revision: 4, positionSeconds: 91, atServerMs: offsetMs + 10_350 };

  test('a fine one is cued where the music will go on', () => {
    const { actions } = next(during(watching()), 10_250, { timeline: ahead });
    expect(actions).toMatchObject([{ type: 'pause' }, { type: 'seek' }]);
  });

  test('a coarse one only beyond its tolerance; within it the burst comes when the music is there', () => {
    const far = next(during(watching()), 10_250, { ...coarse, timeline: ahead });
    expect(far.actions).toMatchObject([{ type: 'pause' }, { type: 'seek' }]);
    const near = { ...ahead, positionSeconds: 11.5 };
    const waits = next(during(watching()), 10_250, { ...coarse, timeline: near });
    expect([waits.actions, waits.wakeInMs]).toEqual([[], 100]);
    expect(waits.state.mode).toEqual(watching({ after: 'nothing', sinceMs: 10_250 }, { trustFromMs: 10_250 }));
    const late = { ...near, atServerMs: offsetMs + 11_000 };
    expect(next(during(watching()), 10_250, { ...coarse, timeline: late }).wakeInMs).toBe(250);
  });

  test('a coarse one goes on playing until then, so that it is as far off then as it is now (SYNC-20)', () => {
    const later = { ...playingTimeline, revision: 4, atServerMs: offsetMs + 11_050 };
    // It is at 10.25 s now and will be at 11.05 s.
    const goesOnAt = (positionSeconds: number) =>
      next(during(watching()), 10_250, { ...coarse, timeline: { ...later, positionSeconds } }).actions;
    expect([goesOnAt(11.05 + 1.9), goesOnAt(11.05 - 1.9)]).toEqual([[], []]);
    const cued = [{ type: 'pause' }, { type: 'seek' }];
    expect([goesOnAt(11.05 + 2.1), goesOnAt(11.05 - 2.1)]).toMatchObject([cued, cued]);
  });

  test('one that was started a little early is on the line already', () => {
    const onLine = { ...playingTimeline, revision: 4, positionSeconds: 10.35, atServerMs: offsetMs + 10_350 };
    expect(next(during(watching()), 10_250, { timeline: onLine })).toMatchObject({
      actions: [],
      state: { mode: { status: 'watching' } },
    });
  });

  test('a nudge is given up for a seek when the drift has become too large for it (SYNC-14)', () => {
    const lost = next(during(nudging, { mayJump: true }), 10_250, behindBy(1, { player: { rate: 1.01 } })(10_250));
    expect(lost.actions).toMatchObject([{ type: 'set-rate', rate: 1 }, { type: 'seek' }]);
    const slight = next(during(nudging), 10_250, behindBy(0.01, { player: { rate: 1.01 } })(10_250));
    expect([slight.actions, slight.state.mode.status]).toEqual([[], 'nudging']);
  });
});

describe('changes of the clock and of the timeline', () => {
  const known = during(watching(undefined, { readings: [reading] }), { mayJump: false, failedNudges: 2 });

  test.each([
    [119, false],
    [120, true],
    [-120, true],
  ])('a step of %i ms of the clock allows one seek: %s', (byMs, mayJump) => {
    const { state } = next(known, 10_250, {
      serverMs: offsetMs + 10_250 + byMs,
      player: { positionSeconds: 10.25 + byMs / 1000 },
    });
    expect([state.clockOffsetMs, state.failedNudges === 0]).toEqual([offsetMs + byMs, mayJump]);
  });

  test('a clock that is not known is no step', () => {
    const { state } = next(known, 10_250, { serverMs: offsetMs, isClockSynced: false });
    expect(state).toMatchObject({ clockOffsetMs: offsetMs, mayJump: false, mode: { status: 'waiting-for-clock' } });
  });

  test('a timeline that goes on along the same line leaves everything as it is (SYNC-22)', () => {
    const same = { ...playingTimeline, revision: 4, positionSeconds: 10.1, atServerMs: offsetMs + 10_100 };
    const { state } = next({ ...known, foreignPauseAtMs: 500 }, 10_250, { timeline: same });
    expect(state).toMatchObject({ timeline: same, isContinuation: true, mayJump: false, foreignPauseAtMs: 500 });
    expect(state.mode).toMatchObject({ readings: [reading, { atMs: 10_250 }] });
    const again = { ...same, revision: 5, positionSeconds: 20, atServerMs: offsetMs + 20_000 };
    expect(next(state, 10_500, { timeline: again }).state).toMatchObject({ timeline: again, isContinuation: true });
  });

  test('one along the line of a start that has not come yet starts anew', () => {
    const early = { ...playingTimeline, atServerMs: offsetMs + 20_000, positionSeconds: 20 };
    const same = { ...early, revision: 4, atServerMs: offsetMs + 21_000, positionSeconds: 21 };
    const { state } = next(during(watching(), { timeline: early }), 10_250, { timeline: same });
    expect(state).toMatchObject({ isContinuation: false, mayJump: true });
  });

  test.each([watching(undefined, { readings: [reading] }), nudging])(
    'one that moves the music discards the readings while $status',
    (mode) => {
      const moved = { ...playingTimeline, revision: 4, positionSeconds: 0.01 };
      const spent = { mayJump: false, lastSeek: { atMs: 9000, refractoryMs: 8000 }, foreignPauseAtMs: 9000 };
      const { state } = next(during(mode, spent), 10_250, { timeline: moved });
      expect(state).toMatchObject({ mayJump: true, lastSeek: null, foreignPauseAtMs: null, isContinuation: false });
      expect(state.mode).toMatchObject({
        status: 'watching',
        readings: [{ atMs: 10_250 }],
        landing: { after: 'nothing' },
      });
    },
  );

  test('a player that does not play yet keeps its mode', () => {
    const moved = { ...paused, revision: 5, positionSeconds: 20.1 };
    const standing = underPause({ status: 'paused', sinceMs: 3000 });
    const { mode } = next(standing, 10_250, {
      timeline: moved,
      player: { phase: 'paused', positionSeconds: 20 },
    }).state;
    expect(mode).toEqual({ status: 'paused', sinceMs: 3000 });
  });
});

describe('commands of the listener', () => {
  test('’Resync’ discards readings and failed nudges, and allows one seek (SYNC-14)', () => {
    const tired = { mayJump: false, failedNudges: 2, noNudgesUntilMs: 99_000 };
    const fresh = { mayJump: true, failedNudges: 0, noNudgesUntilMs: Number.NEGATIVE_INFINITY };
    const judged = allowJump(during(watching(undefined, { readings: [reading] }), tired), 10_250);
    expect(judged).toMatchObject({ ...fresh, mode: { readings: [], landing: { after: 'nothing', sinceMs: 10_250 } } });
    const busy = { ...nudging, readings: [reading] };
    const nudged = allowJump(during(busy, tired), 10_250);
    expect(nudged).toMatchObject(fresh);
    expect(nudged.mode).toEqual(busy);
  });

  test('a tap plays at once, and moves first only what is far off (SYNC-23)', () => {
    const held = during({ status: 'blocked' }, { mayJump: false, foreignPauseAtMs: 9000, isHeldByOther: true });
    const tap = (positionSeconds: number, change: Change = {}) =>
      startByTap(held, inputAt(10_000, { player: { phase: 'paused', positionSeconds }, ...change }));
    const near = tap(10.1);
    expect(near.actions).toEqual([{ type: 'play' }]);
    expect(near.state).toMatchObject({ mayJump: true, foreignPauseAtMs: null, isHeldByOther: false });
    expect([near.state.mode, near.wakeInMs]).toMatchObject([{ status: 'starting', sinceMs: 10_000 }, 40]);
    const latency = media.resumeLatencySeconds;
    const target = expect.closeTo(10 + latency, 6) as number;
    expect(tap(4).actions).toEqual([{ type: 'seek', positionSeconds: target }, { type: 'play' }]);
    const stopped = tap(4, { timeline: paused });
    expect([stopped.actions, stopped.state.mode]).toEqual([[{ type: 'play' }], { status: 'idle' }]);
  });
});
