/**
 * Reads and writes requests to join rooms of either kind. Every function takes the database or transaction to use.
 */
import { type RequestFact, requestLifetimeMs } from '@tunemate/domain';
import { limits, type Participant, type RoomId, type RoomKind, type Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import type { RoomRow } from '../../access/subjects.ts';
import { builtOnce } from '../../storage/queries.ts';
import { type Db, forEachKind, type RequestsTable, type RoomRef, roomTables } from '../../storage/schema.ts';
import { roomById } from '../lifecycle/rooms-store.ts';

/** Requests that still wait for the host, oldest first. */
export async function pendingRequests(db: Db, { kind, roomId }: RoomRef, nowMs: number) {
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
    .where('room_id', 'in', (inner) => inner.selectFrom(tables.rooms).select('room_id').where('is_active', '=', 1))
    .where('renewed_at_ms', '<=', nowMs - requestLifetimeMs)
    .execute();
  const overdue: { room: RoomRow; uid: Uid }[] = [];
  for (const row of rows) {
    const room = await roomById(db, { kind, roomId: row.room_id as RoomId });
    if (room?.isActive) overdue.push({ room, uid: row.uid as Uid });
  }
  return overdue;
}

export async function saveRequest(
  db: Db,
  { kind, roomId }: RoomRef,
  asker: { uid: Uid; name: string },
  fact: RequestFact,
): Promise<void> {
  const { status, askedAtMs, renewedAtMs, answeredAtMs, timesDeclined } = fact;
  await saving[kind](db, roomId, asker.uid, asker.name, status, askedAtMs, renewedAtMs, answeredAtMs, timesDeclined);
}

const saving = forEachKind((kind) =>
  builtOnce(
    (
      db,
      roomId: RoomId,
      uid: Uid,
      name: string,
      status: RequestFact['status'],
      askedAtMs: number,
      renewedAtMs: number,
      answeredAtMs: number | null,
      timesDeclined: number,
    ) => {
      const times = { asked_at_ms: askedAtMs, renewed_at_ms: renewedAtMs, answered_at_ms: answeredAtMs };
      const values = { name, status, ...times, times_asked: timesDeclined };
      return db
        .insertInto(roomTables[kind].requests)
        .values({ room_id: roomId, uid, ...values })
        .onConflict((conflict) => conflict.columns(['room_id', 'uid']).doUpdateSet(values));
    },
  ),
);

/** False where the request no longer waits. One statement, so that it never renews what lapses at the same moment. */
export async function renewRequest(db: Db, { kind, roomId }: RoomRef, uid: Uid, nowMs: number): Promise<boolean> {
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
export async function lapseRequest(db: Db, { kind, roomId }: RoomRef, uid: Uid, nowMs: number): Promise<boolean> {
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
  { kind, roomId }: RoomRef,
  uid: Uid,
  status: RequestFact['status'],
): Promise<void> {
  const { requests } = roomTables[kind];
  await db.updateTable(requests).set({ status }).where('room_id', '=', roomId).where('uid', '=', uid).execute();
}

/** The requests of one person, however answered, in rooms of a kind. */
export async function requestsBy(db: Db, kind: RoomKind, uid: Uid): Promise<{ roomId: RoomId; askedAtMs: number }[]> {
  const all = db.selectFrom(roomTables[kind].requests).select(['room_id', 'asked_at_ms']);
  const rows = await all.where('uid', '=', uid).execute();
  return rows.map((row) => ({ roomId: row.room_id as RoomId, askedAtMs: row.asked_at_ms }));
}

export async function removeRequest(db: Db, { kind, roomId }: RoomRef, uid: Uid): Promise<void> {
  await db.deleteFrom(roomTables[kind].requests).where('room_id', '=', roomId).where('uid', '=', uid).execute();
}

interface Applicant {
  /** Null for an account that is deleted or disabled. */
  person: Participant | null;
  request: RequestFact | null;
  isMember: boolean;
  /** By the host. */
  isBlocked: boolean;
  /** Has blocked the host. */
  hasBlocked: boolean;
  /** When the host last invited them; null for never. */
  invitedAtMs: number | null;
  participants: number;
  /** How many people wait. */
  pending: number;
}

/** The columns of a request that is joined to another row. */
export type RequestColumns = { status: RequestsTable['status'] | null } & Pick<
  RequestsTable,
  'asked_at_ms' | 'renewed_at_ms' | 'answered_at_ms' | 'times_asked'
>;

/** Null where there is none. */
export function requestIn(row: RequestColumns): RequestFact | null {
  const { status, asked_at_ms: askedAtMs, renewed_at_ms: renewedAtMs, answered_at_ms: answeredAtMs } = row;
  return status && { status, askedAtMs, renewedAtMs, answeredAtMs, timesDeclined: row.times_asked };
}

interface Row extends RequestColumns {
  name: string | null;
  online: number | null;
  memberships: number;
  blocks: number;
  own_blocks: number;
  invited_at_ms: number | null;
  participants: number;
  pending: number;
}

/**
 * What decides whether one person enters a room: who they are, their request, blocks and invitations between them and the
 * host, and how full the room is. One statement, so that all of it is of one moment.
 */
export async function applicantOf(
  db: Db,
  { kind, roomId, host }: Pick<RoomRow, 'kind' | 'roomId' | 'host'>,
  uid: Uid,
  nowMs: number,
): Promise<Applicant> {
  const rows = await applicantQueries[kind](db, uid, roomId, host, nowMs - requestLifetimeMs);
  const row = rows[0] as Row;
  return {
    person: row.name === null ? null : { uid, name: row.name, online: row.online === 1 },
    request: requestIn(row),
    isMember: row.memberships > 0,
    isBlocked: row.blocks > 0,
    hasBlocked: row.own_blocks > 0,
    invitedAtMs: row.invited_at_ms,
    participants: row.participants,
    pending: row.pending,
  };
}

/** The values come from a table of one row: SQLite plans a join anew for each value that a condition names itself. */
const applicantQueries = forEachKind((kind) => {
  const [participants, requests] = [sql.table(roomTables[kind].participants), sql.table(roomTables[kind].requests)];
  return builtOnce(
    (_db, uid: Uid, roomId: RoomId, host: Uid, sinceMs: number) => sql<Row>`
    select person.name, person.online, request.status, request.asked_at_ms, request.renewed_at_ms,
      request.answered_at_ms, request.times_asked,
      (select count(*) from ${participants} where room_id = asked.room_id and uid = asked.uid) as memberships,
      (select count(*) from blocks where uid = asked.host and blocked = asked.uid) as blocks,
      (select count(*) from blocks where uid = asked.uid and blocked = asked.host) as own_blocks,
      (select by_host_at_ms from room_invitations where room_id = asked.room_id and uid = asked.uid) as invited_at_ms,
      (select count(*) from ${participants} where room_id = asked.room_id) as participants,
      (select count(*) from ${requests} where room_id = asked.room_id and status = 'pending'
        and renewed_at_ms > asked.since_ms) as pending
    from (select cast(${uid} as text) as uid, cast(${roomId} as text) as room_id, cast(${host} as text) as host,
      cast(${sinceMs} as bigint) as since_ms) as asked
    left join users as person
      on person.uid = asked.uid and person.deleted_at_ms is null
        and person.disabled_at_ms is null and person.email_verified = 1
    left join ${requests} as request on request.room_id = asked.room_id and request.uid = asked.uid`,
  );
});
