/**
 * Live connections of all processes, as rows: who is online and who is in which room follows from them alone.
 */
import { maxLeadMs } from '@tunemate/playback';
import { limits, type RoomId, type RoomKind, roomKinds, type Uid } from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import { builtForEach, builtForRows, chunked, countOf, isSqlite, isThere, padded } from '../storage/queries.ts';
import { type Db, type RoomRef, roomTables } from '../storage/schema.ts';
import type { ConnectionsTable } from '../storage/tables/connection-tables.ts';

export const written = ({ kind, roomId }: RoomRef): string => `${kind}:${roomId}`;

/** Reads the column back. */
export function readRoomRef(text: string | null): RoomRef | null {
  if (text === null) return null;
  const [kind, roomId] = text.split(':');
  return { kind: kind as RoomKind, roomId: roomId as RoomId };
}

export interface NewConnection extends Omit<ConnectionsTable, 'room' | 'round_trip_ms' | 'grace_until_ms'> {
  room: RoomRef | null;
}

/** Does nothing where a row is there already. */
export async function insertConnections(db: Db, connections: readonly NewConnection[]): Promise<void> {
  const rows = connections.map(({ room, ...row }) => {
    return { ...row, room: room && written(room), round_trip_ms: null, grace_until_ms: null };
  });
  for (const some of chunked(rows, isSqlite(db) ? mostBuilt : undefined)) {
    if (some.length <= mostBuilt) await inserting(db, some);
    else await insertion(db, some).execute();
  }
}

/** A crowd in one statement would be another one for each number of people; on SQLite more statements cost little. */
const mostBuilt = 16;

const insertion = (db: Db, rows: readonly ConnectionsTable[]) =>
  db
    .insertInto('connections')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing());
const inserting = builtForRows(
  ['connection_id', 'uid', 'tab_id', 'process_id', 'opened_at_ms', 'room', 'round_trip_ms', 'grace_until_ms'],
  insertion,
);

/**
 * Takes the connections of this person (null: of everyone) out of the room; they stay online. Answers those who show what
 * they hear.
 */
export async function removeFromRoom(db: Db, room: RoomRef, uid: Uid | null): Promise<Uid[]> {
  let query = db.updateTable('connections').set({ room: null }).where('room', '=', written(room));
  if (uid !== null) query = query.where('uid', '=', uid);
  return showingAmong(await query.returning(showingColumns).execute());
}

/** Answers those who show what they hear. */
export async function setConnectionsRoom(db: Db, connectionIds: string[], room: RoomRef | null): Promise<Uid[]> {
  if (connectionIds.length === 0) return [];
  return showingAmong(await moving(db, connectionIds, room && written(room)));
}

const moving = builtForEach((db, connectionIds: readonly string[], room: string | null) =>
  db.updateTable('connections').set({ room }).where('connection_id', 'in', connectionIds).returning(showingColumns),
);

/** Of a connection that a statement changes: whose it is, and whether they show what they hear. */
const showingColumns = [
  'uid',
  sql<number>`case when (select hearing_shown_to from users where users.uid = connections.uid)
    in ('soulmate', 'tunemates') then 1 else 0 end`.as('is_showing'),
] as const;

const showingAmong = (rows: readonly { uid: string; is_showing: number }[]): Uid[] => [
  ...new Set(rows.filter((row) => row.is_showing === 1).map(({ uid }) => uid as Uid)),
];

/**
 * Starts the grace period: the people are shown as online until `untilMs`, so that a short loss of the network is not
 * visible. The rows keep their rooms, so that reaping them can update the occupancy.
 */
export async function startGracePeriods(db: Db, connectionIds: string[], untilMs: number): Promise<void> {
  await db
    .updateTable('connections')
    .set({ grace_until_ms: untilMs })
    .where('connection_id', 'in', padded(connectionIds))
    .execute();
}

/** The same for all connections of a process that stops as planned. */
export async function startAllGracePeriods(db: Db, processId: string, untilMs: number): Promise<void> {
  await db.updateTable('connections').set({ grace_until_ms: untilMs }).where('process_id', '=', processId).execute();
}

export async function deleteConnections(db: Db, connectionIds: string[]): Promise<void> {
  if (connectionIds.length === 0) return;
  await db.deleteFrom('connections').where('connection_id', 'in', padded(connectionIds)).execute();
}

export async function connectionsById(db: Db, connectionIds: string[]): Promise<Map<string, ConnectionsTable>> {
  if (connectionIds.length === 0) return new Map();
  const rows = await withIds(db, connectionIds);
  return new Map(rows.map((row) => [row.connection_id, row]));
}

const withIds = builtForEach((db, connectionIds: readonly string[]) =>
  db.selectFrom('connections').selectAll().where('connection_id', 'in', connectionIds),
);

