/**
 * Reads and writes requests to join rooms of either kind. Every function takes the database or transaction to use.
 */
import { type RequestFact, requestLifetimeMs } from '@tunemate/domain';
import { limits, type RoomId, type RoomKind, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { RoomRow } from '../../access/subjects.ts';
import { roomTables, type Schema } from '../../storage/schema.ts';
import { roomById } from '../lifecycle/rooms-store.ts';

type Db = Kysely<Schema>;

/** Requests that still wait for the host, oldest first. */
export async function pendingRequests(db: Db, kind: RoomKind, roomId: RoomId, nowMs: number) {
  const rows = await db
    .selectFrom(roomTables[kind].requests)
    .selectAll()
    .where('room_id', '=', roomId)
    .where('status', '=', 'pending')
    .where('renewed_at_ms', '>', nowMs - requestLifetimeMs)
    .orderBy('asked_at_ms')
    .limit(limits.pendingPerRoom)
    .execute();
  return rows.map((row) => ({
    uid: row.uid as Uid,
    name: row.name,
    status: 'pending' as const,
    askedAt: row.asked_at_ms,
  }));
}

/** Pending requests in live rooms whose pages are gone. */
export async function overdueRequests(db: Db, kind: RoomKind, nowMs: number): Promise<{ room: RoomRow; uid: Uid }[]> {
  const tables = roomTables[kind];
  const rows = await db
    .selectFrom(tables.requests)
    .select(['room_id', 'uid'])
    .where('status', '=', 'pending')
    .where('renewed_at_ms', '<=', nowMs - requestLifetimeMs)
    .execute();
  const overdue: { room: RoomRow; uid: Uid }[] = [];
  for (const row of rows) {
    const room = await roomById(db, kind, row.room_id as RoomId);
    if (room?.isActive) overdue.push({ room, uid: row.uid as Uid });
  }
  return overdue;
}

export async function saveRequest(
  db: Db,
  kind: RoomKind,
  roomId: RoomId,
  asker: { uid: Uid; name: string },
  fact: RequestFact,
): Promise<void> {
  const values = {
    name: asker.name,
    status: fact.status,
    asked_at_ms: fact.askedAtMs,
    renewed_at_ms: fact.renewedAtMs,
    answered_at_ms: fact.answeredAtMs,
    times_asked: fact.timesDeclined,
  };
  await db
    .insertInto(roomTables[kind].requests)
    .values({ room_id: roomId, uid: asker.uid, ...values })
    .onConflict((conflict) => conflict.columns(['room_id', 'uid']).doUpdateSet(values))
    .execute();
}

/** False where the request no longer waits. One statement, so that it never renews what lapses at the same moment. */
export async function renewRequest(db: Db, kind: RoomKind, roomId: RoomId, uid: Uid, nowMs: number): Promise<boolean> {
  const renewed = await db
    .updateTable(roomTables[kind].requests)
    .set({ renewed_at_ms: nowMs })
    .where('room_id', '=', roomId)
    .where('uid', '=', uid)
    .where('status', '=', 'pending')
    .where('renewed_at_ms', '>', nowMs - requestLifetimeMs)
    .executeTakeFirst();
  return renewed.numUpdatedRows === 1n;
}

/** False where it was renewed, answered or withdrawn meanwhile. */
export async function lapseRequest(db: Db, kind: RoomKind, roomId: RoomId, uid: Uid, nowMs: number): Promise<boolean> {
  const lapsed = await db
    .updateTable(roomTables[kind].requests)
    .set({ status: 'lapsed' })
    .where('room_id', '=', roomId)
    .where('uid', '=', uid)
    .where('status', '=', 'pending')
    .where('renewed_at_ms', '<=', nowMs - requestLifetimeMs)
    .executeTakeFirst();
  return lapsed.numUpdatedRows === 1n;
}

export async function setRequestStatus(
  db: Db,
  kind: RoomKind,
  roomId: RoomId,
  uid: Uid,
  status: RequestFact['status'],
): Promise<void> {
  const { requests } = roomTables[kind];
  await db.updateTable(requests).set({ status }).where('room_id', '=', roomId).where('uid', '=', uid).execute();
}

export async function removeRequest(db: Db, kind: RoomKind, roomId: RoomId, uid: Uid): Promise<void> {
  await db.deleteFrom(roomTables[kind].requests).where('room_id', '=', roomId).where('uid', '=', uid).execute();
}
