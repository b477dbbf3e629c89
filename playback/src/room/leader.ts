/**
 * Decides what the host's controlling tab publishes because of its own player: when the room waits for it, when the
 * timeline is re-anchored, and when a track is over. The room follows the host's commands, not the host's player: small
 * drifts of that player are corrected like any member's. Only decides; the caller publishes. Guests never run this.
 */
import type { FollowInput } from '../follow/follower-state.ts';
import { isPassing, type PlayerErrorCode } from '../follow/player.ts';
import { type Timeline, hasEnded, isSameLine, positionAt, reanchor } from './timeline.ts';
import {
  endAgainMs,
  holdAfterMs,
  holdAheadMs,
  holdGiveUpMs,
  holdRenewMs,
  reanchorPatienceMs,
  reanchorSeconds,
  stallMs,
} from '../timings.ts';

/** The effect of the end of a track: the next in the queue, or paused at the beginning. */
export type EndOfTrack = 'next' | 'rewind';

/** What the host's tab publishes. Positions in seconds, server time in milliseconds. */
export type LeaderIntent =
  /** The host's player stands still at this position: all members wait there. */
  | { readonly type: 'hold'; readonly positionSeconds: number; readonly atServerMs: number }
  /** The music is at this position at this time, playing as before. */
  | { readonly type: 'reanchor'; readonly positionSeconds: number; readonly atServerMs: number }
  /** The unchanged position, for a member who has just joined. */
  | { readonly type: 'republish' }
  /** The host used the player's own controls: the same as a command of the host. */
  | { readonly type: 'pause' | 'play' }
  | { readonly type: 'seek'; readonly positionSeconds: number }
  /** The track is over; repeated until the room reacts, since the first message may be lost or stale. */
  | { readonly type: EndOfTrack; readonly isAgain?: true }
  /** The track cannot be played on the host's device: show the error to the host and skip the track, the nth in a row. */
  | { readonly type: 'skip-failed'; readonly trackKey: string; readonly code: PlayerErrorCode; readonly nth: number };

interface Following {
  readonly status: 'following';
}
interface Stalled {
  readonly status: 'stalled';
  readonly sinceMs: number;
  /** The line that was playing; once the room waits, the line of the hold. */
  readonly line: Timeline;
  readonly hold: { readonly atMs: number; readonly positionSeconds: number } | null;
}
interface Reanchoring {
  readonly status: 'reanchoring';
  readonly sinceMs: number;
  readonly from: Timeline;
}

/** The state of the host's tab. Times are local monotonic milliseconds. */
export interface LeaderState {
  readonly mode: Following | Stalled | Reanchoring;
  /** The last line that the player played. */
  readonly played: Timeline | null;
  /** The last line whose end or failure was sent, and when its end was; null for a failure, which is sent once. */
  readonly announced: { readonly line: Timeline; readonly endSentAtMs: number | null } | null;
  /** Tracks that failed since anything played: a queue of nothing else is skipped through only once. */
  readonly failedKeys: readonly string[];
}

/** The player's own end takes precedence over the timeline's. */
const endGraceMs = 500;

const initialLeader: LeaderState = {
  mode: { status: 'following' },
  played: null,
  announced: null,
  failedKeys: [],
};

export interface LeaderInput extends Pick<FollowInput, 'nowMs' | 'serverMs' | 'timeline' | 'player' | 'errorCode'> {
  readonly endOfTrack: EndOfTrack;
  /** The length in the room's queue; null for unknown. */
  readonly roomDurationSeconds: number | null;
}

/** While `isCorrecting` is false the follower must not act on the host's player. */
export interface LeaderDecision {
  readonly state: LeaderState;
  readonly intent: LeaderIntent | null;
  readonly isCorrecting: boolean;
}

/** @param before null at first. */
export function lead(before: LeaderState | null, input: LeaderInput): LeaderDecision {
  const state = notePlaying(before ?? initialLeader, input);
  const over = announce(state, input);
  if (over !== null) return over;
  const { mode } = state;
  if (mode.status === 'following') return watchForStall(state, input);
  if (mode.status === 'stalled') return waitOutStall(state, mode, input);
  const isBack = !isSameLine(mode.from, input.timeline);
  const isOver = isBack || input.nowMs - mode.sinceMs > reanchorPatienceMs;
  return isOver ? following(state) : { state, intent: null, isCorrecting: false };
}

/**
 * The timeline of a 'hold': all members wait at the position, and the music resumes in a few seconds at the earliest.
 */
export function holdTimeline(timeline: Timeline, positionSeconds: number, nowMs: number): Timeline {
  return reanchor(timeline, positionSeconds, nowMs + holdAheadMs);
}

function notePlaying(state: LeaderState, input: LeaderInput): LeaderState {
  const isPlaying = input.player.phase === 'playing' && input.timeline.isPlaying;
  return isPlaying ? { ...state, played: input.timeline, failedKeys: [] } : state;
}