/** The rooms that this person's tabs are in, that of `firstConnectionId` first, the newest of the others next. */
export async function roomsOfPerson(db: Db, uid: Uid, firstConnectionId: string): Promise<RoomRef[]> {
  const rows = await db
    .selectFrom('connections')
    .select(['connection_id', 'room'])
    .where('uid', '=', uid)
    .where('grace_until_ms', 'is', null)
    .orderBy('opened_at_ms', 'desc')
    .execute();
  const own = rows.filter((row) => row.connection_id === firstConnectionId);
  const others = rows.filter((row) => row.connection_id !== firstConnectionId);
  return [...own, ...others].flatMap(({ room }) => readRoomRef(room) ?? []);
}

/** Without those in their grace period. */
export const countOpenConnections = (db: Db, uid: Uid): Promise<number> =>
  countOf(db.selectFrom('connections').where('uid', '=', uid).where('grace_until_ms', 'is', null));

/** The connections of this person that have been open longest, those outside of rooms first. */
export async function longestOpen(db: Db, uid: Uid, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('connection_id')
    .where('uid', '=', uid)
    .where('grace_until_ms', 'is', null)
    .orderBy(sql`case when room is null then 0 else 1 end`)
    .orderBy('opened_at_ms')
    .limit(most)
    .execute();
  return rows.map((row) => row.connection_id);
}

/** As `countOpenConnections`, for several people; those without any are absent. */
export async function openConnectionsOf(db: Db, uids: readonly Uid[]): Promise<Map<Uid, number>> {
  const rows = await openCounts(db, uids);
  return new Map(rows.map(({ uid, count }) => [uid as Uid, count]));
}

const openCounts = builtForEach((db, uids: readonly Uid[]) =>
  db
    .selectFrom('connections')
    .select((inner) => ['uid', inner.fn.countAll<number>().as('count')])
    .where('uid', 'in', uids)
    .where('grace_until_ms', 'is', null)
    .groupBy('uid'),
);

/** What was last published of these people, and whether they have a connection. Deleted accounts are included. */
export async function shownAndConnected(db: Db, uids: readonly Uid[]) {
  if (uids.length === 0) return [];
  const rows = await shownOf(db, uids);
  return rows.map((row) => ({
    uid: row.uid as Uid,
    isShownOnline: row.online === 1,
    sentAtMs: row.presence_changed_at_ms,
    isConnected: Number(row.connections) > 0,
    showsHearing: row.hearing_shown_to === 'soulmate' || row.hearing_shown_to === 'tunemates',
  }));
}

const shownOf = builtForEach((db, uids: readonly Uid[]) =>
  db
    .selectFrom('users')
    .select((inner) => [
      'uid',
      'online',
      'presence_changed_at_ms',
      'hearing_shown_to',
      inner
        .selectFrom('connections')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('connections.uid', '=', 'users.uid')
        .as('connections'),
    ])
    .where('uid', 'in', uids),
);

/**
 * What a query that reads the room as `rooms`, which is `written` so, asks besides: whether its host, and whether any
 * person, is connected.
 */
export function occupancyColumns(place: string, host: RawBuilder<unknown>) {
  const here = sql`select 1 from connections where room = ${place} and grace_until_ms is null`;
  return sql`exists (${here} and uid = ${host}) as is_host_here, exists (${here}) as is_anybody_here`;
}

/**
 * Whether this person, and whether any person, is connected in the room right now. As quick in a room of a thousand.
 */
export async function occupancyOf(db: Db, room: RoomRef, uid: Uid): Promise<{ isHere: boolean; isAnybody: boolean }> {
  const here = db.selectFrom('connections').where('room', '=', written(room)).where('grace_until_ms', 'is', null);
  const row = await db
    .selectNoFrom(({ exists }) => [
      exists(here.where('uid', '=', uid).select('uid')).as('own'),
      exists(here.select('uid')).as('any'),
    ])
    .executeTakeFirstOrThrow();
  return { isHere: Boolean(row.own), isAnybody: Boolean(row.any) };
}

/** Who is connected in the room right now, one row a connection. */
export async function connectionsInRoom(db: Db, room: RoomRef): Promise<{ connectionId: string; uid: Uid }[]> {
  const rows = await db
    .selectFrom('connections')
    .select(['connection_id', 'uid'])
    .where('room', '=', written(room))
    .where('grace_until_ms', 'is', null)
    .execute();
  return rows.map((row) => ({ connectionId: row.connection_id, uid: row.uid as Uid }));
}

export async function setRoundTrips(db: Db, measured: readonly { connectionId: string; roundTripMs: number }[]) {
  const each = measured.map(
    ({ connectionId, roundTripMs }) => sql`when ${connectionId} then cast(${roundTripMs} as integer)`,
  );
  await db
    .updateTable('connections')
    .set({ round_trip_ms: sql<number>`case connection_id ${sql.join(each, sql` `)} end` })
    .where(
      'connection_id',
      'in',
      measured.map(({ connectionId }) => connectionId),
    )
    .execute();
}

/**
 * The longest round trip measured in the room; null when none was measured. To more connections than an audience has
 * people even the sending takes long, so that they count as the longest lead.
 */
export async function longestRoundTripIn(db: Db, room: RoomRef): Promise<number | null> {
  const row = await longestRoundTrip(db, written(room)).executeTakeFirst();
  return row?.longest ?? null;
}

