/**
 * The timing of a room: how far ahead a host's command takes effect, which members a new track waits for, when it
 * starts, and when the next one follows. Server, tab and simulation all run this. Pure: a member is the name of a
 * connection.
 */
import type { FollowStatus } from '../follow/follower-state.ts';
import {
  changeAheadMs,
  firstStartMarginMs,
  maxLeadMs,
  nextKnownMs,
  roundTripReportMs,
  roundTripReportShare,
  unknownRoundTripMs,
} from '../timings.ts';
import { type AfterTrack, isAtLast, next, type Queue } from './room-playback.ts';
import { type Asks, leadFor, reanchor, type Timeline } from './timeline.ts';

/**
 * The lead of a command, from the longest round trip in the room, the host's included. Members without a measured round
 * trip (null) do not count; a room without any measured one gets a usual value.
 */
export function roomLeadMs(roundTripsMs: Iterable<number | null>, asks: Asks = 'start'): number {
  let longestMs: number | null = null;
  for (const tripMs of roundTripsMs) {
    if (tripMs !== null && tripMs >= 0) longestMs = Math.max(longestMs ?? 0, tripMs);
  }
  return leadFor(longestMs ?? unknownRoundTripMs, asks);
}

/** Whether a measured round trip differs enough from the known one to change when anything starts. */
export function isNewRoundTrip(knownMs: number | null, measuredMs: number): boolean {
  if (knownMs === null) return true;
  return Math.abs(measuredMs - knownMs) > Math.max(roundTripReportMs, knownMs * roundTripReportShare);
}

/** The members that a new track waits for. Reports may arrive before their change, so they are kept by revision. */
export interface LoadWait {
  /** The track change that waits, and the members at that time; null while only reports are known. */
  readonly change: { readonly revision: number; readonly members: readonly string[] } | null;
  /** The newest revision whose track each member has loaded. */
  readonly loaded: ReadonlyMap<string, number>;
}

export const noLoadWait: LoadWait = { change: null, loaded: new Map() };

/** The track changes with this revision; all present members have to load it. Later joiners start on their own. */
export function trackChanged(wait: LoadWait, revision: number, members: readonly string[]): LoadWait {
  return { ...wait, change: { revision, members } };
}

/** A member has loaded the track of this revision, or cannot play it. */
export function trackLoaded(wait: LoadWait, revision: number, member: string): LoadWait {
  const newest = Math.max(revision, wait.loaded.get(member) ?? revision);
  return { ...wait, loaded: new Map(wait.loaded).set(member, newest) };
}

/** Removes members who have left from the wait. */
export function onlyPresent(wait: LoadWait, present: ReadonlySet<string>): LoadWait {
  if (wait.change === null) return wait;
  const members = wait.change.members.filter((member) => present.has(member));
  return { ...wait, change: { ...wait.change, members } };
}

/** True once every awaited member has loaded. Later changes of anything else in the room do not end the wait. */
export function canStart({ change, loaded }: LoadWait): boolean {
  if (change === null) return false;
  return change.members.every((member) => (loaded.get(member) ?? -1) >= change.revision);
}

/** Whether both start the same track at the same time, whatever else has changed between them. */
export function isSameStart(one: Timeline, other: Timeline): boolean {
  return one.trackKey === other.trackKey && one.atServerMs === other.atServerMs;
}

/**
 * The start moved to the earliest time that all members can receive; null when the music no longer waits for the start
 * at `heldUntilMs`, or when that is earlier anyway.
 */
export function startEarly(timeline: Timeline, heldUntilMs: number, nowMs: number, leadMs: number): Timeline | null {
  const isHeld = timeline.isPlaying && timeline.atServerMs === heldUntilMs;
  const startMs = nowMs + Math.min(maxLeadMs, leadMs + firstStartMarginMs);
  return isHeld && startMs < heldUntilMs ? reanchor(timeline, timeline.positionSeconds, startMs) : null;
}

