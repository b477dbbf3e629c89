/**
 * Throttles the seeks of a room: at most four a second are applied, and the last one wins (HOST-5). A seek that waits
 * blocks no request, and is applied before any later write of the room.
 */
import type { RoomId } from '@tunemate/protocol';
import type { Clock, Log } from '../system/ports.ts';

const spacingMs = 250;

export interface SeekThrottle {
  /**
   * Applies the seek now and returns its answer; null when the seek has to wait, in which case a later one may replace
   * it.
   */
  pass<T>(roomId: RoomId, apply: () => Promise<T>): Promise<T | null>;
  /** Resolves when no seek of the room waits any more. */
  flush(roomId: RoomId): Promise<void>;
  /** Applies the waiting seeks of all rooms, before the process stops. */
  flushAll(): Promise<void>;
}

interface Waiting {
  nextAtMs: number;
  apply: (() => Promise<unknown>) | null;
  timer: NodeJS.Timeout | null;
}

export function seekThrottle(clock: Pick<Clock, 'now'>, log: Log): SeekThrottle {
  const rooms = new Map<RoomId, Waiting>();

  async function flush(roomId: RoomId): Promise<void> {
    const room = rooms.get(roomId);
    const apply = room?.apply;
    if (!room || !apply) return;
    if (room.timer) clearTimeout(room.timer);
    Object.assign(room, { apply: null, timer: null, nextAtMs: clock.now() + spacingMs });
    forgetLater(roomId, room);
    try {
      await apply();
    } catch (error) {
      log.warn({ err: error }, 'playback.seek-failed');
    }
  }

  /** Drops the state of a room without seeks for a while. */
  function forgetLater(roomId: RoomId, room: Waiting): void {
    const forget = () => {
      if (rooms.get(roomId) === room && room.apply === null && clock.now() >= room.nextAtMs) rooms.delete(roomId);
    };
    setTimeout(forget, 2 * spacingMs).unref();
  }

  return {
    async pass(roomId, apply) {
      const room = rooms.get(roomId) ?? { nextAtMs: 0, apply: null, timer: null };
      rooms.set(roomId, room);
      const waitMs = room.nextAtMs - clock.now();
      if (waitMs <= 0 && room.apply === null) {
        room.nextAtMs = clock.now() + spacingMs;
        forgetLater(roomId, room);
        return await apply();
      }
      room.apply = apply;
      room.timer ??= setTimeout(() => void flush(roomId), Math.max(0, waitMs));
      return null;
    },
    flush,
    async flushAll() {
      await Promise.all([...rooms.keys()].map(flush));
    },
  };
}