const longestRoundTrip = (db: Db, place: string) =>
  db
    .selectFrom('connections')
    .select(
      sql<number | null>`case when count(*) > ${sql.lit(limits.audiencePeople)} then ${sql.lit(maxLeadMs)}
        else max(round_trip_ms) end`.as('longest'),
    )
    .where('room', '=', place)
    .where('grace_until_ms', 'is', null);

/** The same as a part of another query, of the room that is `written` so. */
export const longestRoundTripQuery = (db: Db, place: string): RawBuilder<number | null> =>
  sql<number | null>`(${longestRoundTrip(db, place)})`;

/** Whether this person's tab is in the room, or lost its connection a moment ago. */
export async function isTabInRoom(db: Db, room: RoomRef, uid: Uid, tabId: string): Promise<boolean> {
  const inside = db.selectFrom('connections').select('connection_id').where('room', '=', written(room));
  return await isThere(inside.where('uid', '=', uid).where('tab_id', '=', tabId));
}

/**
 * Deletes and answers connections whose grace period is over, and those of processes without a heartbeat. One
 * statement, so that a process that reports again meanwhile keeps its connections. Found by index: it runs every 2 s.
 */
export async function reapDeadConnections(
  db: Db,
  nowMs: number,
  processSilentSinceMs: number,
): Promise<ConnectionsTable[]> {
  const { rows } = await sql<ConnectionsTable>`
    delete from connections where connection_id in (
      select connection_id from connections where grace_until_ms <= ${nowMs}
      union all
      select connection_id from connections
      where grace_until_ms is null
        and process_id in (select process_id from processes where seen_at_ms <= ${processSilentSinceMs})
    ) returning *`.execute(db);
  return rows;
}

/** The same for connections of processes that are not known at all. Reads all connections. */
export async function reapOrphanedConnections(db: Db): Promise<ConnectionsTable[]> {
  return await db
    .deleteFrom('connections')
    // A planned stop leaves connections in their grace period, without a process.
    .where('grace_until_ms', 'is', null)
    .where('process_id', 'not in', (inner) => inner.selectFrom('processes').select('process_id'))
    .returningAll()
    .execute();
}

/** People stored as online since before `sinceMs` who have no connection at all. */
export async function onlineWithoutConnection(db: Db, sinceMs: number): Promise<Uid[]> {
  const rows = await db
    .selectFrom('users')
    .select('uid')
    // As the index says it: a parameter could be another value.
    .where('online', '=', sql.lit(1))
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
    .values({ process_id: processId, seen_at_ms: nowMs, facts: null })
    .onConflict((conflict) => conflict.column('process_id').doUpdateSet({ seen_at_ms: nowMs }))
    .execute();
  return false;
}

/**
 * Counts processes last seen after `sinceMs` as seen now, unless one was seen after `aliveSinceMs`: while no process
 * ran, no page could come back, so the time that pages have for it begins anew.
 */
export async function excuseOutage(db: Db, nowMs: number, sinceMs: number, aliveSinceMs: number): Promise<void> {
  await db
    .updateTable('processes')
    .set({ seen_at_ms: nowMs })
    .where('seen_at_ms', '>', sinceMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('processes as each').select('each.process_id').where('each.seen_at_ms', '>', aliveSinceMs)),
      ),
    )
    .execute();
}

export async function forgetProcess(db: Db, processId: string): Promise<void> {
  await db.deleteFrom('processes').where('process_id', '=', processId).execute();
}

export async function forgetSilentProcesses(db: Db, silentSinceMs: number): Promise<void> {
  await db.deleteFrom('processes').where('seen_at_ms', '<=', silentSinceMs).execute();
}

/**
 * Rooms that count a person as gone who is there, and rooms that count no person as gone though there is not even a
 * connection in its grace period: after a restart those inside are on their way back. A room that was never entered has
 * no host away.
 */
function contradictedOf(kind: RoomKind): RawBuilder<unknown> {
  const inside = sql`select 1 from connections where room = ${`${kind}:`} || live.room_id`;
  const ofHost = sql`and uid = live.host`;
  const isOpen = sql`and grace_until_ms is null`;
  return sql`
    select cast(${kind} as text) as kind, live.room_id from ${sql.table(roomTables[kind].rooms)} as live
    where live.is_active = 1 and (
      live.empty_since_ms is null and not exists (${inside} ${ofHost})
        and (live.host_away_since_ms is null or not exists (${inside}))
      or live.host_away_since_ms is not null and exists (${inside} ${ofHost} ${isOpen})
      or live.empty_since_ms is not null and exists (${inside} ${isOpen})
    )`;
}

/**
 * Which live rooms say something else about who is in them than the connections do, as a stop between the two writes
 * leaves it. One statement for both kinds, whose every look at the connections is one at an index.
 */
export async function contradictedRooms(db: Db): Promise<RoomRef[]> {
  const { rows } = await sql<{ kind: RoomKind; room_id: string }>`
    ${sql.join(roomKinds.map(contradictedOf), sql` union all `)}`.execute(db);
  return rows.map(({ kind, room_id: roomId }) => ({ kind, roomId: roomId as RoomId }));
}
