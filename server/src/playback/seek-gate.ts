/**
 * A host who drags the needle sends many seeks: at most four a second of one room go out, and the last one wins (B66).
 */
import type { RoomId } from '@tunemate/protocol';
import type { Clock } from '../ports.ts';

const spacingMs = 250;

export interface SeekGate {
  /** Resolves when this seek may go out: true, or false when a later one took its place. */
  pass(roomId: RoomId): Promise<boolean>;
}

interface Waiting {
  nextAtMs: number;
  supersede: (() => void) | null;
}

export function seekGate(clock: Clock): SeekGate {
  const rooms = new Map<RoomId, Waiting>();
  return {
    pass(roomId) {
      const nowMs = clock.now();
      const room = rooms.get(roomId) ?? { nextAtMs: 0, supersede: null };
      rooms.set(roomId, room);
      room.supersede?.();
      room.supersede = null;
      const waitMs = room.nextAtMs - nowMs;
      if (waitMs <= 0) {
        room.nextAtMs = nowMs + spacingMs;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          room.supersede = null;
          room.nextAtMs = clock.now() + spacingMs;
          resolve(true);
          // Nobody has seeked since: the room needs no gate any more.
          setTimeout(
            () => room.supersede === null && clock.now() >= room.nextAtMs && rooms.delete(roomId),
            spacingMs,
          ).unref();
        }, waitMs);
        room.supersede = () => {
          clearTimeout(timer);
          resolve(false);
        };
      });
    },
  };
}
