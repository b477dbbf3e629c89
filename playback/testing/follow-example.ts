/**
 * Examples for tests: a player in sync under a playing timeline, which a test changes in one respect, and runs of its
 * follower.
 */
import {
  type FollowDecision,
  type FollowerState,
  type FollowInput,
  initialFollower,
} from '../src/follow/follower-state.ts';
import { follow } from '../src/follow/follower.ts';
import { mediaElementCapabilities, type PlayerSnapshot } from '../src/follow/player.ts';
import type { Timeline } from '../src/room/timeline.ts';

/** Server time minus local time in all examples. */
export const offsetMs = 1_800_000_000_000;

/** Plays track "a"; was at its beginning at local time 0. */
export const playingTimeline: Timeline = {
  revision: 3,
  trackKey: 'a',
  isPlaying: true,
  positionSeconds: 0,
  atServerMs: offsetMs,
};

export const playingSnapshot: PlayerSnapshot = {
  phase: 'playing',
  positionSeconds: 0,
  rate: 1,
  durationSeconds: 600,
  bufferedUntilSeconds: null,
};

export type Change = Partial<Omit<FollowInput, 'player'>> & { readonly player?: Partial<PlayerSnapshot> };

/** An input at a local time: the player exactly on the line, unless changed. */
export function inputAt(nowMs: number, change: Change = {}): FollowInput {
  const { player, ...rest } = change;
  return {
    nowMs,
    serverMs: nowMs + offsetMs,
    isClockSynced: true,
    timeline: playingTimeline,
    capabilities: mediaElementCapabilities,
    seekToleranceSeconds: 1.5,
    deviceOffsetSeconds: 0,
    isBlocked: false,
    errorCode: null,
    wakeLatenessMs: 0,
    ...rest,
    player: { ...playingSnapshot, positionSeconds: nowMs / 1000, ...player },
  };
}

/** A follower that has played in sync for a while, at local time 10 s. */
export function followerInStep(change: Change = {}): FollowerState {
  let state: FollowerState = { ...initialFollower, timeline: playingTimeline, loadedKey: 'a' };
  for (let nowMs = 5000; nowMs <= 10_000; nowMs += 250) state = follow(state, inputAt(nowMs, change)).state;
  return state;
}

/** Runs a follower from `fromMs` until it acts or `untilMs` has come. */
export function runUntilAction(
  state: FollowerState,
  fromMs: number,
  untilMs: number,
  changeAt: (nowMs: number) => Change,
): FollowDecision & { readonly atMs: number } {
  let nowMs = fromMs;
  for (;;) {
    const decision = follow(state, inputAt(nowMs, changeAt(nowMs)));
    if (decision.actions.length > 0 || nowMs >= untilMs) return { ...decision, atMs: nowMs };
    state = decision.state;
    nowMs += Math.max(1, decision.wakeInMs);
  }
}

/** The same player, behind the line by a constant drift. */
export function behindBy(behindSeconds: number, change: Change = {}): (nowMs: number) => Change {
  return (nowMs) => ({ ...change, player: { ...change.player, positionSeconds: nowMs / 1000 - behindSeconds } });
}
