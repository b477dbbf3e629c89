/**
 * Reads what two people heard together, by indexes of the pair: a page costs the same after a year of listening as after
 * an evening. Every function takes the database or transaction to use.
 */
import { thumbnailOf } from '@tunemate/domain';
import {
  limits,
  type MusicEvening,
  type RoomCode,
  type RoomKind,
  storedHeard,
  type StoredHeard,
  type Track,
  type Uid,
  type VideoId,
} from '@tunemate/protocol';
import { sql } from 'kysely';
import { readRoomRef } from '../presence/connections-store.ts';
import type { Db } from '../storage/schema.ts';

export interface TimeSpan {
  from: number;
  until: number;
}

/** Less than this is no evening: one looked in. */
const shortestEveningMs = 10 * 60_000;
const most = limits.musicTracks;
/** Written into the statement: the index `music_listens_by_track` has only these. */
const counted = sql.lit(1);

export const toTrack = (json: string): Track => {
  const named = storedHeard.parse(JSON.parse(json));
  return { ...named, thumbnail: thumbnailOf(named.videoId) };
};

/**
 * Under which title two people keep a track: as the server knows it (`writers` undefined), or in the words of one of the
 * two. A third person's words in the queue of a room are none of theirs: then its id, which pages show as a link.
 */
export const titleForTwo = (
  { videoId, title }: Pick<StoredHeard, 'videoId' | 'title'>,
  writers: readonly (string | null)[] | undefined,
  two: readonly string[],
): string =>
  writers === undefined || (writers.length > 0 && writers.every((uid) => uid !== null && two.includes(uid)))
    ? title
    : videoId;

/** How long both heard, and in how many evenings. */
export async function sumsOf(db: Db, pairId: string, span?: TimeSpan) {
  let evenings = db.selectFrom('music_evenings').where('pair_id', '=', pairId);
  if (span) evenings = evenings.where('begun_at_ms', '>=', span.from).where('begun_at_ms', '<', span.until);
  const found = await evenings
    .select(({ fn, eb }) => [
      fn.sum<number | string | null>('heard_ms').as('heard_ms'),
      fn
        .countAll<number | string>()
        .filterWhere(eb('heard_ms', '>=', shortestEveningMs))
        .as('evenings'),
    ])
    .executeTakeFirstOrThrow();
  return { heardMs: Number(found.heard_ms ?? 0), evenings: Number(found.evenings) };
}

/** The tracks most heard, and how many there are. */
export async function tracksOf(db: Db, pairId: string) {
  const rows = await db
    .selectFrom('music_tracks')
    .select(['track', 'times'])
    .where('pair_id', '=', pairId)
    .orderBy('times', 'desc')
    .orderBy('first_at_ms', 'desc')
    .limit(most)
    .execute();
  const { tracks } = await db
    .selectFrom('music_tracks')
    .select(({ fn }) => fn.countAll<number | string>().as('tracks'))
    .where('pair_id', '=', pairId)
    .executeTakeFirstOrThrow();
  return { tracks: Number(tracks), most: rows.map(({ track, times }) => ({ ...toTrack(track), times })) };
}

/** As `tracksOf`, of a span of time. Read are only the rows that are shown. */
export async function tracksWithin(db: Db, pairId: string, { from, until }: TimeSpan) {
  // The sign keeps SQLite from the key of the table, whose order by time would have to be sorted by track.
  const begunAtMs = sql<number>`+${sql.ref('begun_at_ms')}`;
  const rows = await db
    .selectFrom('music_listens')
    .select(({ fn }) => [
      'track_id',
      fn.countAll<number | string>().as('times'),
      sql<number | string>`count(*) over ()`.as('tracks'),
    ])
    .where('pair_id', '=', pairId)
    .where(begunAtMs, '>=', from)
    .where(begunAtMs, '<', until)
    .where('is_counted', '=', counted)
    .groupBy('track_id')
    .orderBy('times', 'desc')
    .orderBy('track_id')
    .limit(most)
    .execute();
  const known = await named(
    db,
    pairId,
    rows.map(({ track_id: id }) => id),
  );
  return {
    tracks: Number(rows[0]?.tracks ?? 0),
    most: rows.flatMap(({ track_id: id, times }) => {
      const track = known.get(id);
      return track ? [{ ...track, times: Number(times) }] : [];
    }),
  };
}

async function named(db: Db, pairId: string, ids: readonly string[]): Promise<Map<string, Track>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('music_tracks')
    .select(['track_id', 'track'])
    .where('pair_id', '=', pairId)
    .where('track_id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ track_id: id, track }) => [id, toTrack(track)]));
}

