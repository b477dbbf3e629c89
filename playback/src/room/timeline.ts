/**
 * Computes the position of the room's music at any server time, and how commands change it.
 * Position is arithmetic over the last command, so a lost update costs nothing.
 * Has no player, no network and no clock: every time is an argument.
 */
import { leadMarginMs, maxLeadMs, minLeadMs, stopMarginMs } from '../timings.ts';

/** The room's playback as of its last command. Server time is milliseconds since the epoch. */
export interface Timeline {
  /** Rises by one with every command; followers ignore older revisions. */
  readonly revision: number;
  /** The track's id in the catalogue; null before the first track. */
  readonly trackKey: string | null;
  readonly isPlaying: boolean;
  /** Position at `atServerMs`, in seconds from the beginning of the track. */
  readonly positionSeconds: number;
  /** When this takes effect. A future time is a scheduled start (or pause): the position holds until then. */
  readonly atServerMs: number;
}

export function emptyTimeline(nowMs: number): Timeline {
  return { revision: 0, trackKey: null, isPlaying: false, positionSeconds: 0, atServerMs: nowMs };
}

/**
 * Position in seconds at `serverMs`; holds still before the timeline takes effect.
 * With a known duration it never passes the end.
 */
export function positionAt(timeline: Timeline, serverMs: number, durationSeconds?: number): number {
  const elapsedMs = timeline.isPlaying ? Math.max(0, serverMs - timeline.atServerMs) : 0;
  return clampPosition(timeline.positionSeconds + elapsedMs / 1000, durationSeconds);
}

/** True once a playing timeline has reached the end of a track of this length. */
export function hasEnded(timeline: Timeline, serverMs: number, durationSeconds: number): boolean {
  return timeline.isPlaying && positionAt(timeline, serverMs) >= durationSeconds;
}

/** Whether `incoming` replaces `current`, the last one applied (null: none yet). */
export function isNewer(incoming: Timeline, current: Timeline | null): boolean {
  return current === null || incoming.revision > current.revision;
}

/** Two lines within this distance are the same: the arithmetic rounds. */
const sameLineSeconds = 0.005;

/**
 * Whether two timelines describe the same music at the same positions, whatever their revisions and anchors:
 * a republished position, or a change of something else in the room.
 */
export function isSameLine(one: Timeline, other: Timeline): boolean {
  if (one.trackKey !== other.trackKey || one.isPlaying !== other.isPlaying) return false;
  const elapsedSeconds = one.isPlaying ? (other.atServerMs - one.atServerMs) / 1000 : 0;
  return Math.abs(one.positionSeconds + elapsedSeconds - other.positionSeconds) < sameLineSeconds;
}

/** What a command asks of the players: to stop, or to start (or jump), for which they are cued. */
export type Asks = 'start' | 'stop';

/**
 * How far ahead a command is scheduled so that every member receives it in time, given the longest round trip in the
 * room. Never more than a second, never less than a player needs.
 */
export function leadFor(rttMs: number, asks: Asks): number {
  if (!Number.isFinite(rttMs)) return maxLeadMs;
  if (asks === 'stop') return Math.min(maxLeadMs, rttMs / 2 + stopMarginMs);
  return Math.min(maxLeadMs, Math.max(minLeadMs, rttMs + leadMarginMs));
}

/** Resumes playing for all members at `nowMs + leadMs`. */
export function play(timeline: Timeline, nowMs: number, leadMs: number): Timeline {
  if (timeline.trackKey === null) return replace(timeline, { isPlaying: false, atServerMs: nowMs });
  const atServerMs = nowMs + leadMs;
  return replace(timeline, { isPlaying: true, positionSeconds: positionAt(timeline, atServerMs), atServerMs });
}

/** Pauses for all members at `nowMs + leadMs`, at the position that the music will have reached by then. */
export function pause(timeline: Timeline, nowMs: number, leadMs: number, durationSeconds?: number): Timeline {
  const atServerMs = nowMs + leadMs;
  const positionSeconds = positionAt(timeline, atServerMs, durationSeconds);
  return replace(timeline, { isPlaying: false, positionSeconds, atServerMs });
}

/** Moves to `positionSeconds` for all members at `nowMs + leadMs`; playing or not as before. */
export function seek(
  timeline: Timeline,
  positionSeconds: number,
  nowMs: number,
  leadMs: number,
  durationSeconds?: number,
): Timeline {
  return replace(timeline, {
    positionSeconds: clampPosition(positionSeconds, durationSeconds),
    atServerMs: nowMs + leadMs,
  });
}

/** Changes to another track (or to none), playing from its beginning unless `start` differs. */
export function changeTrack(
  timeline: Timeline,
  trackKey: string | null,
  nowMs: number,
  leadMs: number,
  start: { isPlaying?: boolean; positionSeconds?: number } = {},
): Timeline {
  return replace(timeline, {
    trackKey,
    isPlaying: trackKey !== null && (start.isPlaying ?? true),
    positionSeconds: clampPosition(start.positionSeconds ?? 0),
    atServerMs: nowMs + leadMs,
  });
}

/**
 * Sets the music to `positionSeconds` at `atServerMs` (which may lie ahead), playing or not as before.
 * Used when the host's player stalled, when a start is moved, and to republish an unchanged position.
 */
export function reanchor(timeline: Timeline, positionSeconds: number, atServerMs: number): Timeline {
  return replace(timeline, { positionSeconds: clampPosition(positionSeconds), atServerMs });
}

/**
 * Anchors the room at `effectiveAtMs` to an observed position of a player: while it plays, the music advances until
 * then, however long the message took.
 */
export function anchorTo(
  timeline: Timeline,
  seen: { readonly positionSeconds: number; readonly atServerMs: number },
  effectiveAtMs: number,
  durationSeconds?: number,
): Timeline {
  const movedSeconds = timeline.isPlaying ? (effectiveAtMs - seen.atServerMs) / 1000 : 0;
  return reanchor(timeline, clampPosition(seen.positionSeconds + movedSeconds, durationSeconds), effectiveAtMs);
}

/** The same line under a new revision; null while nothing moves, since there is nothing to synchronise. */
export function republish(timeline: Timeline, nowMs: number): Timeline | null {
  if (!timeline.isPlaying || timeline.atServerMs > nowMs) return null;
  return reanchor(timeline, positionAt(timeline, nowMs), nowMs);
}

/** Paused at the beginning: the effect of the end of an audio track. */
export function rewind(timeline: Timeline, nowMs: number): Timeline {
  return replace(timeline, { isPlaying: false, positionSeconds: 0, atServerMs: nowMs });
}

/** Limits a position to 0 and a known end; NaN becomes 0. A length of 0 is unknown. */
export function clampPosition(positionSeconds: number, durationSeconds = 0): number {
  if (Number.isNaN(positionSeconds)) return 0;
  const end = durationSeconds > 0 ? durationSeconds : Number.MAX_SAFE_INTEGER;
  return Math.min(end, Math.max(0, positionSeconds));
}

function replace(timeline: Timeline, change: Partial<Timeline>): Timeline {
  return { ...timeline, ...change, revision: timeline.revision + 1 };
}
