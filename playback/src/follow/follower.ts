/**
 * Decides what a member's player does next: pure, from the timeline, one reading of the player, and what was learned.
 * The host's own player is a follower too. Sends nothing, sets no timer, and never touches a player.
 */
import { hasEnded, isNewer, isSameLine, positionAt } from '../room/timeline.ts';
import {
  changeAheadMs,
  clockStepMs,
  cueSlackSeconds,
  fastTickMs,
  fetchRetriesMs,
  foreignPauseMs,
  hurryMs,
  landingPatienceMs,
  stallMs,
  usualTickMs,
} from '../timings.ts';
import {
  continueNudge,
  correct,
  isFine,
  isSeekAllowed,
  seekToTimeline,
  shouldSeek,
  watch,
  type Watching,
} from './correction.ts';
import {
  behindSeconds,
  enter,
  type FollowDecision,
  type FollowerMode,
  type FollowerState,
  type FollowInput,
  ownStartInMs,
  restoreRate,
  startsInMs,
} from './follower-state.ts';
import { isPassing } from './player.ts';
import { expected, learn } from './learned.ts';
import { cueAhead, cueTarget, startingNow, startLatency, startOnTime } from './start-on-time.ts';

/** A player's file may end this much before the timeline does. */
const endSlackSeconds = 2;
/** A command that shows no effect after this long is repeated. */
const commandPatienceMs = 1000;

/** Call it on every player event, on every new timeline, and after `wakeInMs`. */
export function follow(before: FollowerState, input: FollowInput): FollowDecision {
  const state = noticeRetry(noticeTimeline(noticeClock(noticePlaying(before, input), input), input), input);
  const { timeline, player } = input;
  if (timeline.trackKey !== state.loadedKey) return changeTrack(state, input);
  if (timeline.trackKey === null) return enter(state, { status: 'idle' }, usualTickMs);
  if (player.phase === 'failed') return standFailed(state, input);
  if (player.phase === 'loading' || player.phase === 'empty') return waitForLoading(state, input);
  if (!timeline.isPlaying) return standStill(learnLoading(state, input), input);
  if (input.isBlocked || state.isHeldByOther) return enter(state, { status: 'blocked' }, usualTickMs);
  if (!input.isClockSynced) return enter(state, { status: 'waiting-for-clock' }, fastTickMs);
  if (isOver(input)) return enter(state, { status: 'ended' }, usualTickMs);
  if (player.phase === 'playing') return keepUp(state, input);
  if (player.phase === 'buffering') return waitOutStall(state, input);
  return resume(learnLoading(state, input), input);
}

/** The part that must happen inside a tap: play at once from about the right position; corrections do the rest. */
export function startByTap(state: FollowerState, input: FollowInput): FollowDecision {
  const starting = startingNow(state, input, 0);
  const next = { ...state, mayJump: true, foreignPauseAtMs: null, isHeldByOther: false };
  if (!input.timeline.isPlaying) return enter(next, { status: 'idle' }, 0, [{ type: 'play' }]);
  const positionSeconds = cueTarget(state, input, startLatency(state, input));
  const isNear = Math.abs(positionSeconds - input.player.positionSeconds) <= cueSlackSeconds;
  const move = isNear ? [] : [{ type: 'seek', positionSeconds } as const];
  return enter(next, starting, fastTickMs, [...move, { type: 'play' }]);
}

/** A playing player is no longer held by something else, and resumes at once after a pause. */
function noticePlaying(state: FollowerState, input: FollowInput): FollowerState {
  // One that was just cued may still report its earlier playing.
  if (input.player.phase !== 'playing' || state.mode.status === 'cued') return state;
  return { ...state, isHeldByOther: false, isWarm: true };
}

/** A step of the clock (the device slept) causes a drift too large for nudges, so one seek is allowed. */
function noticeClock(state: FollowerState, input: FollowInput): FollowerState {
  if (!input.isClockSynced) return state;
  const clockOffsetMs = input.serverMs - input.nowMs;
  const steppedMs = Math.abs(clockOffsetMs - (state.clockOffsetMs ?? clockOffsetMs));
  const known = { ...state, clockOffsetMs };
  return steppedMs < clockStepMs ? known : allowJump(known, input.nowMs);
}

