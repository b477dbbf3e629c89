/**
 * Tracks whether the host, and whether any person, is connected to a room: starts and ends the host's absence and the
 * idle time. A host who stays away is warned in their notifications before the room ends, and informed when it has
 * ended.
 */
import { operatorName } from '@tunemate/domain';
import { type RoomKind, roomStream, type StreamId, userStream } from '@tunemate/protocol';
import type { RoomRow } from '../../access/subjects.ts';
import { findNotificationFrom } from '../../notifications/notifications-store.ts';
import { deliver, type DeliveryDeps, streamsOfDelivery, withdraw } from '../../notifications/notifications.ts';
import { together, type StreamRecord, type Writing } from '../../storage/record.ts';
import { type Db, type RoomRef, roomTables } from '../../storage/schema.ts';
import type { Log } from '../../system/ports.ts';
import { changeSettings } from '../hosting/settings.ts';
import { type Occupied, occupiedRoom, roomById, setRoom, toRoom } from './rooms-store.ts';

function judge({ room, isHostHere, isAnybody }: Occupied) {
  return {
    mustMarkHost: isHostHere === (room.hostAwaySinceMs !== null),
    mustMarkEmpty: isAnybody === (room.emptySinceMs !== null),
    isHostHere,
    isEmpty: !isAnybody,
  };
}

/**
 * A connection entered or left the room. Reads first and writes only on a change: most connections that come or go
 * change nothing here.
 */
export async function occupancyChanged(
  { record, log }: { record: StreamRecord; log: Log },
  ref: RoomRef,
): Promise<void> {
  const before = await occupiedRoom(record.db, ref);
  if (!before?.room.isActive) return;
  const first = judge(before);
  if (!first.mustMarkHost && !first.mustMarkEmpty) return;
  const streams = together([roomStream(ref.roomId)], (db) => streamsOfWarning(db, ref));
  await record.write(streams, async (writing) => {
    const now = await occupiedRoom(writing.db, ref);
    if (!now?.room.isActive) return;
    const { kind, roomId } = now.room;
    const found = judge(now);
    if (found.mustMarkEmpty) await setRoom(writing.db, ref, { empty_since_ms: found.isEmpty ? writing.nowMs : null });
    if (!found.mustMarkHost) return;
    const hostAwaySince = found.isHostHere ? null : writing.nowMs;
    // A new absence has no warning yet.
    await setRoom(writing.db, ref, { host_away_since_ms: hostAwaySince, is_host_warned: 0 });
    await writing.append(roomStream(roomId), { type: 'rooms/hostAway', hostAwaySince });
    if (found.isHostHere) {
      await withdrawWarning(writing, now.room);
      await changeSettings(writing, now.room, { housePlays: false });
    }
    log.info({ kind, roomId, isHostHere: found.isHostHere }, 'room.host-presence');
  });
}

/**
 * The streams that `withdrawWarning` appends to, of the room as it is read. A write takes this function, which is
 * called again behind the locks: a warning may be stored in between.
 */
export async function streamsOfWarning(db: Db, ref: RoomRef): Promise<StreamId[]> {
  const room = await roomById(db, ref);
  return room?.isHostWarned ? [userStream(room.host)] : [];
}

/** The host is back, or ended the room: removes the warning that they have. `room` is read in this write. */
export async function withdrawWarning(writing: Writing, { roomId, host, isHostWarned }: RoomRow): Promise<void> {
  if (!isHostWarned) return;
  const warning = await findNotificationFrom(writing.db, host, host, 'host-away', roomId);
  if (warning !== null) await withdraw(writing, host, warning.id);
}

/** Warns the host of one room, once for each absence. */
export async function warnHost(deps: DeliveryDeps & { record: StreamRecord }, room: RoomRow): Promise<void> {
  const { host } = room;
  const streams = together([roomStream(room.roomId)], (db) => streamsOfDelivery(db, host));
  await deps.record.write(streams, async (writing) => {
    const now = await roomById(writing.db, room);
    if (!now?.isActive || now.host !== host || now.isHostWarned || now.hostAwaySinceMs === null) return;
    await setRoom(writing.db, room, { is_host_warned: 1 });
    await notifyHost(writing, deps, now, false);
  });
}

/**
 * Delivers that the room ends soon, or that it has ended, within a write that holds `streamsOfDelivery` of its host. No
 * person sent it, and the second takes the place of the first.
 */
export async function notifyHost(
  writing: Writing,
  deps: DeliveryDeps,
  { roomId, kind, code, name, host }: RoomRow,
  hasEnded: boolean,
): Promise<void> {
  const notification = {
    type: 'host-away',
    senderName: operatorName,
    senderUid: host,
    room: { kind, code, name, letsInUntil: null, hasEnded },
  } as const;
  await deliver(writing, deps, host, notification, roomId);
}

/** Live rooms whose host has been away since before this time and was not warned. */
export async function roomsToWarnOf(db: Db, kind: RoomKind, awayBeforeMs: number): Promise<RoomRow[]> {
  const rows = await db
    .selectFrom(roomTables[kind].rooms)
    .selectAll()
    .where('is_active', '=', 1)
    .where('is_host_warned', '=', 0)
    .where('host_away_since_ms', '<=', awayBeforeMs)
    .execute();
  return rows.map((row) => toRoom(kind, row));
}
