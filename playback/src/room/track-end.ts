/**
 * The change to the next track at the moment one ends: when it is decided, and when it takes effect. The server and the
 * simulated server both run this, so a room goes on by itself when its host's page sleeps. Pure.
 */
import { isAtLast, next, type Queue } from './queue.ts';
import type { AfterTrack } from './room-playback.ts';
import type { Timeline } from './timeline.ts';
import { changeAheadMs, nextKnownMs } from '../timings.ts';

/** What comes after the track that plays, and since when (server time) that has been so. */
export interface UpNext {
  readonly trackKey: string;
  readonly nextKey: string | null;
  readonly sinceMs: number;
}

/** When a playing track of this length ends, in server time; null where nothing ends. */
export function endsAtMs(timeline: Timeline, durationSeconds: number | null): number | null {
  if (!timeline.isPlaying || timeline.trackKey === null) return null;
  if (durationSeconds === null || durationSeconds <= 0) return null;
  return timeline.atServerMs + Math.max(0, durationSeconds - timeline.positionSeconds) * 1000;
}

/** What comes next, kept for as long as neither it nor what plays has changed. */
export function noticeNext(before: UpNext | null, now: Omit<UpNext, 'sinceMs'>, nowMs: number): UpNext {
  const isSame = before?.trackKey === now.trackKey && before.nextKey === now.nextKey;
  return isSame ? before : { ...now, sinceMs: nowMs };
}

/** True where every page had time to load what comes next. A track that is repeated is only sought back. */
export function isNextLoaded({ trackKey, nextKey, sinceMs }: UpNext, endMs: number): boolean {
  return nextKey !== null && nextKey !== trackKey && endMs - sinceMs >= nextKnownMs;
}

/**
 * When the change is decided: so early that everybody hears of it before the end, where the next track is loaded by
 * then; otherwise at the end, and the start waits for loading as after any change of track.
 */
export function changeDueMs({ atServerMs }: Timeline, endMs: number, isLoaded: boolean): number {
  return isLoaded ? Math.max(atServerMs, endMs - changeAheadMs) : endMs;
}

/** How long before the end of a track the next one is loaded. */
const loadAheadSeconds = 20;

/** What a page should have loaded by now beside the track that plays: the next of the queue, shortly before the end. */
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
  // What is suggested is decided at the end.
  if (afterTrack === 'suggested' && isAtLast(queue)) return null;
  const { videoQueue, currentIndex } = next(queue);
  const nextKey = videoQueue[currentIndex]?.videoId ?? null;
  const isNear = durationSeconds - positionSeconds < loadAheadSeconds;
  return isNear && nextKey !== trackKey ? nextKey : null;
}