/** Sends the failure of a track once each time it was played, and its end repeatedly until the room reacts. */
function announce(state: LeaderState, input: LeaderInput): LeaderDecision | null {
  const { timeline, player, nowMs, serverMs } = input;
  // A track that fails in a paused room is left when the host presses play: a skip would start the next one.
  if (timeline.trackKey === null || !timeline.isPlaying) return null;
  const before = isOn(state.announced?.line ?? null, timeline) ? state.announced : null;
  if (before !== null && !isDueAgain(before.endSentAtMs, nowMs)) return null;
  const announced: LeaderState = {
    ...state,
    mode: { status: 'following' },
    announced: { line: timeline, endSentAtMs: null },
  };
  // The host's own network, or one place of the track, is no reason to skip for all members; it still ends on time.
  const isPassed = player.phase === 'failed' && isPassing(input.errorCode);
  if (player.phase === 'failed' && !isPassed && before === null) {
    const { trackKey } = timeline;
    if (state.failedKeys.includes(trackKey)) {
      // A host who plays it nevertheless plays it for those whose devices can.
      const isWanted = state.announced?.line.trackKey === trackKey;
      return { state: announced, intent: isWanted ? null : { type: 'pause' }, isCorrecting: true };
    }
    const failedKeys = [...state.failedKeys, trackKey];
    const code = input.errorCode ?? 'unsupported';
    const intent = { type: 'skip-failed', trackKey, code, nth: failedKeys.length } as const;
    return { state: { ...announced, failedKeys }, intent, isCorrecting: true };
  }
  const isAtEnd = player.phase === 'ended' && isOn(state.played, timeline);
  const durationSeconds = expectedLength(input);
  const isPast =
    durationSeconds !== null &&
    durationSeconds > 0 &&
    player.phase !== 'buffering' &&
    hasEnded(timeline, serverMs - endGraceMs, durationSeconds);
  if (!isAtEnd && !isPast) return null;
  const intent = { type: input.endOfTrack, ...(before !== null && { isAgain: true as const }) };
  const sent = { line: timeline, endSentAtMs: nowMs };
  return { state: { ...announced, announced: sent }, intent, isCorrecting: true };
}

/** A file may go on after the length that it says: a player that plays is then believed less than the room. */
function expectedLength({ player, roomDurationSeconds }: LeaderInput): number | null {
  const { phase, durationSeconds } = player;
  if (phase === 'failed') return roomDurationSeconds;
  const isLongerInRoom = phase === 'playing' && (durationSeconds ?? 0) > 0;
  return isLongerInRoom ? Math.max(durationSeconds ?? 0, roomDurationSeconds ?? 0) : durationSeconds;
}

function isDueAgain(endSentAtMs: number | null, nowMs: number): boolean {
  return endSentAtMs !== null && nowMs - endSentAtMs >= endAgainMs;
}

function watchForStall(state: LeaderState, input: LeaderInput): LeaderDecision {
  const { timeline, player, nowMs } = input;
  const wasPlaying = timeline.isPlaying && isOn(state.played, timeline);
  if (!wasPlaying || player.phase !== 'buffering') return following(state);
  const mode: Stalled = { status: 'stalled', sinceMs: nowMs, line: timeline, hold: null };
  return { state: { ...state, mode }, intent: null, isCorrecting: true };
}

function waitOutStall(state: LeaderState, mode: Stalled, input: LeaderInput): LeaderDecision {
  const { timeline, player, nowMs, serverMs } = input;
  const isCommand = !isSameLine(mode.line, timeline) && !isOwnHold(mode, timeline);
  if (isCommand) return following(state);
  if (nowMs - mode.sinceMs > holdGiveUpMs) return following({ ...state, played: null });
  if (player.phase === 'buffering') return holdOn(state, mode, input);
  const { positionSeconds } = player;
  const isFarBehind = positionAt(timeline, serverMs) - positionSeconds > reanchorSeconds;
  if (player.phase !== 'playing' || (mode.hold === null && !isFarBehind)) return following(state);
  const reanchoring: Reanchoring = { status: 'reanchoring', sinceMs: nowMs, from: timeline };
  const intent = { type: 'reanchor', positionSeconds, atServerMs: serverMs } as const;
  return { state: { ...state, mode: reanchoring }, intent, isCorrecting: false };
}

/** Holds the room once the stall has lasted, and renews the hold before it expires. */
function holdOn(state: LeaderState, mode: Stalled, input: LeaderInput): LeaderDecision {
  const { nowMs, serverMs, player, timeline } = input;
  const isWaiting = timeline.atServerMs > serverMs;
  const isDue =
    mode.hold === null
      ? nowMs - mode.sinceMs > holdAfterMs
      : isWaiting && timeline.atServerMs - serverMs < holdAheadMs - holdRenewMs && nowMs - mode.hold.atMs > stallMs;
  if (!isDue) return { state: { ...state, mode: { ...mode, line: timeline } }, intent: null, isCorrecting: false };
  const { positionSeconds } = player;
  const next: Stalled = { ...mode, line: timeline, hold: { atMs: nowMs, positionSeconds } };
  const intent = { type: 'hold', positionSeconds, atServerMs: serverMs } as const;
  return { state: { ...state, mode: next }, intent, isCorrecting: false };
}

/** The server has confirmed this tab's own hold. */
function isOwnHold({ line, hold }: Stalled, timeline: Timeline): boolean {
  if (hold === null || !timeline.isPlaying || timeline.trackKey !== line.trackKey) return false;
  return Math.abs(timeline.positionSeconds - hold.positionSeconds) < reanchorSeconds;
}

function isOn(line: Timeline | null, timeline: Timeline): boolean {
  return line !== null && isSameLine(line, timeline);
}

function following(state: LeaderState): LeaderDecision {
  return { state: { ...state, mode: { status: 'following' } }, intent: null, isCorrecting: true };
}
