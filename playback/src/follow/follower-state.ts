/**
 * The input, state and commands of a follower; the drift of its player, and the status that the page shows.
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
  /** The last error; null when there was none, or once the player could play again. */
  readonly errorCode: PlayerErrorCode | null;
  /** How late timers have recently fired; large in a background tab. */
  readonly wakeLatenessMs: number;
}

/** Commands of the follower to its player. */
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

export interface Reading {
  readonly atMs: number;
  readonly behindSeconds: number;
}

/** The last action on a playing player, whose latency the next readings will show. */
export type Landing =
  | { readonly after: 'start' | 'resume' | 'seek'; readonly sinceMs: number; readonly expectedBehindSeconds: number }
  | { readonly after: 'nudge'; readonly sinceMs: number; readonly rate: number; readonly fromSeconds: number }
  | { readonly after: 'nothing'; readonly sinceMs: number };

/** The position to which a paused player was cued. */
interface Cue {
  readonly sinceMs: number;
  readonly cueSeconds: number;
  readonly isSeek: boolean;
  /** The track was loaded ahead, so that its readiness says nothing about load times. */
  readonly isPrepared?: true;
  /** The host has moved the music since: waiting there may take as long as the music needs to get there. */
  readonly isOutdated?: true;
}

/** The current activity of a follower. */
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
      /** The start resumes after a pause. */
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
      /** The nudge ends by then, whatever the readings. */
      readonly latestEndMs: number;
      readonly trustFromMs: number;
      readonly readings: readonly Reading[];
      /** Drift when the nudge began. */
      readonly fromSeconds: number;
    }
  | { readonly status: 'buffering'; readonly sinceMs: number }
  | { readonly status: 'blocked' }
  | { readonly status: 'ended' }
  /** Null for a failure that a retry would not fix. */
  | { readonly status: 'failed'; readonly retryAtMs: number | null };

/** A follower's state between decisions. */
export interface FollowerState {
  /** The timeline last followed. */
  readonly timeline: Timeline | null;
  /** Server time minus local time at the last look; null while the clock is unknown. */
  readonly clockOffsetMs: number | null;
  /** True when that timeline only continued the previous one: then nothing restarts at its time. */
  readonly isContinuation: boolean;
  /** The track that the player was last given to load. */
  readonly loadedKey: string | null;
  readonly mode: FollowerMode;
  /** It has played since the last load or seek, so a start is immediate. */
  readonly isWarm: boolean;
  readonly learned: Learned;
  /** One seek inside the tolerance is allowed: a start, a jump or a stall just happened. */
  readonly mayJump: boolean;
  /** The last corrective seek, and the shortest time until the next. */
  readonly lastSeek: { readonly atMs: number; readonly refractoryMs: number } | null;
  /** Local time (ms) until which nudges are hurried, after a start or a seek. */
  readonly hurryUntilMs: number;
  /** Consecutive failures to fetch this track. */
  readonly unfetched: { readonly trackKey: string | null; readonly failures: number } | null;
  /** Consecutive nudges that did not help. */
  readonly failedNudges: number;
  /** Local time (ms) until which nudges are paused after repeated failures. */
  readonly noNudgesUntilMs: number;
  /** The player reads back another rate than it was given. */
  readonly refusesRates: boolean;
  /** When something else last paused the player. */
  readonly foreignPauseAtMs: number | null;
  /** Something else keeps pausing the player: it is not started until a tap, a new track, or until it plays again. */
  readonly isHeldByOther: boolean;
}

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

/** The new state, the commands to the player (in order), and the longest time until the next look. */
export interface FollowDecision {
  readonly state: FollowerState;
  readonly actions: readonly FollowAction[];
  readonly wakeInMs: number;
}

export function enter(
  state: FollowerState,
  mode: FollowerMode,
  wakeInMs: number,
  actions: readonly FollowAction[] = [],
): FollowDecision {
  return { state: { ...state, mode }, actions, wakeInMs: Math.max(0, wakeInMs) };
}

export function restoreRate(input: FollowInput): readonly FollowAction[] {
  return input.player.rate === 1 ? [] : [{ type: 'set-rate', rate: 1 }];
}

/** Rates do not help this player: it refuses them, or recent nudges failed. */
export function hasGivenUp({ refusesRates, noNudgesUntilMs }: FollowerState, nowMs: number): boolean {
  return refusesRates || nowMs < noNudgesUntilMs;
}

// Drift. One reading is never trusted alone; the median of several is.

/** The position of a playing timeline as a straight line over server time, continued before its start. */
export function lineAt(input: FollowInput, serverMs: number): number {
  const { timeline, deviceOffsetSeconds } = input;
  return timeline.positionSeconds + (serverMs - timeline.atServerMs) / 1000 + deviceOffsetSeconds;
}

/** Milliseconds until a playing timeline starts; zero or less once it has, or when it only continues another. */
export function startsInMs(state: FollowerState, input: FollowInput): number {
  return state.isContinuation ? 0 : input.timeline.atServerMs - input.serverMs;
}

/** The same for this device's player, which starts earlier by its offset. */
export function ownStartInMs(state: FollowerState, input: FollowInput): number {
  return state.isContinuation ? 0 : startsInMs(state, input) - input.deviceOffsetSeconds * 1000;
}

/** How far the player is behind a playing timeline, in seconds; negative when it is ahead. */
export function behindSeconds(input: FollowInput): number {
  return lineAt(input, input.serverMs) - input.player.positionSeconds;
}

/** Keeps the newest `keep` readings. */
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

/** The follower's state for the badge and for tests. Times in milliseconds. */
export interface FollowStatus {
  readonly status: FollowStatusName;
  /** The followed revision; -1 before the first. */
  readonly revision: number;
  /** Player minus timeline at the last look, positive when ahead; null while it does not play. */
  readonly driftMs: number | null;
  /** The same, smoothed over several looks; the badge shows this. */
  readonly smoothedDriftMs: number | null;
  /** Whether the player plays a live stream, as far as it knows. */
  readonly isLive: boolean;
  /** True where the sound may be elsewhere than the player's position. */
  readonly isInexact: boolean;
  /** The greatest error of the server time. */
  readonly uncertaintyMs: number;
  /** Seeks and rate changes since the start. */
  readonly seeks: number;
  readonly rateChanges: number;
  /** Why the track cannot be played here; null otherwise. */
  readonly errorCode: PlayerErrorCode | null;
}

export interface Counters {
  readonly seeks: number;
  readonly rateChanges: number;
}

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
