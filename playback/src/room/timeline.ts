/**
 * Where the room's music is at any moment of server time, and how commands change that.
 * Position is arithmetic over the last command, so a lost update costs nothing.
 * Knows no player, no network and no clock: every time arrives as an argument.
 */
import { leadMarginMs, maxLeadMs, minLeadMs } from '../timings.ts';

/** The room's playback as of its last command. Server time is milliseconds since the epoch. */
export interface Timeline {
  /** Rises by one with every command; a follower ignores revisions that it has passed. */
  readonly revision: number;
  /** What plays, as the catalogue names it; null when nothing was chosen yet. */
  readonly trackKey: string | null;
  readonly isPlaying: boolean;
  /** Position at `atServerMs`, in seconds from the beginning of the track. */
  readonly positionSeconds: number;
  /** When this takes effect. In the future it is a scheduled start (or pause): the position holds until then. */
  readonly atServerMs: number;
}

/** The timeline of a room in which nothing has been played yet. */
export function emptyTimeline(nowMs: number): Timeline {
  return { revision: 0, trackKey: null, isPlaying: false, positionSeconds: 0, atServerMs: nowMs };
}

/**
 * Position in seconds at `serverMs`. Before the timeline takes effect it holds still.
 * With a known duration it never runs past the end.
 */
export function positionAt(timeline: Timeline, serverMs: number, durationSeconds?: number): number {
  const elapsedMs = timeline.isPlaying ? Math.max(0, serverMs - timeline.atServerMs) : 0;
  return clampPosition(timeline.positionSeconds + elapsedMs / 1000, durationSeconds);
}

/** True once a playing timeline has reached the end of a track of this length. */
export function hasEnded(timeline: Timeline, serverMs: number, durationSeconds: number): boolean {
  return timeline.isPlaying && positionAt(timeline, serverMs) >= durationSeconds;
}

/** Whether an update must be applied over `current`, the last one applied (null: none yet). */
export function isNewer(incoming: Timeline, current: Timeline | null): boolean {
  return current === null || incoming.revision > current.revision;
}

/** Two lines that agree to within this are the same: the arithmetic rounds. */
const sameLineSeconds = 0.005;

/**
 * Whether two timelines describe the same music at the same places, whatever their revisions and anchors:
 * an unchanged position that was published once more, or a change of something else in the room.
 */
export function isSameLine(one: Timeline, other: Timeline): boolean {
  if (one.trackKey !== other.trackKey || one.isPlaying !== other.isPlaying) return false;
  const elapsedSeconds = one.isPlaying ? (other.atServerMs - one.atServerMs) / 1000 : 0;
  return Math.abs(one.positionSeconds + elapsedSeconds - other.positionSeconds) < sameLineSeconds;
}

/**
 * How far ahead a command is scheduled so that everybody hears of it in time, given the longest round trip in the room.
 * Never more than a second, never less than a player needs.
 */
export function leadFor(rttMs: number): number {
  const wantedMs = Number.isFinite(rttMs) ? rttMs + leadMarginMs : maxLeadMs;
  return Math.min(maxLeadMs, Math.max(minLeadMs, wantedMs));
}

/** Plays on from where the timeline stands, for everybody at `nowMs + leadMs`. */
export function play(timeline: Timeline, nowMs: number, leadMs: number): Timeline {
  if (timeline.trackKey === null) return replace(timeline, { isPlaying: false, atServerMs: nowMs });
  const atServerMs = nowMs + leadMs;
  return replace(timeline, { isPlaying: true, positionSeconds: positionAt(timeline, atServerMs), atServerMs });
}

/** Pauses for everybody at `nowMs + leadMs`, at the position that the music will have reached by then. */
export function pause(timeline: Timeline, nowMs: number, leadMs: number, durationSeconds?: number): Timeline {
  const atServerMs = nowMs + leadMs;
  const positionSeconds = positionAt(timeline, atServerMs, durationSeconds);
  return replace(timeline, { isPlaying: false, positionSeconds, atServerMs });
}

/** Moves to `positionSeconds`; if the music plays, everybody goes on from there at `nowMs + leadMs`. */
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

/** Changes to another track (or to none), from its beginning unless told otherwise. */
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
 * Declares that the music is (or, with a time ahead, will be) at `positionSeconds` at `atServerMs`, playing or not as before.
 * Used when the host's player stalled, when a start is moved, and to publish an unchanged position once more.
 */
export function reanchor(timeline: Timeline, positionSeconds: number, atServerMs: number): Timeline {
  return replace(timeline, { positionSeconds: clampPosition(positionSeconds), atServerMs });
}

/**
 * Anchors the room at `effectiveAtMs` to where a player was seen at `seen.atServerMs`: while it plays, the music has
 * moved on by then, whatever the way of the message took.
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

/** The same line once more, under a new revision; null while nothing moves, since then there is nothing to agree on. */
export function republish(timeline: Timeline, nowMs: number): Timeline | null {
  if (!timeline.isPlaying || timeline.atServerMs > nowMs) return null;
  return reanchor(timeline, positionAt(timeline, nowMs), nowMs);
}

/** Paused at the beginning: what the end of an audio track leads to. */
export function rewind(timeline: Timeline, nowMs: number): Timeline {
  return replace(timeline, { isPlaying: false, positionSeconds: 0, atServerMs: nowMs });
}

/** A position that exists: not negative, not a non-number, not past a known end. A length of 0 is an unknown one. */
export function clampPosition(positionSeconds: number, durationSeconds = 0): number {
  if (Number.isNaN(positionSeconds)) return 0;
  const end = durationSeconds > 0 ? durationSeconds : Number.MAX_SAFE_INTEGER;
  return Math.min(end, Math.max(0, positionSeconds));
}

function replace(timeline: Timeline, change: Partial<Timeline>): Timeline {
  return { ...timeline, ...change, revision: timeline.revision + 1 };
}