/** Takes over a newer timeline; one that moves the music allows one seek, one that continues it changes nothing. */
function noticeTimeline(state: FollowerState, input: FollowInput): FollowerState {
  const { timeline: old } = state;
  const { timeline } = input;
  if (!isNewer(timeline, old)) return state;
  const isOnLine =
    old !== null && isSameLine(old, timeline) && (state.isContinuation || input.serverMs >= old.atServerMs);
  if (isOnLine) return { ...state, timeline, isContinuation: timeline.isPlaying };
  const isRunning = state.mode.status === 'watching' || state.mode.status === 'nudging';
  const mode = isRunning ? watch(input, { after: 'nothing', sinceMs: input.nowMs }) : outdated(state.mode);
  return { ...state, timeline, mode, isContinuation: false, mayJump: true, lastSeek: null, foreignPauseAtMs: null };
}

function outdated(mode: FollowerMode): FollowerMode {
  return mode.status === 'cued' || mode.status === 'loading' ? { ...mode, isOutdated: true } : mode;
}

const nudgesAllowed = { failedNudges: 0, noNudgesUntilMs: Number.NEGATIVE_INFINITY } as const;

/** Discards earlier readings and allows one seek inside the tolerance: for 'Resync' and a changed device offset. */
export function allowJump(state: FollowerState, nowMs: number): FollowerState {
  const { mode } = state;
  if (mode.status !== 'watching') return { ...state, ...nudgesAllowed, mayJump: true };
  const landing = { after: 'nothing', sinceMs: nowMs } as const;
  return { ...state, ...nudgesAllowed, mayJump: true, mode: { ...mode, readings: [], landing } };
}

function changeTrack(state: FollowerState, input: FollowInput): FollowDecision {
  const { trackKey, isPlaying } = input.timeline;
  // Without a first clock probe, the position in a playing track is unknown.
  if (isPlaying && !Number.isFinite(input.serverMs)) return enter(state, { status: 'waiting-for-clock' }, fastTickMs);
  const next = {
    ...state,
    loadedKey: trackKey,
    isWarm: false,
    mayJump: true,
    lastSeek: null,
    refusesRates: false,
    ...nudgesAllowed,
    isHeldByOther: false,
  };
  if (trackKey === null) return enter(next, { status: 'idle' }, usualTickMs, [{ type: 'unload' }]);
  const { loadSeconds, startSeconds } = expected(state.learned, input.capabilities);
  const isNext = followsOn(state, input);
  // A track that can be loaded by its start is cued to its start. Only a later one gets extra time.
  const isInTime = isNext || (loadSeconds + startSeconds) * 1000 <= ownStartInMs(state, input);
  const leadSeconds = isInTime ? 0 : loadSeconds * 1.3 + startSeconds;
  // The player still reports the duration of the previous track.
  const unknown = { ...input, player: { ...input.player, durationSeconds: null } };
  const startAtSeconds = cueTarget(state, unknown, leadSeconds);
  const load = { type: 'load', trackKey, startSeconds: startAtSeconds } as const;
  const cue = { sinceMs: input.nowMs, cueSeconds: startAtSeconds, isSeek: false } as const;
  if (isNext)
    return enter(next, { status: 'cued', ...cue, isPrepared: true }, fastTickMs, [{ ...load, followsOn: true }]);
  return enter(next, { status: 'loading', ...cue }, fastTickMs, [load]);
}

/** The track starts so soon that it must not interrupt the playing one before its end. */
function followsOn({ loadedKey }: FollowerState, { timeline, player, serverMs }: FollowInput): boolean {
  const startsInMs = timeline.atServerMs - serverMs;
  const isChange = loadedKey !== null && timeline.isPlaying && timeline.positionSeconds === 0;
  return isChange && player.phase === 'playing' && startsInMs > 0 && startsInMs <= changeAheadMs;
}

/** A cued player that is not ready yet is loading; keeps the start time, to learn from it. */
function waitForLoading(state: FollowerState, input: FollowInput): FollowDecision {
  const { mode } = state;
  if (mode.status === 'loading') return enter(state, mode, fastTickMs);
  if (mode.status === 'cued') return enter(state, { ...mode, status: 'loading' }, fastTickMs);
  const cue = { sinceMs: input.nowMs, cueSeconds: input.player.positionSeconds, isSeek: false };
  return enter(state, { status: 'loading', ...cue }, fastTickMs);
}

