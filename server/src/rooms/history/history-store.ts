/**
 * Reads and deletes what rooms have played, and who keeps which part of it. A room's tracks are stored once; a person's
 * history is a span of them: since they came until they went, or until now. Every function takes the database or
 * transaction to use.
 */
import { thumbnailOf } from '@tunemate/domain';
import {
  limits,
  type NamedTrack,
  type PlayedTrack,
  type RoomCode,
  type RoomHistory,
  type RoomId,
  type RoomKind,
  roomKinds,
  type Uid,
} from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { RoomRow } from '../../access/subjects.ts';
import { peopleOf } from '../../storage/people.ts';
import { padded } from '../../storage/queries.ts';
import { type Db, roomTables } from '../../storage/schema.ts';
import { readStoredTrack } from '../../storage/stored-track.ts';
import { forgetCounts } from '../suggested/heard-counts-store.ts';

interface PlayedRow {
  number: number;
  track: string;
  proposed_by: string | null;
  at_ms: number;
}

/** Later than any moment. */
const open = Number.MAX_SAFE_INTEGER;
const historyMs = 90 * 24 * 60 * 60 * 1000;

/** What a room has played, the latest first, with the number of all and when the first of them began. */
export async function playedIn(db: Db, roomId: RoomId, before = open) {
  const { total, from_ms: from } = await db
    .selectFrom('played_tracks')
    .select(({ fn }) => [fn.countAll<number | string>().as('total'), fn.min('at_ms').as('from_ms')])
    .where('room_id', '=', roomId)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('played_tracks')
    .select(['number', 'track', 'proposed_by', 'at_ms'])
    .where('room_id', '=', roomId)
    .where('number', '<', before)
    .orderBy('number', 'desc')
    .limit(limits.playedPage)
    .execute();
  return { tracks: await toPlayed(db, rows), total: Number(total), from: from as number | null };
}

/** All that a room has played, each track once, the first one played first. */
export async function allPlayedIn(db: Db, roomId: RoomId): Promise<NamedTrack[]> {
  const rows = await db
    .selectFrom('played_tracks')
    .select('track')
    .where('room_id', '=', roomId)
    .orderBy('number')
    .execute();
  const tracks = rows.map(({ track }) => readStoredTrack(track));
  return [...new Map(tracks.map((track) => [track.videoId, track])).values()];
}

async function toPlayed(db: Db, rows: readonly PlayedRow[]): Promise<PlayedTrack[]> {
  const uids = rows.flatMap(({ proposed_by: uid }) => (uid === null ? [] : [uid as Uid]));
  const people = await peopleOf(db, [...new Set(uids)]);
  return rows.map(({ number, track, proposed_by: proposedBy, at_ms: at }) => {
    const named = readStoredTrack(track);
    const person = proposedBy === null ? undefined : people.get(proposedBy as Uid);
    const by = person === undefined ? null : { uid: person.uid, name: person.name };
    return { ...named, thumbnail: thumbnailOf(named.videoId), number, at, by };
  });
}

interface Span {
  kind: RoomKind;
  room_id: string;
  name: string;
  code: string | null;
  from_ms: number;
  until_ms: number;
  after_number: number;
  until_number: number;
}

/** The live rooms of a kind in which this person is, unless they keep nothing. */
const liveSpans = (kind: RoomKind, uid: Uid): RawBuilder<Span> => sql<Span>`
  select cast(${kind} as text) as kind, room.room_id, room.name, room.code,
    coalesce(kept.from_ms, member.joined_at_ms) as from_ms, cast(${open} as bigint) as until_ms,
    coalesce(kept.after_number, 0) as after_number, cast(${open} as bigint) as until_number
  from ${sql.table(roomTables[kind].participants)} as member
  inner join ${sql.table(roomTables[kind].rooms)} as room on room.room_id = member.room_id and room.is_active = 1
  inner join users on users.uid = member.uid and users.keeps_history = 1
  left join room_histories as kept on kept.uid = member.uid and kept.room_id = member.room_id
  where member.uid = ${uid}`;

