/** Which track changes let the playing track play to its end. */
import { describe, expect, test } from 'vitest';
import { followerInStep, inputAt, offsetMs, playingTimeline } from '../sim/follow-example.ts';
import type { FollowerState } from './follower-state.ts';
import { follow } from './follower.ts';
import { initialLearned, learn } from './learned.ts';
import { mediaElementCapabilities as media, type PlayerPhase } from './player.ts';
import type { Timeline } from '../room/timeline.ts';

/** It is local time 10.25 s, and track "b" begins three quarters of a second later. */
const soon: Timeline = { ...playingTimeline, revision: 4, trackKey: 'b', atServerMs: offsetMs + 11_000 };
const hear = (
  change: Partial<Timeline>,
  phase: PlayerPhase = 'playing',
  state: FollowerState = followerInStep(),
  nowMs = 10_250,
) => follow(state, inputAt(nowMs, { timeline: { ...soon, ...change }, player: { phase } }));

describe('the next track', () => {
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
