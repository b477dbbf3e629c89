/**
 * What people hear, as it is stored, and who may see it. `hearingSeen` is the only place that decides that: by the
 * person's choice, the tie between the two and blocks, each as it is when a statement reads it.
 */
import type { HearingAudience, RoomCode, RoomKind, Uid, VideoId } from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import { lists } from '../storage/people.ts';
import { isThere, padded } from '../storage/queries.ts';
import { type Db, type RoomRef, roomTables } from '../storage/schema.ts';
import { readRoomRef, written } from './connections-store.ts';

/** After this time what a person heard last is shown no more. */
export const shownForMs = 24 * 60 * 60 * 1000;

/** When a track ended of which nothing is left to show: its room is kept to itself. Those who saw it are told so. */
export const hiddenAtMs = 0;

/** A person's track, and who sees it. */
export interface Seen {
  uid: Uid;
  by: Uid;
  room: RoomRef | null;
  videoId: VideoId;
  untilMs: number | null;
  /** What the video service answered about the track, as JSON; null where it was not asked. */
  details: string | null;
}

interface SeenRow {
  uid: string;
  by: string;
  room: string | null;
  video_id: string;
  ended_at_ms: number | null;
  details: string | null;
}

const inList = (uids: readonly Uid[]): RawBuilder<unknown> => sql`(${sql.join(padded(uids))})`;

/**
 * Ties of people with those who may be shown something: each has the other on a list, or they are soulmates. Of soulmates
 * each has the other, so that the row of either says it.
 */
function ties(column: 'seen' | 'by', uids: readonly Uid[]): RawBuilder<unknown> {
  const those = inList(uids);
  const listed = (table: string) => sql`
    select uid as seen, mate as by, 0 as is_soulmate from ${sql.table(table)}
    where ${sql.ref(column === 'seen' ? 'uid' : 'mate')} in ${those}`;
  return sql`
    ${listed('tunemates')} union all ${listed('audio_connections')} union all
    select ${column === 'seen' ? sql`uid, soulmate` : sql`soulmate, uid`}, 1 from users
    where soulmate is not null and uid in ${those}`;
}

/** What those people hear, `seen`, or what is shown to them, `by`: one row for each who may see it, in one statement. */
export async function hearingSeen(db: Db, column: 'seen' | 'by', uids: readonly Uid[], nowMs: number): Promise<Seen[]> {
  if (uids.length === 0) return [];
  const { rows } = await sql<SeenRow>`
    select distinct hearing.uid, tie.by, hearing.room, hearing.video_id, hearing.ended_at_ms, known.answer as details
    from (${ties(column, uids)}) as tie
    inner join hearing on hearing.uid = tie.seen
    inner join users as person on person.uid = tie.seen
    left join catalogue_cache as known on known.key = 'details:' || hearing.video_id
    where hearing.video_id is not null
    and (hearing.ended_at_ms is null or hearing.ended_at_ms > ${nowMs - shownForMs}
      or (hearing.ended_at_ms = ${sql.lit(hiddenAtMs)} and ${sql.lit(column === 'seen' ? 1 : 0)} = 1))
    and person.deleted_at_ms is null
    and (person.hearing_shown_to = 'tunemates' or (person.hearing_shown_to = 'soulmate' and tie.is_soulmate = 1))
    and (tie.is_soulmate = 1 or ${lists('tie.by', 'tie.seen')})
    and not exists (select 1 from blocks where (uid = tie.seen and blocked = tie.by) or (uid = tie.by and blocked = tie.seen))`.execute(
    db,
  );
  return rows.map((row) => ({
    uid: row.uid as Uid,
    by: row.by as Uid,
    room: readRoomRef(row.room),
    videoId: row.video_id as VideoId,
    untilMs: row.ended_at_ms,
    details: row.details,
  }));
}

/** People whose track or room is stored. */
export interface Heard {
  room: RoomRef | null;
  videoId: VideoId | null;
  endedAtMs: number | null;
}

/** In which room each of these people is who show what they hear: in that of their newest connection. One statement. */
export async function roomsOfShowing(
  db: Db,
  uids: readonly Uid[],
): Promise<Map<Uid, { room: RoomRef | null; heard: Heard | null }>> {
  const { rows } = await sql<{
    uid: string;
    here: string | null;
    is_known: number;
    room: string | null;
    video_id: string | null;
    ended_at_ms: number | null;
  }>`
    select users.uid, hearing.room, hearing.video_id, hearing.ended_at_ms,
      case when hearing.uid is null then 0 else 1 end as is_known,
      (select room from connections where connections.uid = users.uid and room is not null
        order by case when grace_until_ms is null then 0 else 1 end, opened_at_ms desc limit 1) as here
    from users left join hearing on hearing.uid = users.uid
    where users.uid in ${inList(uids)} and hearing_shown_to in ('soulmate', 'tunemates')`.execute(db);
  return new Map(
    rows.map((row) => [
      row.uid as Uid,
      {
        room: readRoomRef(row.here),
        heard:
          row.is_known === 1
            ? { room: readRoomRef(row.room), videoId: row.video_id as VideoId | null, endedAtMs: row.ended_at_ms }
            : null,
      },
    ]),
  );
}

