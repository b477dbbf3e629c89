/** Whose room ends soon without them, and who was warned of it. Every function takes the database or transaction to use. */
import type { RoomId, RoomKind } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { RoomRow } from '../../access/subjects.ts';
import { roomTables, type Schema } from '../../storage/schema.ts';
import { toRoom } from './rooms-store.ts';

type Db = Kysely<Schema>;

export async function setHostWarned(db: Db, kind: RoomKind, roomId: RoomId): Promise<void> {
  await db.updateTable(roomTables[kind].rooms).set({ is_host_warned: 1 }).where('room_id', '=', roomId).execute();
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
