/** Single decisions that start a paused player. */
import { describe, expect, test } from 'vitest';
import { type Change, inputAt, offsetMs, playingTimeline } from '../../testing/follow-example.ts';
import { type FollowerMode, type FollowerState, initialFollower } from './follower-state.ts';
import { mediaElementCapabilities as media, youtubeCapabilities as youtube } from './player.ts';
import { follow } from './follower.ts';
import { cueAhead, cueTarget, startOnTime } from './start-on-time.ts';

const coarse = { capabilities: youtube, seekToleranceSeconds: 2 };
const standing = (mode: FollowerMode, change: Partial<FollowerState> = {}): FollowerState => ({
  ...initialFollower,
  timeline: playingTimeline,
  loadedKey: 'a',
  mayJump: true,
  ...change,
  mode,
});
/** The player stands at a position, at local time 10 s: the music is at 10 s as well. */
const at = (positionSeconds: number, change: Change = {}, nowMs = 10_000) =>
  inputAt(nowMs, { ...change, player: { phase: 'paused', positionSeconds, ...change.player } });
const idle = standing({ status: 'idle' });
const play = [{ type: 'play' }];
/** What a fine player needs from a seek on until it sounds, and some slack. */
const cueLeadSeconds = 0.12 + media.startLatencySeconds + 0.05;

describe('a player after its play command', () => {
  const starting = { status: 'starting', sinceMs: 5501, expectedBehindSeconds: 0, isResumption: false } as const;

  test('gets no second one for four and a half seconds, however late it is', () => {
    expect(startOnTime(standing(starting), at(3))).toMatchObject({
      actions: [],
      wakeInMs: 40,
      state: { mode: starting },
    });
    expect(startOnTime(standing({ ...starting, sinceMs: 5500 }), at(10.07)).actions).toEqual(play);
  });
});

describe('a player that stands ahead of the music', () => {
  test('waits until the music comes, looking a few times a second (SYNC-3)', () => {
    const far = startOnTime(idle, at(10.3));
    expect(far).toMatchObject({ actions: [], wakeInMs: expect.closeTo(205, 6) as number });
    expect(far.state.mode).toEqual({ status: 'cued', sinceMs: 10_000, cueSeconds: 10.3, isSeek: false });
    expect(
      startOnTime(standing({ status: 'cued', sinceMs: 9000, cueSeconds: 12, isSeek: true }), at(12)).wakeInMs,
    ).toBe(250);
  });

  test('is cued back when it stands much too far ahead, unless it was put there (SYNC-11)', () => {
    const back = startOnTime(idle, at(10.34));
    expect(back.actions).toEqual([{ type: 'seek', positionSeconds: expect.closeTo(10 + cueLeadSeconds, 6) }]);
    expect(startOnTime(idle, at(10.32)).actions).toEqual([]);
    const cued = { status: 'cued', sinceMs: 5000, cueSeconds: 15, isSeek: false } as const;
    expect(startOnTime(standing(cued), at(15))).toMatchObject({ actions: [], state: { mode: cued } });
    expect(startOnTime(standing({ status: 'idle' }, { mayJump: false }), at(11.4)).actions).toEqual([]);
  });

  test.each(['loading', 'cued'] as const)(
    'and was put there for a line that the host has left, is cued back at once, wherever the seek was (%s) (SYNC-11)',
    (status) => {
      const cue = { sinceMs: 9900, cueSeconds: 30, isSeek: true } as const;
      const before = standing({ status, ...cue }, { timeline: { ...playingTimeline, positionSeconds: 20 } });
      const timeline = { ...playingTimeline, revision: 4 };
      const player = { phase: status === 'loading' ? 'loading' : 'ended', positionSeconds: 30 } as const;
      let step = follow(before, inputAt(10_000, { timeline, player }));
      if (status === 'loading')
        step = follow(step.state, inputAt(10_050, { timeline, player: { ...player, phase: 'ended' } }));
      expect(step.actions).toEqual([{ type: 'seek', positionSeconds: expect.closeTo(10.2, 0) as number }]);
      expect(step.state.mode).toMatchObject({ status: 'cued', isSeek: true });
    },
  );

  test('before a start that lies ahead it stands right where that begins (SYNC-3)', () => {
    const ahead = { ...playingTimeline, positionSeconds: 90, atServerMs: offsetMs + 12_000 };
    const state = standing({ status: 'idle' }, { timeline: ahead });
    expect(startOnTime(state, at(90, { timeline: ahead })).actions).toEqual([]);
    expect(startOnTime(state, at(90.34, { timeline: ahead })).actions).toEqual([{ type: 'seek', positionSeconds: 90 }]);
  });
});

