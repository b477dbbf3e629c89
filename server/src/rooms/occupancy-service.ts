/**
 * Tracks whether the host, and whether anybody, is connected to a room: starts and ends the host's absence and the idle
 * time.
 */
import { type RoomId, type RoomKind, roomStream, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { RoomRow } from '../access/subjects.ts';
import type { Log } from '../ports.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { roomById, setEmptySince, setHostAway } from './rooms-store.ts';

export interface OccupancyDeps {
  record: StreamRecord;
  log: Log;
  /** Who is connected to the room right now. */
  presentIn: (db: Kysely<Schema>, room: { kind: RoomKind; roomId: RoomId }) => Promise<{ uid: Uid }[]>;
}

function judge(room: RoomRow, present: { uid: Uid }[]) {
  const isHostHere = present.some(({ uid }) => uid === room.host);
  return {
    mustMarkHost: isHostHere === (room.hostAwaySinceMs !== null),
    mustMarkEmpty: present.length > 0 === (room.emptySinceMs !== null),
    isHostHere,
    isEmpty: present.length === 0,
  };
}

export function occupancyService({ record, log, presentIn }: OccupancyDeps) {
  /** Reads first and writes only on a change: most connections that enter or leave change nothing here. */
  async function occupancyChanged(ref: { kind: RoomKind; roomId: RoomId }): Promise<void> {
    const room = await roomById(record.db, ref.kind, ref.roomId);
    if (!room?.isActive) return;
    const first = judge(room, await presentIn(record.db, ref));
    if (!first.mustMarkHost && !first.mustMarkEmpty) return;
    await record.write([roomStream(ref.roomId)], async (writing) => {
      const again = await roomById(writing.db, ref.kind, ref.roomId);
      if (!again?.isActive) return;
      const found = judge(again, await presentIn(writing.db, ref));
      if (found.mustMarkEmpty)
        await setEmptySince(writing.db, ref.kind, ref.roomId, found.isEmpty ? writing.nowMs : null);
      if (!found.mustMarkHost) return;
      const hostAwaySince = found.isHostHere ? null : writing.nowMs;
      await setHostAway(writing.db, ref.kind, ref.roomId, hostAwaySince);
      await writing.append(roomStream(ref.roomId), { type: 'rooms/hostAway', hostAwaySince });
      log.info({ ...ref, isHostHere: found.isHostHere }, 'room.host-presence');
    });
  }

  return { occupancyChanged };
}