/** The spans of rooms that this person has left, or that have ended. */
export const pastSpans = (uid: Uid): RawBuilder<Span> => sql<Span>`
  select kept.kind, kept.room_id, kept.name, cast(null as text) as code, kept.from_ms, kept.until_ms,
    kept.after_number, kept.until_number
  from room_histories as kept
  where kept.uid = ${uid} and ${sql.join(
    roomKinds.map(
      (kind) => sql`not exists (
        select 1 from ${sql.table(roomTables[kind].participants)} as member
        inner join ${sql.table(roomTables[kind].rooms)} as room on room.room_id = member.room_id and room.is_active = 1
        where member.room_id = kept.room_id and member.uid = kept.uid)`,
    ),
    sql` and `,
  )}`;

const spansOf = (uid: Uid): RawBuilder<Span> => sql<Span>`
  select * from (${sql.join([pastSpans(uid), ...roomKinds.map((kind) => liveSpans(kind, uid))], sql` union all `)}) as spans`;

/**
 * The spans with the moment from which each counts: when the track began that played as the person came. Materialized,
 * because databases look it up anew for each track otherwise.
 */
const begunSpans = (spans: RawBuilder<Span>): RawBuilder<unknown> => sql`
  begun_spans as materialized (
    select span.*, coalesce((
      select max(earlier.at_ms) from played_tracks as earlier
      where earlier.room_id = span.room_id and earlier.at_ms < span.from_ms), span.from_ms) as begun_ms
    from (${spans}) as span)`;

/** By time as well: the number of a track that is skipped at once is that of the next one, too. */
const isInSpan = sql<boolean>`
  played.room_id = span.room_id and played.number > span.after_number and played.number <= span.until_number
  and played.at_ms >= span.begun_ms and played.at_ms <= span.until_ms`;

/**
 * The rooms of which this person has a history, those with the latest tracks first: in one statement. The numbers of a
 * room's tracks have no gaps, so the first and the last of a span say how many there are; each is found by an index,
 * where counting reads every track. A number with a sign has no index of its own.
 */
export async function historiesOf(db: Db, uid: Uid, most: number = limits.histories): Promise<RoomHistory[]> {
  const { rows } = await sql<Span & { tracks: number | string; first_at_ms: number; last_at_ms: number }>`
    with ${begunSpans(sql`${spansOf(uid)} order by until_ms desc, room_id limit ${most}`)}
    select span.kind, span.room_id, span.name, span.code, latest.number - earliest.number + 1 as tracks,
      earliest.at_ms as first_at_ms, latest.at_ms as last_at_ms
    from begun_spans as span
    inner join played_tracks as earliest on earliest.room_id = span.room_id and earliest.number = (
      select played.number from played_tracks as played
      where played.room_id = span.room_id and played.at_ms >= span.begun_ms and +played.number > span.after_number
      order by played.at_ms, played.number limit 1)
    inner join played_tracks as latest on latest.room_id = span.room_id and latest.number = (
      select played.number from played_tracks as played
      where played.room_id = span.room_id and played.number <= span.until_number and played.at_ms <= span.until_ms
      order by played.number desc limit 1)
    where latest.number >= earliest.number
    order by last_at_ms desc, span.room_id`.execute(db);
  return rows.map((row) => ({
    roomId: row.room_id as RoomId,
    kind: row.kind,
    code: row.code as RoomCode | null,
    name: row.name,
    tracks: Number(row.tracks),
    from: row.first_at_ms,
    to: row.last_at_ms,
  }));
}

/** One page of this person's history of a room, the latest track first; nothing where there is none. */
async function rowsOfHistory(db: Db, uid: Uid, roomId: RoomId, before = open): Promise<PlayedRow[]> {
  const { rows } = await sql<PlayedRow>`
    with ${begunSpans(sql`${spansOf(uid)} where room_id = ${roomId}`)}
    select played.number, played.track, played.proposed_by, played.at_ms
    from begun_spans as span
    inner join played_tracks as played on ${isInSpan}
    where played.number < ${before}
    order by played.number desc limit ${limits.playedPage}`.execute(db);
  return rows;
}

export const historyOf = async (db: Db, uid: Uid, roomId: RoomId, before?: number): Promise<PlayedTrack[]> =>
  toPlayed(db, await rowsOfHistory(db, uid, roomId, before));

interface RecentlyHeard {
  trackId: string;
  track: string;
  putBy: string | null;
  times: number;
  lastAtMs: number;
}

/** Tracks of one person's history that count for what they like. */
const mostRecent = 300;

