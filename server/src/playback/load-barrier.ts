/**
 * The load barrier of this process: holds the start in rooms whose track was changed by a request to this process, and
 * releases it as soon as the room schedule allows. A player that never reports can't block: the start is already
 * scheduled for the barrier's end, so a lost barrier costs at most 3 s.
 */
import {
  canStart,
  loadBarrierMs,
  type LoadWait,
  noLoadWait,
  onlyPresent,
  trackChanged,
  trackLoaded,
} from '@tunemate/playback';
import type { RoomId } from '@tunemate/protocol';
import type { RoomRef } from '../storage/schema.ts';

/** A start that waits until `heldUntilMs` at the latest. */
export interface HeldStart {
  room: RoomRef;
  heldUntilMs: number;
}

interface Waiting {
  wait: LoadWait;
  held: HeldStart | null;
  timers: NodeJS.Timeout[];
}

export interface LoadBarrierDeps {
  /** Called when all players have loaded. */
  release: (held: HeldStart) => void;
  /** The connections in the room, of all processes. */
  presentIn: (room: RoomRef) => Promise<string[]>;
}

/** How often connections that have left are removed from the wait. */
const lookAgainMs = 500;

export function loadBarrier({ release, presentIn }: LoadBarrierDeps) {
  const rooms = new Map<RoomId, Waiting>();

  function drop(roomId: RoomId, waiting: Waiting): void {
    for (const timer of waiting.timers) clearTimeout(timer);
    if (rooms.get(roomId) === waiting) rooms.delete(roomId);
  }

  /** The wait of this room, made if there is none; dropped once it can't hold a start any more. */
  function waitingIn(roomId: RoomId): Waiting {
    const known = rooms.get(roomId);
    if (known) return known;
    const waiting: Waiting = { wait: noLoadWait, held: null, timers: [] };
    waiting.timers.push(setTimeout(() => drop(roomId, waiting), loadBarrierMs).unref());
    rooms.set(roomId, waiting);
    return waiting;
  }

  function settle(waiting: Waiting): void {
    const { held } = waiting;
    if (held === null || !canStart(waiting.wait)) return;
    drop(held.room.roomId, waiting);
    release(held);
  }

  async function lookAgain(waiting: Waiting, room: RoomRef): Promise<void> {
    const present = new Set(await presentIn(room));
    if (rooms.get(room.roomId) !== waiting) return;
    waiting.wait = onlyPresent(waiting.wait, present);
    settle(waiting);
  }

  return {
    /** Holds the start of this revision's track for the connections that are in the room now. */
    hold(held: HeldStart, revision: number, connectionIds: readonly string[]): void {
      const { room } = held;
      const before = waitingIn(room.roomId);
      drop(room.roomId, before);
      const waiting = waitingIn(room.roomId);
      waiting.held = held;
      waiting.wait = trackChanged(before.wait, revision, connectionIds);
      // A failed query changes nothing: the start comes at its latest moment.
      const look = () => void lookAgain(waiting, room).catch(() => undefined);
      waiting.timers.push(setInterval(look, lookAgainMs).unref());
      settle(waiting);
    },
    /** A connection, of whichever process, has loaded what this revision plays. */
    ready(roomId: RoomId, revision: number, connectionId: string): void {
      const waiting = waitingIn(roomId);
      waiting.wait = trackLoaded(waiting.wait, revision, connectionId);
      settle(waiting);
    },
    close(): void {
      for (const [roomId, waiting] of rooms) drop(roomId, waiting);
    },
  };
}
export type LoadBarrier = ReturnType<typeof loadBarrier>;
