/**
 * Tracks whether the host, and whether anybody, is connected to a room: starts and ends the host's absence and the idle
 * time.
 */
import { roomStream, userStream } from '@tunemate/protocol';
import type { Log } from '../../system/ports.ts';
import type { StreamRecord } from '../../storage/record.ts';
import type { RoomRef } from '../../storage/schema.ts';
import type { HostNews } from './room-endings.ts';
import { type Occupied, type OccupancyColumns, occupiedRoom, setEmptySince, setHostAway } from './rooms-store.ts';

export interface OccupancyDeps {
  record: StreamRecord;
  log: Log;
  hostNews: Pick<HostNews, 'takeBack'>;
  /** How a query asks who is connected to a room right now. */
  occupancyColumns: OccupancyColumns;
}

function judge({ room, isHostHere, isAnybody }: Occupied) {
  return {
    mustMarkHost: isHostHere === (room.hostAwaySinceMs !== null),
    mustMarkEmpty: isAnybody === (room.emptySinceMs !== null),
    isHostHere,
    isEmpty: !isAnybody,
  };
}

export function occupancyService({ record, log, hostNews, occupancyColumns }: OccupancyDeps) {
  /** Reads first and writes only on a change: most connections that enter or leave change nothing here. */
  async function occupancyChanged(ref: RoomRef): Promise<void> {
    const before = await occupiedRoom(record.db, ref, occupancyColumns);
    if (!before?.room.isActive) return;
    const { room } = before;
    const { kind, roomId } = room;
    const first = judge(before);
    if (!first.mustMarkHost && !first.mustMarkEmpty) return;
    const streams = [roomStream(roomId), ...(room.isHostWarned ? [userStream(room.host)] : [])];
    const isWarnedSince = await record.write(streams, async (writing) => {
      const now = await occupiedRoom(writing.db, ref, occupancyColumns);
      if (!now?.room.isActive) return false;
      const again = now.room;
      // A warning of this moment is taken back by a write that holds the host's stream.
      if (again.isHostWarned && !room.isHostWarned) return true;
      const found = judge(now);
      if (found.mustMarkEmpty) await setEmptySince(writing.db, kind, roomId, found.isEmpty ? writing.nowMs : null);
      if (!found.mustMarkHost) return false;
      const hostAwaySince = found.isHostHere ? null : writing.nowMs;
      await setHostAway(writing.db, kind, roomId, hostAwaySince);
      await writing.append(roomStream(roomId), { type: 'rooms/hostAway', hostAwaySince });
      if (found.isHostHere && again.isHostWarned) await hostNews.takeBack(writing, again);
      log.info({ kind, roomId, isHostHere: found.isHostHere }, 'room.host-presence');
      return false;
    });
    if (isWarnedSince) await occupancyChanged(ref);
  }

  return { occupancyChanged };
}
