/**
 * Reads and writes rooms and members of either kind. Every function takes the database or transaction to use.
 */
import {
  type HandOver,
  hostStream,
  initialSettings,
  type RoomCode,
  type RoomId,
  type RoomKind,
  roomKinds,
  type RoomSettings,
  roomStream,
  type Uid,
} from '@tunemate/protocol';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { RoomRow } from '../../access/subjects.ts';
import { occupancyColumns, written } from '../../presence/connections-store.ts';
import { forgetAnswersIn } from '../../storage/idempotency.ts';
import { builtByName, builtOnce, countOf, isThere } from '../../storage/queries.ts';
import { forgetEntries } from '../../storage/record.ts';
import { type Db, forEachKind, type RoomRef, type RoomsTable, roomTables } from '../../storage/schema.ts';
import { deleteProposalsIn } from '../proposals/proposals.ts';

export type RoomRecord = Selectable<RoomsTable>;

/** A row of either kind. */
export function toRoom(kind: RoomKind, row: RoomRecord): RoomRow {
  return {
    kind,
    roomId: row.room_id as RoomId,
    code: row.code as RoomCode,
    name: row.name,
    host: row.host as Uid,
    createdAtMs: row.created_at_ms,
    isActive: row.is_active === 1,
    hostAwaySinceMs: row.host_away_since_ms,
    isHostWarned: row.is_host_warned === 1,
    emptySinceMs: row.empty_since_ms,
    offer: offerIn(row),
    ...settingsIn(row.settings),
  };
}

/** The settings that a room's row has as JSON; `{}` are those of a new room. */
export const settingsIn = (stored: string): RoomSettings => ({
  ...initialSettings,
  ...(JSON.parse(stored) as Partial<RoomSettings>),
});

function offerIn({
  offered_to: to,
  offered_until_ms: untilMs,
  leaves_when_taken: leaves,
}: RoomRecord): HandOver | null {
  return to === null || untilMs === null ? null : { to: to as Uid, untilMs, leaves: leaves === 1 };
}

export async function roomById(db: Db, { kind, roomId }: RoomRef): Promise<RoomRow | null> {
  const row = await db.selectFrom(roomTables[kind].rooms).selectAll().where('room_id', '=', roomId).executeTakeFirst();
  return row ? toRoom(kind, row) : null;
}

export interface Occupied {
  room: RoomRow;
  isHostHere: boolean;
  isAnybody: boolean;
}

const occupied = forEachKind((kind) =>
  builtByName(
    (_db, { roomId, place }: { roomId: RoomId; place: string }) => sql<
      RoomRecord & { is_host_here: unknown; is_anybody_here: unknown }
    >`
    select room.*, ${occupancyColumns(place, sql.ref('room.host'))} from ${sql.table(roomTables[kind].rooms)} as room
    where room_id = ${roomId}`,
  ),
);

/** The room and who is connected to it, of one moment. */
export async function occupiedRoom(db: Db, ref: RoomRef): Promise<Occupied | null> {
  const [row] = await occupied[ref.kind](db, { roomId: ref.roomId, place: written(ref) });
  if (!row) return null;
  return {
    room: toRoom(ref.kind, row),
    isHostHere: Boolean(row.is_host_here),
    isAnybody: Boolean(row.is_anybody_here),
  };
}

/** What is stored of a new room; its settings are the initial ones. */
export type NewRoom = Pick<RoomRow, 'kind' | 'roomId' | 'code' | 'name' | 'host' | 'createdAtMs'>;

/** No person is connected to it yet. */
export async function insertRoom(db: Db, room: NewRoom): Promise<void> {
  await db
    .insertInto(roomTables[room.kind].rooms)
    .values({
      room_id: room.roomId,
      code: room.code,
      name: room.name,
      host: room.host,
      created_at_ms: room.createdAtMs,
      is_active: 1,
      ended_at_ms: null,
      host_away_since_ms: null,
      empty_since_ms: room.createdAtMs,
    })
    .execute();
}

/** The live rooms of a kind, the newest first, or the one with this code. */
export async function latestLiveRooms(db: Db, kind: RoomKind, code?: RoomCode): Promise<RoomRow[]> {
  let query = db.selectFrom(roomTables[kind].rooms).selectAll().where('is_active', '=', 1);
  if (code !== undefined) query = query.where('code', '=', code);
  const rows = await query.orderBy('created_at_ms', 'desc').execute();
  return rows.map((row) => toRoom(kind, row));
}

/** The live rooms of both kinds that this person hosts. */
export async function liveRoomsHostedBy(db: Db, host: Uid): Promise<RoomRow[]> {
  const hosted = roomKinds.map(async (kind) => {
    const rows = await db
      .selectFrom(roomTables[kind].rooms)
      .selectAll()
      .where('host', '=', host)
      .where('is_active', '=', 1)
      .execute();
    return rows.map((row) => toRoom(kind, row));
  });
  return (await Promise.all(hosted)).flat();
}

/** Every room that this person hosts, ended ones too, the latest first. */
export async function roomsHostedBy(db: Db, kind: RoomKind, host: Uid): Promise<RoomRow[]> {
  const rows = await db
    .selectFrom(roomTables[kind].rooms)
    .selectAll()
    .where('host', '=', host)
    .orderBy('created_at_ms', 'desc')
    .execute();
  return rows.map((row) => toRoom(kind, row));
}