/** The host of a span's room. */
const hostOfSpan = sql`coalesce(${sql.join(
  roomKinds.map((kind) => sql`(select host from ${sql.table(roomTables[kind].rooms)} where room_id = span.room_id)`),
)})`;

/**
 * What this person's history of 90 days has, each track once with how often and when last, and who put it into the queue
 * then; the last ones first.
 */
export async function recentlyHeardBy(db: Db, uid: Uid) {
  const { rows } = await sql<{ track: string; at_ms: number; put_by: string | null }>`
    with ${begunSpans(spansOf(uid))}
    select played.track, played.at_ms, coalesce(played.proposed_by, ${hostOfSpan}) as put_by
    from begun_spans as span
    inner join played_tracks as played on ${isInSpan}
    order by played.at_ms desc limit ${mostRecent}`.execute(db);
  const heard = new Map<string, RecentlyHeard>();
  for (const { track, at_ms: atMs, put_by: putBy } of rows) {
    const { videoId } = readStoredTrack(track);
    const known = heard.get(videoId);
    heard.set(
      videoId,
      known ? { ...known, times: known.times + 1 } : { trackId: videoId, track, putBy, times: 1, lastAtMs: atMs },
    );
  }
  return [...heard.values()];
}

/** For the export: every room with its tracks, the latest first, also of those that pages do not list. */
export async function* exportedHistories(db: Db, uid: Uid): AsyncGenerator<object> {
  for (const { roomId, kind, name } of await historiesOf(db, uid, open)) {
    let before: number | undefined;
    const tracks: (NamedTrack & { at: number })[] = [];
    do {
      const rows = await rowsOfHistory(db, uid, roomId, before);
      tracks.push(...rows.map((row) => ({ ...readStoredTrack(row.track), at: row.at_ms })));
      before = rows.length < limits.playedPage ? undefined : rows.at(-1)?.number;
    } while (before !== undefined);
    yield { kind, name, tracks };
  }
}

export async function keepsHistory(db: Db, uid: Uid): Promise<boolean> {
  const row = await db.selectFrom('users').select('keeps_history').where('uid', '=', uid).executeTakeFirst();
  return row?.keeps_history === 1;
}

export async function saveKeepsHistory(db: Db, uid: Uid, isKept: boolean): Promise<void> {
  await db
    .updateTable('users')
    .set({ keeps_history: isKept ? 1 : 0 })
    .where('uid', '=', uid)
    .execute();
}

/**
 * Before a person leaves, or all people because the room ends (`uid` null): keeps the span of each person who keeps a
 * history. A person who comes back keeps when they first came.
 */
export async function keepHistories(
  db: Db,
  { kind, roomId, name }: Pick<RoomRow, 'kind' | 'roomId' | 'name'>,
  uid: Uid | null,
  nowMs: number,
): Promise<void> {
  const person = uid === null ? sql`1 = 1` : sql`member.uid = ${uid}`;
  await sql`
    insert into room_histories (uid, room_id, kind, name, from_ms, until_ms, after_number, until_number)
    select member.uid, member.room_id, cast(${kind} as text), cast(${name} as text), member.joined_at_ms,
      cast(${nowMs} as bigint), 0, (select max(number) from played_tracks where room_id = ${roomId})
    from ${sql.table(roomTables[kind].participants)} as member
    inner join users on users.uid = member.uid and users.keeps_history = 1 and users.deleted_at_ms is null
    where member.room_id = ${roomId} and ${person}
      and exists (select 1 from played_tracks where room_id = ${roomId})
    on conflict (uid, room_id) do update set until_ms = excluded.until_ms, until_number = excluded.until_number`.execute(
    db,
  );
}

/** Of the rooms that a person is in, of this one or of all, only later tracks are kept. */
async function beginAnew(db: Db, uid: Uid, nowMs: number, roomId: RoomId | null): Promise<void> {
  const last = sql`coalesce((select max(number) from played_tracks as last where last.room_id = span.room_id), 0)`;
  await sql`
    insert into room_histories (uid, room_id, kind, name, from_ms, until_ms, after_number, until_number)
    select cast(${uid} as text), span.room_id, span.kind, span.name, span.from_ms, cast(${nowMs} as bigint),
      ${last}, ${last}
    from (${spansOf(uid)} where ${roomId === null ? sql`1 = 1` : sql`room_id = ${roomId}`}) as span
    where span.code is not null
    on conflict (uid, room_id) do update set after_number = excluded.after_number`.execute(db);
}