function learnLoading(state: FollowerState, input: FollowInput): FollowerState {
  const { mode } = state;
  if (mode.status !== 'loading') return state;
  if (mode.isPrepared === true) return { ...state, mode: { ...mode, status: 'cued' } };
  const figure = mode.isSeek ? 'cueSeconds' : 'loadSeconds';
  const learned = learn(state.learned, input.capabilities, figure, (input.nowMs - mode.sinceMs) / 1000);
  return { ...state, learned, mode: { ...mode, status: 'cued' } };
}

/** Under a paused timeline: stops at its time, and cues where the music will resume. */
function standStill(state: FollowerState, input: FollowInput): FollowDecision {
  const { timeline, player } = input;
  const isMoving = player.phase === 'playing' || player.phase === 'buffering';
  const waitMs = timeline.atServerMs - input.serverMs;
  if (isMoving && input.isClockSynced && waitMs > 0) return enter(state, state.mode, Math.min(waitMs, usualTickMs));
  if (isPending(state, input)) return enter(state, state.mode, fastTickMs);
  const paused = { status: 'paused', sinceMs: input.nowMs } as const;
  if (isMoving) return enter(state, paused, fastTickMs, [{ type: 'pause' }, ...restoreRate(input)]);
  const offSeconds = cueTarget(state, input, 0) - player.positionSeconds;
  if (Math.abs(offSeconds) > cueSlackSeconds && isSeekAllowed(state, input, offSeconds)) return cueAhead(state, input);
  return enter(state, state.mode.status === 'paused' ? state.mode : paused, usualTickMs, restoreRate(input));
}

/** For a paused player under a playing timeline. One that something else paused is restarted, but only once. */
function resume(state: FollowerState, input: FollowInput): FollowDecision {
  const { mode, foreignPauseAtMs } = state;
  const wasPlaying = mode.status === 'watching' || mode.status === 'nudging';
  if (!wasPlaying || startsInMs(state, input) > 0) return startOnTime(state, input);
  const isRepeated = foreignPauseAtMs !== null && input.nowMs - foreignPauseAtMs < foreignPauseMs;
  if (isRepeated) return enter({ ...state, isHeldByOther: true }, { status: 'blocked' }, usualTickMs);
  return startOnTime({ ...state, mayJump: true, foreignPauseAtMs: input.nowMs }, input);
}

/** For a player that buffers: first this counts as part of a start or seek, later as a stall. */
function waitOutStall(state: FollowerState, input: FollowInput): FollowDecision {
  const { mode } = state;
  const { nowMs } = input;
  if (mode.status === 'buffering') return enter(state, mode, fastTickMs);
  if (mode.status === 'starting' && nowMs - mode.sinceMs < landingPatienceMs) return enter(state, mode, fastTickMs);
  if (mode.status === 'watching' && isLanding(mode, nowMs)) return enter(state, watch(input, mode.landing), fastTickMs);
  return enter(state, { status: 'buffering', sinceMs: nowMs }, fastTickMs, restoreRate(input));
}

/** A seek or a start was commanded, and the player has shown no effect yet. */
function isLanding({ landing, readings }: Watching, nowMs: number): boolean {
  const isAsked = landing.after !== 'nudge' && landing.after !== 'nothing';
  return isAsked && readings.length === 0 && nowMs - landing.sinceMs < landingPatienceMs;
}

