/**
 * What the host's controlling tab makes of its own player: when the room must wait for it, when the timeline must be
 * anchored anew, and when a track is over. The room follows the host's commands, not the host's player: small drifts of
 * that player are corrected like anybody's. Only decides; the caller publishes. Followers never run this.
 */
import type { PlayerErrorCode, PlayerSnapshot } from '../follow/player.ts';
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

/** What the end of a track leads to: the next in the queue, or paused at the beginning. */
export type EndOfTrack = 'next' | 'rewind';

/** What the host's tab asks to be published. Positions in seconds, server time in milliseconds. */
export type LeaderIntent =
  /** The host's player stands still at a position: everybody waits there. */
  | { readonly type: 'hold'; readonly positionSeconds: number; readonly atServerMs: number }
  /** The music is at this position at this time, playing as before. */
  | { readonly type: 'reanchor'; readonly positionSeconds: number; readonly atServerMs: number }
  /** Where the music is, unchanged, once more: for somebody who has just come in. */
  | { readonly type: 'republish' }
  /** What was done to the host's player itself: an intent of the host. */
  | { readonly type: 'pause' | 'play' }
  | { readonly type: 'seek'; readonly positionSeconds: number }
  /** The track is over; said again while the room has not answered, since what was said before may be lost or stale. */
  | { readonly type: EndOfTrack; readonly isAgain?: true }
  /** The track cannot be played on the host's device: tell the host, and skip it. */
  | { readonly type: 'skip-failed'; readonly trackKey: string; readonly code: PlayerErrorCode };

interface Following {
  readonly status: 'following';
}
interface Stalled {
  readonly status: 'stalled';
  readonly sinceMs: number;
  /** The line that was playing, until the room waits: then the line on which it does. */
  readonly line: Timeline;
  readonly hold: { readonly atMs: number; readonly positionSeconds: number } | null;
}
interface Reanchoring {
  readonly status: 'reanchoring';
  readonly sinceMs: number;
  readonly from: Timeline;
}

/** What the host's tab remembers. Times are local monotonic milliseconds. */
export interface LeaderState {
  readonly mode: Following | Stalled | Reanchoring;
  /** The last line that the player was seen playing. */
  readonly played: Timeline | null;
  /** The last line whose end or failure was announced, and when its end was; null for a failure, which is told once. */
  readonly announced: { readonly line: Timeline; readonly endToldAtMs: number | null } | null;
  /** Tracks that failed since anything was heard: a queue of nothing else is skipped through only once. */
  readonly failedKeys: readonly string[];
}

/** The player's own end is heard before the timeline's is acted upon. */
const endGraceMs = 500;

/** A leader that has seen nothing yet. */
export const initialLeader: LeaderState = {
  mode: { status: 'following' },
  played: null,
  announced: null,
  failedKeys: [],
};

/** What a leader decides from. */
export interface LeaderInput {
  readonly nowMs: number;
  readonly serverMs: number;
  readonly timeline: Timeline;
  readonly player: PlayerSnapshot;
  readonly errorCode: PlayerErrorCode | null;
  readonly endOfTrack: EndOfTrack;
  /** How long the room knows the track to be; null for unknown. */
  readonly roomDurationSeconds: number | null;
}

/** What follows from a look at the host's player. While `isCorrecting` is false its follower must leave it alone. */
export interface LeaderDecision {
  readonly state: LeaderState;
  readonly intent: LeaderIntent | null;
  readonly isCorrecting: boolean;
}

/** Decides what the host's player means for the room. */
export function lead(before: LeaderState, input: LeaderInput): LeaderDecision {
  const state = notePlaying(before, input);
  const over = announce(state, input);
  if (over !== null) return over;
  const { mode } = state;
  if (mode.status === 'following') return watchForStall(state, input);
  if (mode.status === 'stalled') return waitOutStall(state, mode, input);
  const isBack = !isSameLine(mode.from, input.timeline);
  const isOver = isBack || input.nowMs - mode.sinceMs > reanchorPatienceMs;
  return isOver ? following(state) : { state, intent: null, isCorrecting: false };
}

/** The timeline that a 'hold' leads to: everybody waits at the position, which the music leaves in a few seconds at the earliest. */
export function holdTimeline(timeline: Timeline, positionSeconds: number, nowMs: number): Timeline {
  return reanchor(timeline, positionSeconds, nowMs + holdAheadMs);
}

function notePlaying(state: LeaderState, input: LeaderInput): LeaderState {
  const isPlaying = input.player.phase === 'playing' && input.timeline.isPlaying;
  return isPlaying ? { ...state, played: input.timeline, failedKeys: [] } : state;
}

/** The failure of a track, once for each time that it was played, or its end, again and again until the room moves on. */
function announce(state: LeaderState, input: LeaderInput): LeaderDecision | null {
  const { timeline, player, nowMs, serverMs } = input;
  if (timeline.trackKey === null) return null;
  const before = isOn(state.announced?.line ?? null, timeline) ? state.announced : null;
  if (before !== null && !isDueAgain(before.endToldAtMs, nowMs)) return null;
  const announced: LeaderState = {
    ...state,
    mode: { status: 'following' },
    announced: { line: timeline, endToldAtMs: null },
  };
  // The host's own network is no reason to skip for everyone; the track still ends when it ends.
  const isUnfetched = player.phase === 'failed' && input.errorCode === 'network';
  if (player.phase === 'failed' && !isUnfetched && before === null) {
    const { trackKey } = timeline;
    if (state.failedKeys.includes(trackKey)) return { state: announced, intent: null, isCorrecting: true };
    const intent = { type: 'skip-failed', trackKey, code: input.errorCode ?? 'unsupported' } as const;
    return { state: { ...announced, failedKeys: [...state.failedKeys, trackKey] }, intent, isCorrecting: true };
  }
  const isAtEnd = player.phase === 'ended' && isOn(state.played, timeline);
  const durationSeconds = player.phase === 'failed' ? input.roomDurationSeconds : player.durationSeconds;
  const isPast =
    durationSeconds !== null &&
    durationSeconds > 0 &&
    player.phase !== 'buffering' &&
    hasEnded(timeline, serverMs - endGraceMs, durationSeconds);
  if (!timeline.isPlaying || !(isAtEnd || isPast)) return null;
  const intent = { type: input.endOfTrack, ...(before !== null && { isAgain: true as const }) };
  const told = { line: timeline, endToldAtMs: nowMs };
  return { state: { ...announced, announced: told }, intent, isCorrecting: true };
}

function isDueAgain(endToldAtMs: number | null, nowMs: number): boolean {
  return endToldAtMs !== null && nowMs - endToldAtMs >= endAgainMs;
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

/** Makes the room wait once the stall has lasted, and again each time before the waiting would be over. */
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

/** What this tab asked for has come back from the server. */
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