/** For a person who wants histories again. What rooms have played meanwhile, or before that, stays deleted. */
export const keepHistoriesAgain = (db: Db, uid: Uid, nowMs: number): Promise<void> => beginAnew(db, uid, nowMs, null);

/** Deletes a person's history of one room, and what is counted of its tracks. In a room that they are in, later tracks are kept. */
export async function forgetHistory(db: Db, uid: Uid, roomId: RoomId, nowMs: number): Promise<void> {
  const tracks = await allPlayedIn(db, roomId);
  await forgetCounts(
    db,
    uid,
    tracks.map(({ videoId }) => videoId),
  );
  await beginAnew(db, uid, nowMs, roomId);
  const isLive = sql<boolean>`exists (select 1 from (${spansOf(uid)}) as span where span.room_id = room_histories.room_id and span.code is not null)`;
  await db
    .deleteFrom('room_histories')
    .where('uid', '=', uid)
    .where('room_id', '=', roomId)
    .where(({ not }) => not(isLive))
    .execute();
  await forgetUnkept(db, [roomId]);
}

/** Deletes all histories of this person, and what is counted of them. */
export async function forgetHistoriesOf(db: Db, uid: Uid): Promise<void> {
  await forgetCounts(db, uid);
  const rows = await db.deleteFrom('room_histories').where('uid', '=', uid).returning('room_id').execute();
  await forgetUnkept(
    db,
    rows.map(({ room_id: roomId }) => roomId as RoomId),
  );
}

/** For a deleted account: nothing names it any more. */
export async function forgetProposerOf(db: Db, uid: Uid): Promise<void> {
  await db.updateTable('played_tracks').set({ proposed_by: null }).where('proposed_by', '=', uid).execute();
}

/** Deletes what these rooms have played, unless they are live or a person keeps it. */
export async function forgetUnkept(db: Db, roomIds: readonly RoomId[]): Promise<void> {
  if (roomIds.length === 0) return;
  // Asked for each room by an index: PostgreSQL would read the histories of all people for each track.
  let unkept = db
    .deleteFrom('played_tracks')
    .where('room_id', 'in', padded(roomIds))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('room_histories')
            .select('room_histories.uid')
            .whereRef('room_histories.room_id', '=', 'played_tracks.room_id'),
        ),
      ),
    );
  for (const kind of roomKinds) {
    unkept = unkept.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(`${roomTables[kind].rooms} as live`)
            .select('live.room_id')
            .whereRef('live.room_id', '=', 'played_tracks.room_id')
            .where('live.is_active', '=', 1),
        ),
      ),
    );
  }
  await unkept.execute();
}

/** A person who opens a room every minute keeps no more; pages show fewer. */
const mostHistories = 4 * limits.histories;

/** Of rooms that a person is in, what they have deleted is remembered here: these stay. */
async function forgetMoreThanMany(db: Db): Promise<void> {
  const many = await db
    .selectFrom('room_histories')
    .select('uid')
    .groupBy('uid')
    .having(({ fn }) => fn.countAll(), '>', mostHistories)
    .execute();
  for (const { uid } of many) {
    await sql`
      delete from room_histories where uid = ${uid} and room_id in (
        select room_id from (${pastSpans(uid as Uid)}) as past
        order by past.until_ms desc, past.room_id limit ${open} offset ${mostHistories})`.execute(db);
  }
}

/** Rooms of one round. */
const roomsAtOnce = 500;

/**
 * Deletes histories whose rooms were left 90 days ago, or long before many others, and tracks that no person keeps.
 * Runs on a timer.
 */
export async function pruneHistories(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom('room_histories')
    .where('until_ms', '<', nowMs - historyMs)
    .execute();
  await forgetMoreThanMany(db);
  let last = '';
  for (;;) {
    const rooms = await db
      .selectFrom('played_tracks')
      .select('room_id')
      .distinct()
      .where('room_id', '>', last)
      .orderBy('room_id')
      .limit(roomsAtOnce)
      .execute();
    await forgetUnkept(
      db,
      rooms.map(({ room_id: roomId }) => roomId as RoomId),
    );
    if (rooms.length < roomsAtOnce) return;
    last = rooms.at(-1)?.room_id ?? '';
  }
}