interface EveningRow {
  begun_at_ms: number;
  until_ms: number;
  heard_ms: number;
  room: string;
  code: string;
  name: string;
}

const toEvening = (row: EveningRow): MusicEvening => ({
  from: row.begun_at_ms,
  until: row.until_ms,
  heardMs: row.heard_ms,
  room: {
    kind: readRoomRef(row.room)?.kind ?? ('video' satisfies RoomKind),
    code: row.code as RoomCode,
    name: row.name,
  },
});

/** The evenings that began in this span, the first one first. */
export async function eveningsIn(
  db: Db,
  pairId: string,
  { from, until }: TimeSpan,
  atMost: number,
): Promise<MusicEvening[]> {
  const rows = await db
    .selectFrom('music_evenings')
    .selectAll()
    .where('pair_id', '=', pairId)
    .where('begun_at_ms', '>=', from)
    .where('begun_at_ms', '<', until)
    .orderBy('begun_at_ms')
    .limit(atMost)
    .execute();
  return rows.map(toEvening);
}

/** Which tracks were heard in this span, each once, in their order. */
export async function heardIn(db: Db, pairId: string, { from, until }: TimeSpan): Promise<Track[]> {
  const rows = await db
    .selectFrom('music_listens')
    .select('track_id')
    .where('pair_id', '=', pairId)
    .where('begun_at_ms', '>=', from)
    .where('begun_at_ms', '<', until)
    .where('is_counted', '=', counted)
    .orderBy('begun_at_ms')
    .limit(4 * most)
    .execute();
  const ids = [...new Set(rows.map(({ track_id: id }) => id))].slice(0, most);
  const known = await named(db, pairId, ids);
  return ids.flatMap((id) => known.get(id) ?? []);
}

/** The first track that counted, with when it was heard. */
export async function firstTrackOf(db: Db, pairId: string) {
  const first = await db
    .selectFrom('music_listens')
    .select(['track_id', 'begun_at_ms'])
    .where('pair_id', '=', pairId)
    .where('is_counted', '=', counted)
    .orderBy('begun_at_ms')
    .limit(1)
    .executeTakeFirst();
  const track = first && (await named(db, pairId, [first.track_id])).get(first.track_id);
  return first && track ? { ...track, at: first.begun_at_ms } : null;
}

/** How many tracks the two heard for the first time in this span because the one, or the other, put them on. */
export async function foundIn(db: Db, pairId: string, { from, until }: TimeSpan, mine: Uid, theirs: Uid) {
  const rows = await db
    .selectFrom('music_tracks')
    .select(({ fn }) => ['first_by', fn.countAll<number | string>().as('tracks')])
    .where('pair_id', '=', pairId)
    .where('first_at_ms', '>=', from)
    .where('first_at_ms', '<', until)
    .groupBy('first_by')
    .execute();
  const of = (uid: Uid) => Number(rows.find(({ first_by: by }) => by === uid)?.tracks ?? 0);
  return { mine: of(mine), theirs: of(theirs) };
}

/** For the export: all pairs of this person with what is kept of each. */
export async function* exportedMusic(db: Db, uid: Uid): AsyncGenerator<object> {
  const pairs = await db
    .selectFrom('music_pairs')
    .selectAll()
    .where(({ or, eb }) => or([eb('first_uid', '=', uid), eb('second_uid', '=', uid)]))
    .execute();
  for (const pair of pairs) {
    const { pair_id: pairId, kept_since_ms: keptSince } = pair;
    const { asked_by: askedBy, asked_at_ms: askedAt, declined_at_ms: declinedAt, forgotten_by: forgottenBy } = pair;
    const other = pair.first_uid === uid ? pair.second_uid : pair.first_uid;
    const tracks = await db.selectFrom('music_tracks').selectAll().where('pair_id', '=', pairId).execute();
    const titles = new Map(tracks.map(({ track_id: id, track }) => [id, toTrack(track).title]));
    const listens = await db
      .selectFrom('music_listens')
      .select(['track_id', 'begun_at_ms', 'heard_ms'])
      .where('pair_id', '=', pairId)
      .orderBy('begun_at_ms')
      .execute();
    const evenings = await eveningsIn(db, pairId, { from: 0, until: Number.MAX_SAFE_INTEGER }, 100_000);
    yield {
      ...{ with: other, askedBy, askedAt, declinedAt, keptSince, forgottenBy, evenings },
      listens: listens.map(({ track_id: id, begun_at_ms: at, heard_ms: heardMs }) => ({
        ...{ videoId: id as VideoId, title: titles.get(id) ?? null, at, heardMs },
      })),
    };
  }
}
