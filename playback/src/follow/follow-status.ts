/**
 * What a person may know about their own player: the ± ms badge, its state, and how much it had to be corrected.
 * Only describes; decides nothing.
 */
import { behindSeconds, smoothed } from './drift.ts';
import type { FollowInput, FollowerState } from './follower-state.ts';
import type { PlayerErrorCode } from './player.ts';

/** What a listener's player is doing, in the words of the room. */
export type FollowStatusName =
  | 'idle'
  | 'waiting-for-clock'
  | 'loading'
  | 'cued'
  | 'playing'
  | 'correcting'
  | 'buffering'
  | 'paused'
  | 'blocked'
  /** Paused on this device while the room plays. */
  | 'held'
  | 'ended'
  | 'failed';

/** The state of following, for the badge and for tests. Times in milliseconds. */
export interface FollowStatus {
  readonly status: FollowStatusName;
  /** The revision that is being followed; -1 before the first. */
  readonly revision: number;
  /** Player minus timeline at the last look, positive when ahead; null while it does not play. */
  readonly driftMs: number | null;
  /** The same over several looks: what the badge shows. */
  readonly smoothedDriftMs: number | null;
  /** Whether the player plays a live stream, as far as it knows. */
  readonly isLive: boolean;
  /** True where the sound may be elsewhere than the player's position says. */
  readonly isInexact: boolean;
  /** How well server time is known. */
  readonly uncertaintyMs: number;
  /** Seeks and rate changes since the beginning. */
  readonly seeks: number;
  readonly rateChanges: number;
  /** Why the track cannot be played here; null otherwise. */
  readonly errorCode: PlayerErrorCode | null;
}

/** Counts of what was done to the player. */
export interface Counters {
  readonly seeks: number;
  readonly rateChanges: number;
}

/** Describes a follower after a decision. */
export function describe(
  input: FollowInput,
  state: FollowerState,
  counters: Counters,
  uncertaintyMs: number,
  errorCode: PlayerErrorCode | null,
): FollowStatus {
  const { mode } = state;
  const isRunning = mode.status === 'watching' || mode.status === 'nudging';
  const readings = isRunning ? mode.readings : [];
  const closing = mode.status === 'nudging' ? mode.rate - 1 : 0;
  return {
    status: nameOf(mode),
    revision: state.timeline?.revision ?? -1,
    driftMs: isRunning ? -behindSeconds(input) * 1000 : null,
    smoothedDriftMs: readings.length === 0 ? null : -smoothed(readings, input.nowMs, closing) * 1000,
    isLive: (input.player.liveEdgeSeconds ?? null) !== null,
    isInexact: input.player.isInexact ?? false,
    uncertaintyMs,
    ...counters,
    errorCode,
  };
}

function nameOf(mode: FollowerState['mode']): FollowStatusName {
  if (mode.status === 'watching') return mode.landing.after === 'nothing' ? 'playing' : 'correcting';
  if (mode.status === 'nudging') return 'correcting';
  return mode.status === 'starting' ? 'cued' : mode.status;
}
