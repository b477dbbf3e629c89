/**
 * Reads a room together with one person's membership and request in it: one statement, so that all three are of one
 * moment.
 */
import type { RequestFact } from '@tunemate/domain';
import type { RoomId, RoomKind, Uid } from '@tunemate/protocol';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RoomRow } from '../access/subjects.ts';
import { roomTables } from '../storage/room-tables.ts';
import type { RequestsTable, Schema } from '../storage/schema.ts';
import { type RoomRecord, toRoom } from './rooms-store.ts';

type Db = Kysely<Schema>;

/** The room, whether this person is in it (the host always is), and their request. */
export interface MembershipFacts {
  room: RoomRow;
  isInside: boolean;
  request: RequestFact | null;
}

/** In the live room with this code, or else the latest that had it. */
export function membershipByCode(db: Db, kind: RoomKind, code: string, uid: Uid): Promise<MembershipFacts | null> {
  const rooms = sql.table(roomTables[kind].rooms);
  // Found first and read then: the whole row would be sorted for its place among those of the code.
  const latest = sql`select room_id from ${rooms} where code = ${code} order by is_active desc, created_at_ms desc limit 1`;
  return read(db, kind, uid, sql`room.room_id = (${latest})`);
}

export function membershipById(db: Db, kind: RoomKind, roomId: RoomId, uid: Uid): Promise<MembershipFacts | null> {
  return read(db, kind, uid, sql`room.room_id = ${roomId}`);
}

type Row = RoomRecord & {
  member: string | null;
  status: RequestsTable['status'] | null;
  asked_at_ms: number;
  renewed_at_ms: number;
  answered_at_ms: number | null;
  times_asked: number;
};

async function read(db: Db, kind: RoomKind, uid: Uid, which: RawBuilder<unknown>): Promise<MembershipFacts | null> {
  const { rooms, participants, requests } = roomTables[kind];
  const { rows } = await sql<Row>`
    select room.*, member.uid as member, request.status, request.asked_at_ms, request.renewed_at_ms, request.answered_at_ms, request.times_asked
    from ${sql.table(rooms)} as room
    left join ${sql.table(participants)} as member on member.room_id = room.room_id and member.uid = ${uid}
    left join ${sql.table(requests)} as request on request.room_id = room.room_id and request.uid = ${uid}
    where ${which}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const { status, asked_at_ms: askedAtMs, answered_at_ms: answeredAtMs, times_asked: timesDeclined } = row;
  const renewedAtMs = row.renewed_at_ms;
  return {
    room: toRoom(kind, row),
    isInside: row.host === uid || row.member !== null,
    request: status && { status, askedAtMs, renewedAtMs, answeredAtMs, timesDeclined },
  };
}