// The tab's part of the load wait: one report, as soon as its player has loaded the track that waits to start.

/**
 * The start that waits until players have loaded the track, null for none: another track, or a start further ahead than
 * any command's own lead. A change of something else in the room does not alter it.
 * `serverMs` is NaN while the clock is unknown.
 */
export function awaitedStart(
  awaited: Timeline | null,
  before: Timeline,
  now: Timeline,
  serverMs: number,
): Timeline | null {
  if (now.revision === before.revision) return awaited;
  const isPlaying = now.isPlaying && now.trackKey !== null;
  const isOtherTrack = now.trackKey !== before.trackKey;
  if (isPlaying && awaited !== null && !isOtherTrack) {
    const isLeft = now.atServerMs - serverMs > maxLeadMs && now.atServerMs !== awaited.atServerMs;
    return isLeft ? now : awaited;
  }
  return isPlaying && (isOtherTrack || now.atServerMs - serverMs > maxLeadMs) ? now : null;
}

/** True once the player has loaded the track of the awaited start, or never will. */
export function hasLoaded(awaited: Timeline, { status, revision }: FollowStatus): boolean {
  const isLoading = status === 'idle' || status === 'loading' || status === 'waiting-for-clock';
  return !isLoading && revision >= awaited.revision;
}

// The change to the next track. The server decides it, so that a room continues while its host's page sleeps.

/** The track after the playing one, and since when (server time) it has been next. */
export interface UpNext {
  readonly trackKey: string;
  readonly nextKey: string | null;
  readonly sinceMs: number;
}

/** When a playing track of this length ends, in server time; null when it does not end. */
export function endsAtMs(timeline: Timeline, durationSeconds: number | null): number | null {
  if (!timeline.isPlaying || timeline.trackKey === null) return null;
  if (durationSeconds === null || durationSeconds <= 0) return null;
  return timeline.atServerMs + Math.max(0, durationSeconds - timeline.positionSeconds) * 1000;
}

/** Keeps `sinceMs` while neither the playing nor the next track has changed. */
export function updateUpNext(before: UpNext | null, now: Omit<UpNext, 'sinceMs'>, nowMs: number): UpNext {
  const isSame = before?.trackKey === now.trackKey && before.nextKey === now.nextKey;
  return isSame ? before : { ...now, sinceMs: nowMs };
}

/** True when every page had time to load the next track. A repeated track is only sought back. */
export function isNextLoaded({ trackKey, nextKey, sinceMs }: UpNext, endMs: number): boolean {
  return nextKey !== null && nextKey !== trackKey && endMs - sinceMs >= nextKnownMs;
}

/**
 * When the change is sent: early enough for all members if they have loaded the next track; otherwise at the end, and
 * the start waits for loading as after any track change.
 */
export function changeDueMs({ atServerMs }: Timeline, endMs: number, isLoaded: boolean): number {
  return isLoaded ? Math.max(atServerMs, endMs - changeAheadMs) : endMs;
}

/** How long before the end of a track the next one is loaded. */
const loadAheadSeconds = 20;

/** The track that a page should have loaded besides the playing one: the next of the queue, shortly before the end. */
export function toLoadNext(
  {
    queue,
    timeline: { isPlaying, trackKey },
    afterTrack,
  }: { readonly queue: Queue; readonly timeline: Timeline; readonly afterTrack: AfterTrack },
  playing: { readonly positionSeconds: number; readonly durationSeconds: number | null },
): string | null {
  const { positionSeconds, durationSeconds } = playing;
  if (!isPlaying || durationSeconds === null || afterTrack === 'stop') return null;
  // A suggestion is chosen at the end.
  if (afterTrack === 'suggested' && isAtLast(queue)) return null;
  const { videoQueue, currentIndex } = next(queue);
  const nextKey = videoQueue[currentIndex]?.videoId ?? null;
  const isNear = durationSeconds - positionSeconds < loadAheadSeconds;
  return isNear && nextKey !== trackKey ? nextKey : null;
}
