/**
 * Changes the track when one ends, in the rooms whose playback was last changed on this process. The host's page reports
 * the end too, but a phone whose screen is locked may not; whichever comes second changes nothing. A lost timer (the
 * process ended) leaves that report.
 */
import { changeDueMs, endsAtMs, isNextLoaded, noticeNext, type UpNext } from '@tunemate/playback';
import { isLibraryId, type RoomId } from '@tunemate/protocol';
import type { Clock, Log } from '../system/ports.ts';
import type { RoomRef } from '../storage/schema.ts';
import type { PlaybackState } from './playback-document.ts';
import { afterEnd, durationOf } from './playback-intents.ts';

/** Of a track that ends: when, and whether its successor starts at that very moment. */
export interface TrackEnd {
  endMs: number;
  isNextLoaded: boolean;
}

export interface TrackEndsDeps {
  clock: Clock;
  log: Log;
  /** Changes the track if it still ends like this, and watches what plays then; false once the room is over or empty. */
  change: (room: RoomRef, endOf: (state: PlaybackState) => TrackEnd | null) => Promise<boolean>;
  retryMs?: number;
}

/** Beyond this a timer of Node's would fire at once. */
const longestTimerMs = 2 ** 31 - 1;
/** A change that failed, as when the database is away, is tried again after this long. */
const tryAgainMs = 2000;
/** A timer that came early is set again for no less. */
const shortestTimerMs = 20;

export function trackEnds({ clock, log, change, retryMs = tryAgainMs }: TrackEndsDeps) {
  const rooms = new Map<RoomId, { timer: NodeJS.Timeout; upNext: UpNext }>();

  function forget(roomId: RoomId): void {
    clearTimeout(rooms.get(roomId)?.timer);
    rooms.delete(roomId);
  }

  /** How this track ends; null where it does not, or where only its player knows when. */
  function endOf(upNext: UpNext | null, state: PlaybackState): { end: TrackEnd; upNext: UpNext } | null {
    const { trackKey } = state.timeline;
    const endMs = endsAtMs(state.timeline, durationOf(state));
    if (endMs === null || trackKey === null || !isLibraryId(trackKey)) return null;
    const nextKey = afterEnd(state);
    const known = noticeNext(upNext, { trackKey, nextKey }, clock.now());
    const isLoaded = nextKey !== null && isLibraryId(nextKey) && isNextLoaded(known, endMs);
    return { end: { endMs, isNextLoaded: isLoaded }, upNext: known };
  }

  async function onDue(room: RoomRef, upNext: UpNext): Promise<void> {
    const isWatched = await change(room, (now) => {
      const found = endOf(upNext, now);
      if (found === null) return null;
      const dueMs = changeDueMs(now.timeline, found.end.endMs, found.end.isNextLoaded);
      return clock.now() >= dueMs ? found.end : null;
    });
    if (!isWatched) forget(room.roomId);
  }

  function changeIn(ms: number, room: RoomRef, upNext: UpNext): void {
    const timer = setTimeout(() => {
      onDue(room, upNext).catch((error: unknown) => {
        log.warn({ err: error }, 'playback.change-at-end-failed');
        // Unless the room was changed, or left, meanwhile.
        if (rooms.get(room.roomId)?.timer === timer) changeIn(retryMs, room, upNext);
      });
    }, ms).unref();
    rooms.set(room.roomId, { timer, upNext });
  }

  function watch(room: RoomRef, state: PlaybackState): void {
    const { roomId } = room;
    const before = rooms.get(roomId)?.upNext ?? null;
    forget(roomId);
    const found = endOf(before, state);
    if (found === null) return;
    const { end, upNext } = found;
    const waitMs = changeDueMs(state.timeline, end.endMs, end.isNextLoaded) - clock.now();
    changeIn(Math.min(longestTimerMs, Math.max(shortestTimerMs, waitMs)), room, upNext);
  }

  return {
    /** What the room plays after a change made by this process. */
    watch,
    close(): void {
      for (const roomId of [...rooms.keys()]) forget(roomId);
    },
  };
}
export type TrackEnds = ReturnType<typeof trackEnds>;
