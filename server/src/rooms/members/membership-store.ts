/**
 * Reads a room together with one person's membership and request in it: one statement, so that all three are of one
 * moment.
 */
import type { RequestFact } from '@tunemate/domain';
import type { RoomId, RoomKind, Uid } from '@tunemate/protocol';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RoomRow } from '../../access/subjects.ts';
import { builtOnce } from '../../storage/built-once.ts';
import { roomTables } from '../../storage/room-tables.ts';
import type { RequestsTable, Schema } from '../../storage/schema.ts';
import { type RoomRecord, toRoom } from '../lifecycle/rooms-store.ts';

type Db = Kysely<Schema>;

/** The room, whether this person is in it (the host always is), and their request. */
export interface MembershipFacts {
  room: RoomRow;
  isInside: boolean;
  request: RequestFact | null;
}

/** In the live room with this code, or else the latest that had it. */
export async function membershipByCode(
  db: Db,
  kind: RoomKind,
  code: string,
  uid: Uid,
): Promise<MembershipFacts | null> {
  const [row] = await queries[kind].byCode(db, code, uid);
  return row ? factsOf(kind, row, uid) : null;
}

export async function membershipById(
  db: Db,
  kind: RoomKind,
  roomId: RoomId,
  uid: Uid,
): Promise<MembershipFacts | null> {
  const [row] = await queries[kind].byId(db, roomId, uid);
  return row ? factsOf(kind, row, uid) : null;
}

type Row = RoomRecord & {
  member: string | null;
  status: RequestsTable['status'] | null;
  asked_at_ms: number;
  renewed_at_ms: number;
  answered_at_ms: number | null;
  times_asked: number;
};

const queries = { video: queriesOf('video'), audio: queriesOf('audio') } satisfies Record<RoomKind, unknown>;

function queriesOf(kind: RoomKind) {
  const rooms = sql.table(roomTables[kind].rooms);
  return {
    byCode: builtOnce((_db, code: string, uid: Uid) => {
      // Found first and read then: the whole row would be sorted for its place among those of the code.
      const latest = sql`select room_id from ${rooms} where code = ${code} order by is_active desc, created_at_ms desc limit 1`;
      return read(kind, uid, sql`room.room_id = (${latest})`);
    }),
    byId: builtOnce((_db, roomId: RoomId, uid: Uid) => read(kind, uid, sql`room.room_id = ${roomId}`)),
  };
}

function read(kind: RoomKind, uid: Uid, which: RawBuilder<unknown>): RawBuilder<Row> {
  const { rooms, participants, requests } = roomTables[kind];
  return sql<Row>`
    select room.*, member.uid as member, request.status, request.asked_at_ms, request.renewed_at_ms, request.answered_at_ms, request.times_asked
    from ${sql.table(rooms)} as room
    left join ${sql.table(participants)} as member on member.room_id = room.room_id and member.uid = ${uid}
    left join ${sql.table(requests)} as request on request.room_id = room.room_id and request.uid = ${uid}
    where ${which}`;
}

function factsOf(kind: RoomKind, row: Row, uid: Uid): MembershipFacts {
  const { status, asked_at_ms: askedAtMs, answered_at_ms: answeredAtMs, times_asked: timesDeclined } = row;
  const renewedAtMs = row.renewed_at_ms;
  return {
    room: toRoom(kind, row),
    isInside: row.host === uid || row.member !== null,
    request: status && { status, askedAtMs, renewedAtMs, answeredAtMs, timesDeclined },
  };
}