describe('a player that stands behind the music', () => {
  test('is played at once when little is missing, with the expected drift (SYNC-14)', () => {
    const { state, actions, wakeInMs } = startOnTime(idle, at(10.065, { player: { rate: 1.01 } }));
    expect(actions).toEqual([{ type: 'set-rate', rate: 1 }, ...play]);
    expect(state.mode).toMatchObject({ status: 'starting', sinceMs: 10_000, isResumption: false });
    expect(state.mode).toMatchObject({ expectedBehindSeconds: expect.closeTo(0.03, 6) as number });
    expect(wakeInMs).toBe(40);
  });

  test('is cued ahead when more than that is missing and a seek is allowed (SYNC-11)', () => {
    expect(startOnTime(idle, at(10.055)).actions).toEqual([
      { type: 'seek', positionSeconds: expect.closeTo(10 + cueLeadSeconds, 6) },
    ]);
    expect(startOnTime(standing({ status: 'idle' }, { mayJump: false }), at(9.9)).actions).toEqual(play);
  });

  test('a coarse one is left to a burst inside its tolerance (SYNC-20)', () => {
    const latency = youtube.startLatencySeconds;
    expect(startOnTime(idle, at(8.1 + latency, coarse)).actions).toEqual(play);
    expect(startOnTime(idle, at(7.9 + latency, coarse)).actions).toMatchObject([{ type: 'seek' }]);
  });
});

describe('a player that was moved', () => {
  const moved = { status: 'cued', sinceMs: 9301, cueSeconds: 10.2, isSeek: true } as const;

  test('counts as being at the new position for a while, though it still reports the old one', () => {
    expect(startOnTime(standing(moved), at(3))).toMatchObject({ actions: [], state: { mode: moved } });
    expect(startOnTime(standing({ ...moved, sinceMs: 9300 }), at(3)).actions).toMatchObject([{ type: 'seek' }]);
    expect(startOnTime(standing({ ...moved, isSeek: false }), at(3)).actions).toMatchObject([{ type: 'seek' }]);
    const starting = { status: 'starting', sinceMs: 1, expectedBehindSeconds: 0, isResumption: false } as const;
    expect(startOnTime(standing(starting), at(9.99)).actions).toMatchObject([{ type: 'seek' }]);
  });

  test('is paused first when it still plays, and has to warm up again', () => {
    const decision = cueAhead(standing({ status: 'idle' }, { isWarm: true }), at(3, { player: { phase: 'playing' } }));
    expect(decision.actions).toMatchObject([{ type: 'pause' }, { type: 'seek' }]);
    expect(decision.state).toMatchObject({ isWarm: false, mayJump: false, lastSeek: { atMs: 10_000 } });
    expect(decision.wakeInMs).toBe(0);
  });
});

describe('where a player is cued to', () => {
  test('under a paused timeline: where that stands, and as much later as the device is heard late', () => {
    const paused = { ...playingTimeline, isPlaying: false, positionSeconds: 20 };
    expect(cueTarget(idle, at(0, { timeline: paused, deviceOffsetSeconds: 0.2 }), 5)).toBeCloseTo(20.2, 9);
  });

  test('before a start: where that begins, which this device reaches as much earlier as it is heard late', () => {
    const soon = { ...playingTimeline, positionSeconds: 20, atServerMs: offsetMs + 12_000 };
    const cuedAt = (deviceOffsetSeconds: number) =>
      cueTarget(idle, at(0, { timeline: soon, deviceOffsetSeconds }), 0.3);
    expect([cuedAt(0.2), cuedAt(0), cuedAt(-0.2)]).toEqual([20, 20, 20].map((seconds) => expect.closeTo(seconds, 9)));
    // A line that has begun begins no more, and neither does one that only goes on.
    const goesOn = standing({ status: 'idle' }, { isContinuation: true });
    expect(cueTarget(goesOn, at(0, { deviceOffsetSeconds: -0.5 }), 0.3)).toBeCloseTo(9.8, 9);
  });

  test('never behind the end of the track, and as far as the music gets where that is not known', () => {
    const soon = { player: { durationSeconds: 12 } };
    expect(cueTarget(idle, at(0, soon), 5)).toBe(12);
    expect(cueTarget(idle, at(0, { player: { durationSeconds: null } }), 5)).toBeCloseTo(15, 9);
  });
});
