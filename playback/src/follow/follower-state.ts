/**
 * What a follower reads, remembers and may ask of its player; how far its player is off, and how that is described.
 * Local times are monotonic milliseconds; positions and latencies are seconds.
 * `behind` is how far the player is behind the timeline; negative when it is ahead.
 */
import type { Timeline } from '../room/timeline.ts';
import { initialLearned, type Learned, median } from './learned.ts';
import type { PlayerCapabilities, PlayerErrorCode, PlayerSnapshot } from './player.ts';

/** Everything a decision depends on, read in one task. */
export interface FollowInput {
  readonly nowMs: number;
  readonly serverMs: number;
  readonly isClockSynced: boolean;
  readonly timeline: Timeline;
  readonly player: PlayerSnapshot;
  readonly capabilities: PlayerCapabilities;
  readonly seekToleranceSeconds: number;
  /** How much later than others this device is heard, in seconds. */
  readonly deviceOffsetSeconds: number;
  /** True while the browser refuses to play without a tap. */
  readonly isBlocked: boolean;
  /** Why the player failed; null while it has not, or since it could play again. */
  readonly errorCode: PlayerErrorCode | null;
  /** How late timers have been waking up recently; large in a background tab. */
  readonly wakeLatenessMs: number;
}

/** What the follower asks of its player. */
export type FollowAction =
  | {
      readonly type: 'load';
      readonly trackKey: string;
      readonly startSeconds: number;
      /** The track before it is about to end, and may be heard until then. */
      readonly followsOn?: true;
    }
  | { readonly type: 'unload' }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'seek'; readonly positionSeconds: number }
  | { readonly type: 'set-rate'; readonly rate: number };

/** One look at the drift. */
export interface Reading {
  readonly atMs: number;
  readonly behindSeconds: number;
}

/** What the player was last made to do while playing, whose cost is still to be learned from the next readings. */
export type Landing =
  | { readonly after: 'start' | 'resume' | 'seek'; readonly sinceMs: number; readonly expectedBehindSeconds: number }
  | { readonly after: 'nudge'; readonly sinceMs: number; readonly rate: number; readonly fromSeconds: number }
  | { readonly after: 'nothing'; readonly sinceMs: number };

/** Where a player that stands still was put, and when. */
interface Cue {
  readonly sinceMs: number;
  readonly cueSeconds: number;
  readonly isSeek: boolean;
  /** The track was loaded ahead, so that how soon it is ready teaches nothing about loading. */
  readonly isPrepared?: true;
}

/** What a follower is in the middle of. */
export type FollowerMode =
  | { readonly status: 'idle' }
  | { readonly status: 'waiting-for-clock' }
  | ({ readonly status: 'loading' } & Cue)
  | ({ readonly status: 'cued' } & Cue)
  | { readonly status: 'paused'; readonly sinceMs: number }
  | {
      readonly status: 'starting';
      readonly sinceMs: number;
      readonly expectedBehindSeconds: number;
      /** Where it had been paused. */
      readonly isResumption: boolean;
    }
  | {
      readonly status: 'watching';
      readonly readings: readonly Reading[];
      /** Readings before this are not trusted. */
      readonly trustFromMs: number;
      readonly landing: Landing;
    }
  | {
      readonly status: 'nudging';
      readonly rate: number;
      readonly sinceMs: number;
      readonly endAtMs: number;
      /** It ends by then, whatever the readings say. */
      readonly latestEndMs: number;
      readonly trustFromMs: number;
      readonly readings: readonly Reading[];
      /** Drift when the nudge began. */
      readonly fromSeconds: number;
    }
  | { readonly status: 'buffering'; readonly sinceMs: number }
  | { readonly status: 'blocked' }
  | { readonly status: 'ended' }
  /** Null for a failure that trying again would not mend. */
  | { readonly status: 'failed'; readonly retryAtMs: number | null };