/** For a playing player: waits for a scheduled start, and corrects it otherwise. */
function keepUp(state: FollowerState, input: FollowInput): FollowDecision {
  const { mode } = state;
  const waitMs = startsInMs(state, input);
  if (isPending(state, input)) return enter(state, mode, fastTickMs);
  // A player that started a little early is on the line already.
  if (waitMs > 0 && Math.abs(behindSeconds(input)) > cueSlackSeconds) return waitForJump(state, input, waitMs);
  if (mode.status === 'nudging') {
    return shouldSeek(state, input, behindSeconds(input))
      ? seekToTimeline(state, input)
      : continueNudge(state, mode, input);
  }
  if (mode.status === 'watching') return correct(state, mode, input);
  const hurryUntilMs = input.nowMs + hurryMs;
  if (mode.status === 'starting') {
    const { sinceMs, expectedBehindSeconds, isResumption } = mode;
    const after = isResumption ? 'resume' : 'start';
    return enter({ ...state, hurryUntilMs }, watch(input, { after, sinceMs, expectedBehindSeconds }), fastTickMs);
  }
  const hasStalled = mode.status === 'buffering' && input.nowMs - mode.sinceMs > stallMs;
  const watching = watch(input, { after: 'start', sinceMs: Number.NEGATIVE_INFINITY, expectedBehindSeconds: 0 });
  return enter({ ...state, hurryUntilMs, mayJump: state.mayJump || hasStalled }, watching, fastTickMs);
}

/** The music is about to jump: a fine player is cued there; a coarse one only beyond the tolerance. */
function waitForJump(state: FollowerState, input: FollowInput, waitMs: number): FollowDecision {
  // It plays until then, so its drift will be the same as now.
  if (isFine(input) || Math.abs(behindSeconds(input)) > input.seekToleranceSeconds) return cueAhead(state, input);
  return enter(state, watch(input, { after: 'nothing', sinceMs: input.nowMs }), Math.min(waitMs, usualTickMs));
}

/** A pause or a cue was commanded, and the player has not reported it yet. */
function isPending(state: FollowerState, input: FollowInput): boolean {
  const { mode } = state;
  const isAsked = mode.status === 'paused' || (mode.status === 'cued' && mode.isSeek);
  return isAsked && input.nowMs - mode.sinceMs < commandPatienceMs && input.player.phase !== 'ended';
}

/** The track has ended, by the timeline or on this player (whose file may be a little shorter). */
function isOver(input: FollowInput): boolean {
  const { durationSeconds, phase } = input.player;
  if (durationSeconds === null || durationSeconds <= 0) return false;
  if (hasEnded(input.timeline, input.serverMs, durationSeconds)) return true;
  const slackSeconds = Math.min(endSlackSeconds, durationSeconds / 2);
  return phase === 'ended' && durationSeconds - positionAt(input.timeline, input.serverMs) < slackSeconds;
}

// A failed track is loaded again: automatically when only the fetch or one place of it failed, with growing pauses, and at
// once when the listener asks. The room goes on meanwhile, so a damaged place is behind it. A failure of one device's
// network says nothing about the track, so other listeners are not affected.

function standFailed(state: FollowerState, input: FollowInput): FollowDecision {
  const { mode } = state;
  if (mode.status === 'failed') return enter(state, mode, usualTickMs);
  if (!isPassing(input.errorCode)) return enter(state, { status: 'failed', retryAtMs: null }, usualTickMs);
  const { trackKey } = input.timeline;
  const failures = state.unfetched?.trackKey === trackKey ? state.unfetched.failures : 0;
  const waitMs = fetchRetriesMs[Math.min(failures, fetchRetriesMs.length - 1)] ?? usualTickMs;
  const unfetched = { trackKey, failures: failures + 1 };
  return enter({ ...state, unfetched }, { status: 'failed', retryAtMs: input.nowMs + waitMs }, usualTickMs);
}

/** A track that is due for a retry counts as not loaded; one that can play was fetched. */
function noticeRetry(state: FollowerState, input: FollowInput): FollowerState {
  const { mode, unfetched } = state;
  const { phase, hasNothingFetched = false } = input.player;
  const isFetched = phase === 'playing' || phase === 'ended' || (phase === 'paused' && !hasNothingFetched);
  if (isFetched && unfetched !== null) return { ...state, unfetched: null };
  const isDue = mode.status === 'failed' && mode.retryAtMs !== null && input.nowMs >= mode.retryAtMs;
  return isDue ? { ...state, loadedKey: null } : state;
}

/** Retries a failed track with the next look, whatever the error. */
export function retryNow(state: FollowerState): FollowerState {
  const { mode } = state;
  return mode.status === 'failed' ? { ...state, mode: { ...mode, retryAtMs: Number.NEGATIVE_INFINITY } } : state;
}
