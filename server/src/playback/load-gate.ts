/**
 * The load barrier of this process: after a track change it waits until every connection that was there reports the
 * track loaded, and then lets the music start early. What never reports can't block: the start is already scheduled
 * for the barrier's end, so a barrier that is lost costs at most 3 s.
 */
import { LOAD_BARRIER_MS } from '@tunemate/playback';
import type { RoomId, RoomKind } from '@tunemate/protocol';

interface RoomName {
  kind: RoomKind;
  roomId: RoomId;
}

interface Held {
  room: RoomName;
  revision: number;
  missing: Set<string>;
  timer: NodeJS.Timeout;
}

export function loadGate(release: (room: RoomName, revision: number) => void) {
  const held = new Map<RoomId, Held>();
  /** Reports may overtake the write they answer: remembered for a moment. */
  const early = new Map<RoomId, { revision: number; connectionIds: Set<string> }>();

  function drop(roomId: RoomId): void {
    clearTimeout(held.get(roomId)?.timer);
    held.delete(roomId);
    early.delete(roomId);
  }

  function settle(entry: Held): void {
    if (entry.missing.size > 0) return;
    drop(entry.room.roomId);
    release(entry.room, entry.revision);
  }

  return {
    await(room: RoomName, revision: number, connectionIds: string[]): void {
      const before = early.get(room.roomId);
      drop(room.roomId);
      const already = before?.revision === revision ? before.connectionIds : new Set<string>();
      const timer = setTimeout(() => drop(room.roomId), LOAD_BARRIER_MS);
      const entry = { room, revision, missing: new Set(connectionIds.filter((id) => !already.has(id))), timer };
      held.set(room.roomId, entry);
      settle(entry);
    },
    ready(roomId: RoomId, revision: number, connectionId: string): void {
      const entry = held.get(roomId);
      if (entry?.revision === revision) {
        entry.missing.delete(connectionId);
        settle(entry);
        return;
      }
      if (entry && entry.revision > revision) return;
      const remembered = early.get(roomId);
      if (remembered?.revision === revision) remembered.connectionIds.add(connectionId);
      else {
        const first = { revision, connectionIds: new Set([connectionId]) };
        early.set(roomId, first);
        setTimeout(() => early.get(roomId) === first && early.delete(roomId), LOAD_BARRIER_MS).unref();
      }
    },
    close(): void {
      for (const roomId of held.keys()) drop(roomId);
    },
  };
}