/** What a follower remembers from one decision to the next. */
export interface FollowerState {
  /** The timeline last followed. */
  readonly timeline: Timeline | null;
  /** Server time minus local time at the last look; null while the clock is unknown. */
  readonly clockOffsetMs: number | null;
  /** True when that timeline only continued the one before it: then nothing starts afresh at its time. */
  readonly isContinuation: boolean;
  /** The track that the player was told to load. */
  readonly loadedKey: string | null;
  readonly mode: FollowerMode;
  /** It has played since it was last loaded or moved, so it goes on at once. */
  readonly isWarm: boolean;
  readonly learned: Learned;
  /** One seek inside the tolerance is allowed: a start, a jump or a stall just happened. */
  readonly mayJump: boolean;
  /** When the last corrective seek was, and how long the next must wait. */
  readonly lastSeek: { readonly atMs: number; readonly refractoryMs: number } | null;
  /** Until then nudges are quick: a start or a seek has just happened (local milliseconds). */
  readonly hurryUntilMs: number;
  /** How often in a row this track could not be fetched. */
  readonly unfetched: { readonly trackKey: string | null; readonly failures: number } | null;
  /** How many nudges in a row have left this player no better. */
  readonly failedNudges: number;
  /** Until then it is not nudged, because too many have (local milliseconds). */
  readonly noNudgesUntilMs: number;
  /** The player reads back another rate than it was given. */
  readonly refusesRates: boolean;
  /** When something else last paused the player. */
  readonly foreignPauseAtMs: number | null;
  /** Something else keeps pausing the player: it is left alone until a tap, a new track, or until it plays again. */
  readonly isHeldByOther: boolean;
}

/** A follower that knows nothing yet. */
export const initialFollower: FollowerState = {
  timeline: null,
  clockOffsetMs: null,
  isContinuation: false,
  loadedKey: null,
  mode: { status: 'idle' },
  isWarm: false,
  learned: initialLearned,
  mayJump: false,
  lastSeek: null,
  hurryUntilMs: Number.NEGATIVE_INFINITY,
  unfetched: null,
  failedNudges: 0,
  noNudgesUntilMs: Number.NEGATIVE_INFINITY,
  refusesRates: false,
  foreignPauseAtMs: null,
  isHeldByOther: false,
};

/** A decision: the new state, what to ask of the player (in order), and when to look again at the latest. */
export interface FollowDecision {
  readonly state: FollowerState;
  readonly actions: readonly FollowAction[];
  readonly wakeInMs: number;
}

/** A decision in the given mode. */
export function enter(
  state: FollowerState,
  mode: FollowerMode,
  wakeInMs: number,
  actions: readonly FollowAction[] = [],
): FollowDecision {
  return { state: { ...state, mode }, actions, wakeInMs: Math.max(0, wakeInMs) };
}

/** The action that brings a player back to rate 1, if it is not there. */
export function restoreRate(input: FollowInput): readonly FollowAction[] {
  return input.player.rate === 1 ? [] : [{ type: 'set-rate', rate: 1 }];
}

/** Rates do not help this player: it refuses them, or its nudges have just left it no better. */
export function hasGivenUp({ refusesRates, noNudgesUntilMs }: FollowerState, nowMs: number): boolean {
  return refusesRates || nowMs < noNudgesUntilMs;
}

// Drift: where the player should be, and how far behind it is. One reading is never trusted alone; the median of several is.

/** The straight line of a playing timeline at a moment of server time: before its start it lies before its position. */
export function lineAt(input: FollowInput, serverMs: number): number {
  const { timeline, deviceOffsetSeconds } = input;
  return timeline.positionSeconds + (serverMs - timeline.atServerMs) / 1000 + deviceOffsetSeconds;
}

/** Milliseconds until a playing timeline starts; zero or less once it has, or when it only continues another. */
export function startsInMs(state: FollowerState, input: FollowInput): number {
  return state.isContinuation ? 0 : input.timeline.atServerMs - input.serverMs;
}

/** The same for this device's player alone, which starts as much earlier as it is heard late. */
export function ownStartInMs(state: FollowerState, input: FollowInput): number {
  return state.isContinuation ? 0 : startsInMs(state, input) - input.deviceOffsetSeconds * 1000;
}

/** How far the player is behind a playing timeline, in seconds; negative when it is ahead. */
export function behindSeconds(input: FollowInput): number {
  return lineAt(input, input.serverMs) - input.player.positionSeconds;
}

/** Adds a reading, keeping the newest `keep`. */
export function withReading(readings: readonly Reading[], reading: Reading, keep: number): readonly Reading[] {
  return [...readings, reading].slice(-keep);
}

/**
 * The drift at `atMs`: the median of the readings, each carried forward by what the player's speed changes per
 * second (`closingPerSecond`: positive while it catches up).
 */
export function smoothed(readings: readonly Reading[], atMs: number, closingPerSecond = 0): number {
  return median(readings.map((reading) => reading.behindSeconds - (closingPerSecond * (atMs - reading.atMs)) / 1000));
}

// Status: what the listener sees of the follower (the ± ms badge), and what tests read.

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
