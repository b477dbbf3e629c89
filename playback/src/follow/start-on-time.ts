/**
 * Starts a paused player so that it sounds in sync: waits until the timeline reaches the player's position, allows for
 * the player's start latency, and cues ahead when the position is wrong. Shifts the start time rather than seeking
 * where that causes no delay.
 */
import {
  enter,
  type FollowDecision,
  type FollowerMode,
  type FollowerState,
  type FollowInput,
  lineAt,
  ownStartInMs,
  restoreRate,
  startsInMs,
} from './follower-state.ts';
import { expected } from './learned.ts';
import { isSeekAllowed, rememberSeek } from './correction.ts';
import { clampPosition } from '../room/timeline.ts';
import {
  cueBelievedMs,
  cueMarginSeconds,
  cueSlackSeconds,
  farAheadSeconds,
  fastTickMs,
  lateStartSeconds,
  landingPatienceMs,
  usualTickMs,
} from '../timings.ts';

/** Decides for a paused player under a playing timeline. */
export function startOnTime(state: FollowerState, input: FollowInput): FollowDecision {
  const { mode } = state;
  if (mode.status === 'starting' && input.nowMs - mode.sinceMs < landingPatienceMs) {
    return enter(state, mode, fastTickMs);
  }
  const positionSeconds = believedPosition(state, input);
  const aheadMs = (positionSeconds - lineAt(input, input.serverMs)) * 1000;
  const waitMs = aheadMs - startLatency(state, input) * 1000;
  if (waitMs > 0.5) return waitOrCueBack(state, input, positionSeconds, waitMs);

  const lateSeconds = -waitMs / 1000;
  if (lateSeconds > tolerance(input, lateStartSeconds) && isSeekAllowed(state, input, lateSeconds))
    return cueAhead(state, input);
  const starting = startingNow(state, input, lateSeconds);
  return enter(state, starting, fastTickMs, [...restoreRate(input), { type: 'play' }]);
}

/** Cues to where the timeline will be when the player can start; also for a player that still plays elsewhere. */
export function cueAhead(state: FollowerState, input: FollowInput): FollowDecision {
  const target = soonestCue(state, input);
  const actions = input.player.phase === 'playing' ? [{ type: 'pause' } as const] : [];
  const cued = { status: 'cued', sinceMs: input.nowMs, cueSeconds: target, isSeek: true } as const;
  return enter({ ...rememberSeek(state, input), isWarm: false }, cued, 0, [
    ...actions,
    { type: 'seek', positionSeconds: target },
  ]);
}

/** The position for a start in `leadSeconds` or when the timeline starts for this device, whichever is later. */
export function cueTarget(state: FollowerState, input: FollowInput, leadSeconds: number): number {
  const { timeline, deviceOffsetSeconds } = input;
  if (!timeline.isPlaying) return clampPosition(timeline.positionSeconds + deviceOffsetSeconds);
  const startMs = input.serverMs + Math.max(leadSeconds * 1000, ownStartInMs(state, input));
  return clampPosition(lineAt(input, startMs), input.player.durationSeconds ?? undefined);
}

/** From `play()` until the player sounds, in seconds. */
export function startLatency({ learned, isWarm }: FollowerState, { capabilities }: FollowInput): number {
  const { startSeconds, resumeSeconds } = expected(learned, capabilities);
  return isWarm ? resumeSeconds : startSeconds;
}

/** The mode of a player that was just started and is expected to be this far behind. */
export function startingNow(
  { isWarm }: FollowerState,
  { nowMs }: FollowInput,
  expectedBehindSeconds: number,
): FollowerMode {
  return { status: 'starting', sinceMs: nowMs, expectedBehindSeconds, isResumption: isWarm };
}

function waitOrCueBack(
  state: FollowerState,
  input: FollowInput,
  positionSeconds: number,
  waitMs: number,
): FollowDecision {
  const { mode } = state;
  const isCued = mode.status === 'cued' && mode.isOutdated !== true;
  if (isCued && !mode.isSeek && isCuedTooFar(state, input, positionSeconds)) return cueAhead(state, input);
  const earliestSeconds = lineAt(input, input.serverMs + Math.max(0, startsInMs(state, input)));
  const tooFarSeconds = positionSeconds - earliestSeconds;
  if (
    !isCued &&
    tooFarSeconds > tolerance(input, farAheadSeconds) + cueSlackSeconds &&
    isSeekAllowed(state, input, tooFarSeconds)
  ) {
    return cueAhead(state, input);
  }
  const waiting = isCued
    ? mode
    : ({ status: 'cued', sinceMs: input.nowMs, cueSeconds: positionSeconds, isSeek: false } as const);
  return enter(state, waiting, Math.min(waitMs, usualTickMs));
}

/**
 * A track that loaded much sooner than expected is far ahead of the music, and the data between is loaded: it starts
 * sooner when cued again than by waiting.
 */
function isCuedTooFar(state: FollowerState, input: FollowInput, positionSeconds: number): boolean {
  const { bufferedFromSeconds = null, bufferedUntilSeconds } = input.player;
  const targetSeconds = soonestCue(state, input);
  const isThere = bufferedFromSeconds !== null && bufferedFromSeconds <= targetSeconds && bufferedUntilSeconds !== null;
  const savedSeconds = positionSeconds - targetSeconds;
  return isThere && savedSeconds > cueSlackSeconds && isSeekAllowed(state, input, savedSeconds);
}

/** The earliest position at which a player cued now can start. */
function soonestCue(state: FollowerState, input: FollowInput): number {
  const { cueSeconds, startSeconds } = expected(state.learned, input.capabilities);
  return cueTarget(state, input, cueSeconds + startSeconds + cueMarginSeconds);
}

/** The start error above which cueing again pays off: inside the tolerance a burst corrects a coarse player. */
function tolerance({ capabilities, seekToleranceSeconds }: FollowInput, ofFineSeconds: number): number {
  return capabilities.rateControl.type === 'fine' ? ofFineSeconds : seekToleranceSeconds;
}

/** A player without a completion event reports its old position for a while after a cue. */
function believedPosition(state: FollowerState, input: FollowInput): number {
  const { mode } = state;
  const isFresh = mode.status === 'cued' && mode.isSeek && input.nowMs - mode.sinceMs < cueBelievedMs;
  return isFresh ? mode.cueSeconds : input.player.positionSeconds;
}
