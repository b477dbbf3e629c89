/**
 * Live connections of all processes, as rows: who is online and who is in which room follows from them alone.
 */
import type { RoomId, RoomKind, Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { ConnectionsTable, Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

export interface RoomRef {
  kind: RoomKind;
  roomId: RoomId;
}

const written = ({ kind, roomId }: RoomRef): string => `${kind}:${roomId}`;

/** Reads the column back. */
export function readRoomRef(text: string | null): RoomRef | null {
  if (text === null) return null;
  const [kind, roomId] = text.split(':');
  return { kind: kind as RoomKind, roomId: roomId as RoomId };
}

export interface NewConnection extends Omit<ConnectionsTable, 'room' | 'round_trip_ms' | 'lingers_until_ms'> {
  room: RoomRef | null;
}

/** Does nothing where the row is there already. */
export async function insertConnection(db: Db, { room, ...row }: NewConnection): Promise<void> {
  await db
    .insertInto('connections')
    .values({ ...row, room: room && written(room), round_trip_ms: null, lingers_until_ms: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes the connections of this person (null: of everyone) out of the room; they stay online. */
export async function removeFromRoom(db: Db, room: RoomRef, uid: Uid | null): Promise<void> {
  let query = db.updateTable('connections').set({ room: null }).where('room', '=', written(room));
  if (uid !== null) query = query.where('uid', '=', uid);
  await query.execute();
}

export async function setConnectionRoom(db: Db, connectionId: string, room: RoomRef | null): Promise<void> {
  await db
    .updateTable('connections')
    .set({ room: room ? written(room) : null })
    .where('connection_id', '=', connectionId)
    .execute();
}

/**
 * Starts the grace period: the person is shown as online until `untilMs`, so that a short loss of the network is not
 * visible. The row keeps its room, so that reaping it can update the room's occupancy.
 */
export async function startGracePeriod(db: Db, connectionId: string, untilMs: number): Promise<void> {
  await db
    .updateTable('connections')
    .set({ lingers_until_ms: untilMs })
    .where('connection_id', '=', connectionId)
    .execute();
}

/** The same for all connections of a process that stops as planned. */
export async function startAllGracePeriods(db: Db, processId: string, untilMs: number): Promise<void> {
  await db.updateTable('connections').set({ lingers_until_ms: untilMs }).where('process_id', '=', processId).execute();
}

export async function deleteConnection(db: Db, connectionId: string): Promise<void> {
  await db.deleteFrom('connections').where('connection_id', '=', connectionId).execute();
}

export async function connectionById(db: Db, connectionId: string): Promise<ConnectionsTable | undefined> {
  return await db.selectFrom('connections').selectAll().where('connection_id', '=', connectionId).executeTakeFirst();
}

/** The rooms that this person's tabs are in, that of `firstConnectionId` first, the newest of the others next. */
export async function roomsOfPerson(db: Db, uid: Uid, firstConnectionId: string): Promise<RoomRef[]> {
  const rows = await db
    .selectFrom('connections')
    .select(['connection_id', 'room'])
    .where('uid', '=', uid)
    .where('lingers_until_ms', 'is', null)
    .orderBy('opened_at_ms', 'desc')
    .execute();
  const own = rows.filter((row) => row.connection_id === firstConnectionId);
  const others = rows.filter((row) => row.connection_id !== firstConnectionId);
  return [...own, ...others].flatMap(({ room }) => readRoomRef(room) ?? []);
}

export async function countConnections(db: Db, uid: Uid): Promise<number> {
  const row = await db
    .selectFrom('connections')
    .select((inner) => inner.fn.countAll<number>().as('count'))
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** As `countConnections`, without those in their grace period. */
export async function countOpenConnections(db: Db, uid: Uid): Promise<number> {
  const row = await db
    .selectFrom('connections')
    .select((inner) => inner.fn.countAll<number>().as('count'))
    .where('uid', '=', uid)
    .where('lingers_until_ms', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Who is connected in the room right now, one row a connection. */
export async function connectionsInRoom(db: Db, room: RoomRef): Promise<{ connectionId: string; uid: Uid }[]> {
  const rows = await db
    .selectFrom('connections')
    .select(['connection_id', 'uid'])
    .where('room', '=', written(room))
    .where('lingers_until_ms', 'is', null)
    .execute();
  return rows.map((row) => ({ connectionId: row.connection_id, uid: row.uid as Uid }));
}

export async function setRoundTrip(db: Db, connectionId: string, roundTripMs: number): Promise<void> {
  await db
    .updateTable('connections')
    .set({ round_trip_ms: roundTripMs })
    .where('connection_id', '=', connectionId)
    .execute();
}

/** The longest round trip measured in the room; null when none was measured. */
export async function longestRoundTripIn(db: Db, room: RoomRef): Promise<number | null> {
  const row = await db
    .selectFrom('connections')
    .select((inner) => inner.fn.max('round_trip_ms').as('longest'))
    .where('room', '=', written(room))
    .where('lingers_until_ms', 'is', null)
    .executeTakeFirst();
  return row?.longest ?? null;
}

/** Whether this person's tab is in the room, or lost its connection a moment ago. */
export async function isTabInRoom(db: Db, room: RoomRef, uid: Uid, tabId: string): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .select('connection_id')
    .where('room', '=', written(room))
    .where('uid', '=', uid)
    .where('tab_id', '=', tabId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Deletes and answers connections whose grace period is over, and those of processes without a heartbeat. One
 * statement, so that a process that reports again meanwhile keeps its connections.
 */
export async function reapDeadConnections(
  db: Db,
  nowMs: number,
  processSilentSinceMs: number,
): Promise<ConnectionsTable[]> {
  return await db
    .deleteFrom('connections')
    .where((either) =>
      either.or([
        either('lingers_until_ms', '<=', nowMs),
        // A planned stop leaves connections in their grace period, without a process.
        either.and([
          either('lingers_until_ms', 'is', null),
          either('process_id', 'not in', (inner) =>
            inner.selectFrom('processes').select('process_id').where('seen_at_ms', '>', processSilentSinceMs),
          ),
        ]),
      ]),
    )
    .returningAll()
    .execute();
}

/** People stored as online since before `sinceMs` who have no connection at all. */
export async function onlineWithoutConnection(db: Db, sinceMs: number): Promise<Uid[]> {
  const rows = await db
    .selectFrom('users')
    .select('uid')
    .where('online', '=', 1)
    .where('presence_changed_at_ms', '<', sinceMs)
    .where('uid', 'not in', (inner) => inner.selectFrom('connections').select('uid'))
    .execute();
  return rows.map((row) => row.uid as Uid);
}

/** Answers false for a process that was unknown, or silent for so long that others may have reaped its connections. */
export async function reportProcess(db: Db, processId: string, nowMs: number, silentSinceMs: number): Promise<boolean> {
  const known = await db
    .updateTable('processes')
    .set({ seen_at_ms: nowMs })
    .where('process_id', '=', processId)
    .where('seen_at_ms', '>', silentSinceMs)
    .executeTakeFirst();
  if (known.numUpdatedRows === 1n) return true;
  await db
    .insertInto('processes')
    .values({ process_id: processId, seen_at_ms: nowMs })
    .onConflict((conflict) => conflict.column('process_id').doUpdateSet({ seen_at_ms: nowMs }))
    .execute();
  return false;
}

export async function forgetProcess(db: Db, processId: string): Promise<void> {
  await db.deleteFrom('processes').where('process_id', '=', processId).execute();
}

export async function forgetSilentProcesses(db: Db, silentSinceMs: number): Promise<void> {
  await db.deleteFrom('processes').where('seen_at_ms', '<=', silentSinceMs).execute();
}
