/**
 * When a room does what its host asks: how far ahead a command takes effect, whom a new track waits for, and when it
 * starts. The server and the simulated server both run this. Pure: a member is the name of a connection, nothing more.
 */
import { type Timeline, leadFor, reanchor } from './timeline.ts';
import { firstStartMarginMs, maxLeadMs, roundTripNewsMs, roundTripNewsShare, unknownRoundTripMs } from '../timings.ts';

/**
 * How far ahead a command takes effect: by the longest round trip of those in the room, the host's being one of them.
 * Members who have not measured theirs yet (null) do not count; a room of nobody else is assumed to be of usual length.
 */
export function roomLeadMs(roundTripsMs: Iterable<number | null>): number {
  let longestMs: number | null = null;
  for (const tripMs of roundTripsMs) {
    if (tripMs !== null && tripMs >= 0) longestMs = Math.max(longestMs ?? 0, tripMs);
  }
  return leadFor(longestMs ?? unknownRoundTripMs);
}

/** Whether a newly measured round trip differs enough from the known one to change when anything starts. */
export function isNewRoundTrip(knownMs: number | null, measuredMs: number): boolean {
  if (knownMs === null) return true;
  return Math.abs(measuredMs - knownMs) > Math.max(roundTripNewsMs, knownMs * roundTripNewsShare);
}

/** Whom a new track waits for. Reports may overtake the change that they answer, so they are kept by revision. */
export interface LoadWait {
  /** The change of track that waits, and who was there; null while only reports are known. */
  readonly change: { readonly revision: number; readonly members: readonly string[] } | null;
  /** The newest revision whose track each member has loaded. */
  readonly loaded: ReadonlyMap<string, number>;
}

/** Nothing waits and nothing was reported. */
export const noLoadWait: LoadWait = { change: null, loaded: new Map() };

/** The track changes with this revision; whoever is in the room now has to load it. Later ones start on their own. */
export function trackChanged(wait: LoadWait, revision: number, members: readonly string[]): LoadWait {
  return { ...wait, change: { revision, members } };
}

/** A member has loaded what this revision plays, or cannot play it at all. */
export function trackLoaded(wait: LoadWait, revision: number, member: string): LoadWait {
  const newest = Math.max(revision, wait.loaded.get(member) ?? revision);
  return { ...wait, loaded: new Map(wait.loaded).set(member, newest) };
}

/** Nobody waits for a member who is in the room no more. */
export function onlyPresent(wait: LoadWait, present: ReadonlySet<string>): LoadWait {
  if (wait.change === null) return wait;
  const members = wait.change.members.filter((member) => present.has(member));
  return { ...wait, change: { ...wait.change, members } };
}

/** True once nobody has to be waited for any more. A later change of anything else in the room ends no waiting. */
export function canStart({ change, loaded }: LoadWait): boolean {
  if (change === null) return false;
  return change.members.every((member) => (loaded.get(member) ?? -1) >= change.revision);
}

/** Whether both start the same track at the same moment, whatever else has changed between them. */
export function isSameStart(one: Timeline, other: Timeline): boolean {
  return one.trackKey === other.trackKey && one.atServerMs === other.atServerMs;
}

/**
 * The start moved up to the nearest moment that everybody can hear of in time; null when the music no longer waits for
 * the start at `heldUntilMs`, or when that comes sooner anyway.
 */
export function startEarly(timeline: Timeline, heldUntilMs: number, nowMs: number, leadMs: number): Timeline | null {
  const isHeld = timeline.isPlaying && timeline.atServerMs === heldUntilMs;
  const startMs = nowMs + Math.min(maxLeadMs, leadMs + firstStartMarginMs);
  return isHeld && startMs < heldUntilMs ? reanchor(timeline, timeline.positionSeconds, startMs) : null;
}
