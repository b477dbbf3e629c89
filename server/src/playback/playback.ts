/**
 * Playback of all rooms on this process: the service with what it keeps in memory, which is round-trip times, the load
 * barrier, and the timers of the ends of tracks.
 */
import { roomStream } from '@tunemate/protocol';
import { playbackService, type PlaybackDeps } from './playback-service.ts';
import { roundTrips } from './round-trips.ts';
import { loadBarrier, trackEnds } from './room-timers.ts';
import type { Log } from '../system/ports.ts';
import { connectionsInRoom, setRoundTrips } from '../presence/connections-store.ts';
import type { Doorbell, DoorbellMessage } from '../realtime/feed.ts';
import type { RoomRef } from '../storage/schema.ts';

export interface PlaybackParts extends Omit<PlaybackDeps, 'barrier' | 'trackEnds' | 'roundTrips' | 'announceReady'> {
  log: Log;
  doorbell: Pick<Doorbell, 'notify' | 'follow' | 'unfollow'>;
}

export type Playback = ReturnType<typeof openPlayback>;

export function openPlayback(parts: PlaybackParts) {
  const { record, clock, log, doorbell } = parts;
  const barrier = loadBarrier({
    release: (held) => {
      playback.release(held).catch((error: unknown) => log.warn({ err: error }, 'playback.release-failed'));
    },
    presentIn: async (room) => (await connectionsInRoom(record.db, room)).map(({ connectionId }) => connectionId),
    setWaiting(roomId, isWaiting) {
      if (isWaiting) void doorbell.follow(roomStream(roomId), 'load-barrier');
      else doorbell.unfollow(roomStream(roomId), 'load-barrier');
    },
  });
  const trips = roundTrips({
    clock,
    log,
    save: (measured) => record.write([], ({ db }) => setRoundTrips(db, measured)),
  });
  const ends = trackEnds({ clock, log, change: (room, endOf) => playback.changeAtEnd(room, endOf) });
  const playback = playbackService({
    ...{ ...parts, barrier, trackEnds: ends, roundTrips: trips },
    announceReady: (roomId, revision, connectionId) =>
      doorbell.notify({ type: 'ready', roomId, revision, connectionId }),
  });
  const judging = new Set<Promise<void>>();
  function guestsChanged(room: RoomRef): void {
    const judged = playback
      .judgeSkipVotes(room)
      .catch((error: unknown) => log.warn({ err: error }, 'playback.votes-not-judged'))
      .finally(() => judging.delete(judged));
    judging.add(judged);
  }
  return {
    handlers: playback.handlers,
    probe: playback.probe,
    /** After the commit of what changed which guests of a room are present, or what their votes decide. */
    guestsChanged,
    enqueue: playback.enqueue,
    goOnByItself: playback.goOnByItself,
    /** Changes the tracks that have ended without a process that watched them. */
    changeOverdue: () => playback.changeOverdue(log),
    /** A player has loaded, reported by any process. */
    ready: ({ roomId, revision, connectionId }: Extract<DoorbellMessage, { type: 'ready' }>) =>
      barrier.ready(roomId, revision, connectionId),
    forget: (connectionId: string) => trips.forget(connectionId),
    /** Finishes counting votes. */
    async close(): Promise<void> {
      await Promise.all(judging);
      barrier.close();
      ends.close();
      trips.close();
    },
  };
}
