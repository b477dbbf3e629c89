/**
 * What people have heard in rooms, and what they chose there, as counts for suggestions: how often a person heard a
 * track, and how often after which other. Each count belongs to one person and goes with them. A timer counts what rooms
 * have played, so that a room itself does nothing for it; a person who keeps no history is not counted.
 */
import { isLeftEarly } from '@tunemate/domain';
import { roomKinds, type RoomId, type Uid, type VideoId } from '@tunemate/protocol';
import { sql } from 'kysely';
import { padded } from '../../storage/queries.ts';
import type { StreamRecord } from '../../storage/record.ts';
import { type Db, roomTables } from '../../storage/schema.ts';
import { readStoredTrack } from '../../storage/stored-track.ts';

/** By then a track that was left at once has another in its place. */
const countedAfterMs = 60_000;
const playsAtOnce = 25;
/** Of a larger room only who chose a track is counted. */
const mostHearers = 12;
/** A person who came this long after a track began has heard it. */
const cameInTimeMs = 60_000;
/** More counts of one person are not kept, and none that has not grown for so long. */
const mostCounts = 5000;
const keptMs = 400 * 24 * 60 * 60 * 1000;

/** Stands for no earlier track: the counts of a track by itself. */
export const byItself = '';

interface Play {
  room_id: string;
  number: number;
  track: string;
  proposed_by: string | null;
  at_ms: number;
  by_house: number;
}

/** Counts what rooms have played since the last time. Any number of processes may count at once: each track counts once. */
export async function countHeard({ record }: { record: StreamRecord }): Promise<void> {
  for (;;) {
    const counted = await record.write([], async ({ db, nowMs }) => {
      const plays = await takeUncounted(db, nowMs - countedAfterMs);
      for (const play of plays) await countPlay(db, play);
      return plays.length;
    });
    if (counted < playsAtOnce) return;
  }
}

async function takeUncounted(db: Db, beforeMs: number): Promise<Play[]> {
  const { rows } = await sql<Play>`
    update played_tracks set is_counted = 1
    where is_counted = 0 and (room_id, number) in (
      select room_id, number from played_tracks
      where is_counted = 0 and at_ms < ${beforeMs} order by at_ms limit ${playsAtOnce})
    returning room_id, number, track, proposed_by, at_ms, by_house`.execute(db);
  return rows.toSorted((a, b) => a.at_ms - b.at_ms);
}

async function countPlay(db: Db, play: Play): Promise<void> {
  const beside = await db
    .selectFrom('played_tracks')
    .select(['number', 'track', 'at_ms'])
    .where('room_id', '=', play.room_id)
    .where('number', 'in', [play.number - 1, play.number + 1])
    .execute();
  const [before, behind] = [-1, 1].map((by) => beside.find(({ number }) => number === play.number + by));
  const { videoId, durationSeconds } = readStoredTrack(play.track);
  const isSkipped = isLeftEarly(play.at_ms, behind?.at_ms ?? null, durationSeconds);
  const wasSkipped = before !== undefined && isLeftEarly(before.at_ms, play.at_ms, lengthOf(before.track));
  // What the house chose says nothing of what people would choose.
  const isPair = before !== undefined && !isSkipped && !wasSkipped && play.by_house === 0;
  const hearers = await hearersOf(db, play);
  const chooser = play.by_house === 1 ? null : (play.proposed_by ?? (await hostOf(db, play.room_id as RoomId)));
  const keeping = new Set(hearers);
  const people = hearers.length > mostHearers ? hearers.filter((uid) => uid === chooser) : hearers;
  const afterIds = [byItself, ...(isPair ? [readStoredTrack(before.track).videoId] : [])];
  const rows = people.flatMap((uid) =>
    afterIds.map((after_id) => ({
      ...{ uid, after_id, track_id: videoId, heard: isSkipped ? 0 : 1, skipped: isSkipped ? 1 : 0 },
      ...{ chosen: uid === chooser && keeping.has(uid) && !isSkipped ? 1 : 0, last_at_ms: play.at_ms },
    })),
  );
  if (rows.length === 0) return;
  await db
    .insertInto('heard_counts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['after_id', 'uid', 'track_id']).doUpdateSet({
        heard: sql<number>`heard_counts.heard + excluded.heard`,
        chosen: sql<number>`heard_counts.chosen + excluded.chosen`,
        skipped: sql<number>`heard_counts.skipped + excluded.skipped`,
        last_at_ms: sql<number>`excluded.last_at_ms`,
      }),
    )
    .execute();
}

const lengthOf = (track: string): number | null => readStoredTrack(track).durationSeconds;

/** The people who keep a history and were in the room: those who are, and those who have left since. */
async function hearersOf(db: Db, { room_id: roomId, number, at_ms: atMs }: Play): Promise<Uid[]> {
  const members = roomKinds.map(
    (kind) => sql`
      select uid from ${sql.table(roomTables[kind].participants)}
      where room_id = ${roomId} and joined_at_ms <= ${atMs + cameInTimeMs}`,
  );
  const { rows } = await sql<{ uid: string }>`
    select heard.uid from (
      ${sql.join(members, sql` union `)}
      union select uid from room_histories
      where room_id = ${roomId} and from_ms <= ${atMs + cameInTimeMs} and after_number < ${number}
        and until_number >= ${number}
    ) as heard
    inner join users on users.uid = heard.uid and users.keeps_history = 1 and users.deleted_at_ms is null
    order by heard.uid limit 1000`.execute(db);
  return rows.map(({ uid }) => uid as Uid);
}

async function hostOf(db: Db, roomId: RoomId): Promise<string | null> {
  for (const kind of roomKinds) {
    const room = await db
      .selectFrom(roomTables[kind].rooms)
      .select('host')
      .where('room_id', '=', roomId)
      .executeTakeFirst();
    if (room) return room.host;
  }
  return null;
}

/** What a person is stored to have heard, for the export. */
export async function* exportedCounts(db: Db, uid: Uid): AsyncGenerator<object> {
  const rows = await db
    .selectFrom('heard_counts')
    .select(['after_id', 'track_id', 'heard', 'chosen', 'skipped', 'last_at_ms'])
    .where('uid', '=', uid)
    .orderBy('last_at_ms')
    .execute();
  for (const { after_id: after, track_id: track, last_at_ms: lastAt, ...counts } of rows) {
    yield { track, ...(after !== byItself && { after }), ...counts, lastAt };
  }
}

/** Deletes the counts of a person, or those of these tracks alone. */
export async function forgetCounts(db: Db, uid: Uid, tracks?: readonly VideoId[]): Promise<void> {
  if (tracks?.length === 0) return;
  let counts = db.deleteFrom('heard_counts').where('uid', '=', uid);
  if (tracks) counts = counts.where('track_id', 'in', padded(tracks));
  await counts.execute();
}

/** Deletes counts that are old, or many of one person. Runs on a timer. */
export async function pruneCounts(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom('heard_counts')
    .where('last_at_ms', '<', nowMs - keptMs)
    .execute();
  const many = await db
    .selectFrom('heard_counts')
    .select('uid')
    .groupBy('uid')
    .having(({ fn }) => fn.countAll(), '>', mostCounts)
    .execute();
  for (const { uid } of many) {
    const last = await db
      .selectFrom('heard_counts')
      .select('last_at_ms')
      .where('uid', '=', uid)
      .orderBy('last_at_ms', 'desc')
      .offset(mostCounts)
      .limit(1)
      .executeTakeFirst();
    if (last)
      await db.deleteFrom('heard_counts').where('uid', '=', uid).where('last_at_ms', '<=', last.last_at_ms).execute();
  }
}
