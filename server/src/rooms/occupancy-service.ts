/**
 * Tracks whether the host, and whether anybody, is connected to a room: starts and ends the host's absence and the idle
 * time.
 */
import { type RoomId, type RoomKind, roomStream, type Uid, userStream } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { RoomRow } from '../access/subjects.ts';
import type { Log } from '../ports.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import type { HostNews } from './room-endings.ts';
import { roomById, setEmptySince, setHostAway } from './rooms-store.ts';

export interface OccupancyDeps {
  record: StreamRecord;
  log: Log;
  hostNews: Pick<HostNews, 'takeBack'>;
  /** Whether this person, and whether anybody, is connected to the room right now. */
  occupancyOf: (
    db: Kysely<Schema>,
    room: { kind: RoomKind; roomId: RoomId },
    uid: Uid,
  ) => Promise<{ isHere: boolean; isAnybody: boolean }>;
}

function judge(room: RoomRow, { isHere, isAnybody }: { isHere: boolean; isAnybody: boolean }) {
  return {
    mustMarkHost: isHere === (room.hostAwaySinceMs !== null),
    mustMarkEmpty: isAnybody === (room.emptySinceMs !== null),
    isHostHere: isHere,
    isEmpty: !isAnybody,
  };
}

export function occupancyService({ record, log, hostNews, occupancyOf }: OccupancyDeps) {
  /** Reads first and writes only on a change: most connections that enter or leave change nothing here. */
  async function occupancyChanged(ref: { kind: RoomKind; roomId: RoomId }): Promise<void> {
    const room = await roomById(record.db, ref.kind, ref.roomId);
    if (!room?.isActive) return;
    const first = judge(room, await occupancyOf(record.db, ref, room.host));
    if (!first.mustMarkHost && !first.mustMarkEmpty) return;
    const streams = [roomStream(ref.roomId), ...(room.isHostWarned ? [userStream(room.host)] : [])];
    const isWarnedSince = await record.write(streams, async (writing) => {
      const again = await roomById(writing.db, ref.kind, ref.roomId);
      if (!again?.isActive) return false;
      // A warning of this moment is taken back by a write that holds the host's stream.
      if (again.isHostWarned && !room.isHostWarned) return true;
      const found = judge(again, await occupancyOf(writing.db, ref, again.host));
      if (found.mustMarkEmpty)
        await setEmptySince(writing.db, ref.kind, ref.roomId, found.isEmpty ? writing.nowMs : null);
      if (!found.mustMarkHost) return false;
      const hostAwaySince = found.isHostHere ? null : writing.nowMs;
      await setHostAway(writing.db, ref.kind, ref.roomId, hostAwaySince);
      await writing.append(roomStream(ref.roomId), { type: 'rooms/hostAway', hostAwaySince });
      if (found.isHostHere && again.isHostWarned) await hostNews.takeBack(writing, again);
      log.info({ ...ref, isHostHere: found.isHostHere }, 'room.host-presence');
      return false;
    });
    if (isWarnedSince) await occupancyChanged(ref);
  }

  return { occupancyChanged };
}