/** Live rooms of which this person is a member; with `most`, so many: hosted ones first, then the newest. */
export async function roomsJoinedBy(db: Db, kind: RoomKind, uid: Uid, most?: number): Promise<RoomRow[]> {
  const tables = roomTables[kind];
  let query = db
    .selectFrom(tables.rooms)
    .selectAll()
    .where('is_active', '=', 1)
    .where('room_id', 'in', (inner) => inner.selectFrom(tables.participants).select('room_id').where('uid', '=', uid));
  if (most !== undefined) {
    query = query
      .orderBy(sql`case when host = ${uid} then 0 else 1 end`)
      .orderBy('created_at_ms', 'desc')
      .limit(most);
  }
  const rows = await query.execute();
  return rows.map((row) => toRoom(kind, row));
}

export async function isMember(db: Db, { kind, roomId }: RoomRef, uid: Uid): Promise<boolean> {
  const members = db.selectFrom(roomTables[kind].participants).select('uid').where('room_id', '=', roomId);
  return await isThere(members.where('uid', '=', uid));
}

export async function addMember(db: Db, { kind, roomId }: RoomRef, uid: Uid, joinedAtMs: number): Promise<void> {
  await joining[kind](db, roomId, uid, joinedAtMs);
}

const joining = forEachKind((kind) =>
  builtOnce((db, roomId: RoomId, uid: Uid, joinedAtMs: number) =>
    db
      .insertInto(roomTables[kind].participants)
      .values({ room_id: roomId, uid, joined_at_ms: joinedAtMs })
      .onConflict((conflict) => conflict.doNothing()),
  ),
);

export async function removeMember(db: Db, { kind, roomId }: RoomRef, uid: Uid): Promise<void> {
  await db.deleteFrom(roomTables[kind].participants).where('room_id', '=', roomId).where('uid', '=', uid).execute();
}

/** How many of these people are members. */
export async function countMembers(db: Db, { kind, roomId }: RoomRef, uids: readonly Uid[]): Promise<number> {
  const members = db.selectFrom(roomTables[kind].participants).where('room_id', '=', roomId);
  return await countOf(members.where('uid', 'in', [...uids]));
}

/**
 * Marks the room as ended and deletes its messages and playback, also from stream entries and kept answers. Its members
 * stay stored, so that they still learn that it ended.
 */
export async function closeRoom(db: Db, room: RoomRef, endedAtMs: number): Promise<void> {
  const { roomId } = room;
  const tables = roomTables[room.kind];
  await setRoom(db, room, { is_active: 0, ended_at_ms: endedAtMs });
  await db.deleteFrom(tables.chat).where('room_id', '=', roomId).execute();
  await db.deleteFrom(tables.stamps).where('room_id', '=', roomId).execute();
  await db.deleteFrom(tables.playback).where('room_id', '=', roomId).execute();
  await db.deleteFrom('queue_items').where('room_id', '=', roomId).execute();
  await deleteProposalsIn(db, roomId);
  await db.deleteFrom('skip_votes').where('room_id', '=', roomId).execute();
  await db.deleteFrom('room_invitations').where('room_id', '=', roomId).execute();
  await forgetEntries(db, [roomStream(roomId), hostStream(roomId)]);
  await forgetAnswersIn(db, roomId);
}

/** Changes columns of the room's row. */
export async function setRoom(db: Db, { kind, roomId }: RoomRef, values: Updateable<RoomsTable>): Promise<void> {
  await db.updateTable(roomTables[kind].rooms).set(values).where('room_id', '=', roomId).execute();
}

/** Live rooms whose host has been away, or which have been empty, since before these times. */
export async function abandonedRooms(
  db: Db,
  kind: RoomKind,
  before: { hostAwayMs: number; emptyMs: number },
): Promise<RoomRow[]> {
  const rows = await db
    .selectFrom(roomTables[kind].rooms)
    .selectAll()
    .where('is_active', '=', 1)
    .where((either) =>
      either.or([
        either('host_away_since_ms', '<=', before.hostAwayMs),
        either('empty_since_ms', '<=', before.emptyMs),
      ]),
    )
    .execute();
  return rows.map((row) => toRoom(kind, row));
}

/** Databases bound the parameters of one query. */
const roomsAtOnce = 500;

/** Deletes ended rooms entirely. */
export async function forgetRooms(db: Db, kind: RoomKind, endedBeforeMs: number): Promise<void> {
  const tables = roomTables[kind];
  const ended = db.selectFrom(tables.rooms).select('room_id').where('ended_at_ms', '<', endedBeforeMs);
  const rooms = (await ended.limit(roomsAtOnce).execute()).map((row) => row.room_id as RoomId);
  if (rooms.length === 0) return;
  for (const table of [tables.participants, tables.requests] as const) {
    await db.deleteFrom(table).where('room_id', 'in', rooms).execute();
  }
  await db.deleteFrom('room_invitations').where('room_id', 'in', rooms).execute();
  const streams = rooms.flatMap((roomId) => [roomStream(roomId), hostStream(roomId)]);
  await forgetEntries(db, streams);
  await db.deleteFrom('streams').where('stream', 'in', streams).execute();
  await db.deleteFrom(tables.rooms).where('room_id', 'in', rooms).execute();
}

export const noOffer = { offered_to: null, offered_until_ms: null, leaves_when_taken: 0 };

/** Withdraws an offer to this person; false when there is none. */
export async function forgetOfferTo(db: Db, { kind, roomId }: RoomRef, uid: Uid): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(roomTables[kind].rooms)
    .set(noOffer)
    .where('room_id', '=', roomId)
    .where('offered_to', '=', uid)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