/** Whether something of what this person heard is stored, and shown to tunemates. */
export const isShowingToTunemates = (db: Db, uid: Uid): Promise<boolean> =>
  isThere(
    db
      .selectFrom('hearing')
      .innerJoin('users', 'users.uid', 'hearing.uid')
      .select('hearing.uid')
      .where('hearing.uid', '=', uid)
      .where('video_id', 'is not', null)
      .where('hearing_shown_to', '=', 'tunemates'),
  );

/** The room whose tracks are stored for this person. */
export async function roomHeardBy(db: Db, uid: Uid): Promise<RoomRef | null> {
  const row = await db.selectFrom('hearing').select('room').where('uid', '=', uid).executeTakeFirst();
  return readRoomRef(row?.room ?? null);
}

export async function saveHeard(db: Db, uid: Uid, { room, videoId, endedAtMs }: Heard, nowMs: number): Promise<void> {
  const values = { room: room && written(room), video_id: videoId, ended_at_ms: endedAtMs, changed_at_ms: nowMs };
  await db
    .insertInto('hearing')
    .values({ uid, ...values })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet(values))
    .execute();
}

/** The track of a room begins or ends, for those in it who show what they hear; answers them. */
export async function saveTrackOf(db: Db, room: RoomRef, videoId: VideoId | null, nowMs: number): Promise<Uid[]> {
  const playing = { video_id: videoId, ended_at_ms: null };
  const over = { ended_at_ms: sql<number>`coalesce(ended_at_ms, cast(${nowMs} as bigint))` };
  const rows = await db
    .updateTable('hearing')
    .set({ ...(videoId === null ? over : playing), changed_at_ms: nowMs })
    .where('room', '=', written(room))
    .returning('uid')
    .execute();
  return rows.map(({ uid }) => uid as Uid);
}

/** The people in the room show nothing of it any more; answers them. */
export async function saveHidden(db: Db, room: RoomRef, nowMs: number): Promise<Uid[]> {
  const rows = await db
    .updateTable('hearing')
    .set({ room: null, ended_at_ms: hiddenAtMs, changed_at_ms: nowMs })
    .where('room', '=', written(room))
    .returning('uid')
    .execute();
  return rows.map(({ uid }) => uid as Uid);
}

/** Those in the room who show what they hear. */
export async function showingIn(db: Db, room: RoomRef): Promise<Uid[]> {
  const rows = await db
    .selectFrom('connections')
    .innerJoin('users', 'users.uid', 'connections.uid')
    .select('users.uid')
    .distinct()
    .where('room', '=', written(room))
    .where('hearing_shown_to', 'in', ['soulmate', 'tunemates'])
    .execute();
  return rows.map(({ uid }) => uid as Uid);
}

/** These people are no longer in the room. */
export async function saveLeft(db: Db, room: RoomRef, uids: readonly Uid[], nowMs: number): Promise<void> {
  await db
    .updateTable('hearing')
    .set({
      room: null,
      ended_at_ms: sql<number>`coalesce(ended_at_ms, cast(${nowMs} as bigint))`,
      changed_at_ms: nowMs,
    })
    .where('room', '=', written(room))
    .where('uid', 'in', padded(uids))
    .execute();
}

export async function forgetHeard(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('hearing').where('uid', '=', uid).execute();
}

/** What was heard last, once it is shown no more. */
export async function pruneHeard(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom('hearing')
    .where('room', 'is', null)
    .where('changed_at_ms', '<=', nowMs - shownForMs)
    .execute();
}

export async function saveAudience(db: Db, uid: Uid, to: HearingAudience): Promise<void> {
  await db.updateTable('users').set({ hearing_shown_to: to }).where('uid', '=', uid).execute();
}

/** For the export. */
export async function heardBy(db: Db, uid: Uid) {
  const row = await db
    .selectFrom('hearing')
    .select(['video_id', 'ended_at_ms'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  return row && { videoId: row.video_id, endedAt: row.ended_at_ms };
}

export async function heardSince(db: Db, sinceMs: number): Promise<Map<Uid, number>> {
  const rows = await db
    .selectFrom('hearing')
    .select(['uid', 'changed_at_ms'])
    .where('changed_at_ms', '>', sinceMs)
    .execute();
  return new Map(rows.map((row) => [row.uid as Uid, row.changed_at_ms]));
}

/** The code of a live room. */
export async function doorOf(db: Db, { kind, roomId }: RoomRef): Promise<{ kind: RoomKind; code: RoomCode } | null> {
  const row = await db
    .selectFrom(roomTables[kind].rooms)
    .select('code')
    .where('room_id', '=', roomId)
    .where('is_active', '=', 1)
    .executeTakeFirst();
  return row ? { kind, code: row.code as RoomCode } : null;
}

/** What `readPlayback` asks besides: whether a person in the room, which is `written` so, shows what they hear. */
export const isHeardQuery = (place: string): RawBuilder<unknown> =>
  sql`exists (select 1 from hearing where room = ${place})`;
