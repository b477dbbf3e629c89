/**
 * What suggestions may know of a room: what it played, who wants what, and what the people in it have heard. Of other
 * evenings only what all of them have heard counts, or what at least three people chose, each of them three times at
 * most: so no list tells one person what another has heard without them.
 */
import { setImmediate } from 'node:timers/promises';
import { isLeftEarly, seedOf } from '@tunemate/domain';
import { type NamedTrack, type Uid, type VideoId } from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { RoomRow } from '../../access/subjects.ts';
import { readPlayback } from '../../playback/playback-document.ts';
import { peopleOf } from '../../storage/people.ts';
import { isSqlite, padded } from '../../storage/queries.ts';
import { type Db, roomTables } from '../../storage/schema.ts';
import { readStoredTrack } from '../../storage/stored-track.ts';
import { proposalsIn } from '../proposals/proposals.ts';
import { byItself } from './heard-counts-store.ts';

type Room = Pick<RoomRow, 'kind' | 'roomId'>;

/** A night: what was played in it is not played again in the same order. */
export const mostPlayed = 128;
/** What people chose last says where the music goes. */
const mostAnchors = 5;
/** In a larger room hardly anything was heard by all. */
const mostTogether = 8;
/** So many people make what they chose the house's. */
const fewestChoosers = 3;
/** Of one person. */
const mostChosen = 3;
const [mostAfter, mostChoices, mostOften] = [200, 3000, 60];
/** What a skip leaves of a track that was not heard at all: these are looked for at the end of the queue. */
const mostPassed = 5;

interface Heard {
  videoId: VideoId;
  title: string;
  atMs: number;
  isSkipped: boolean;
  isByHouse: boolean;
}

export async function roomFacts(db: Db, room: Room, nowMs: number) {
  const stored = await readPlayback(db, room);
  const { queue, timeline } = stored?.playback ?? { queue: { videoQueue: [], currentIndex: 0 }, timeline: null };
  const { heard, step } = await heardIn(db, room);
  const ids = new Set(heard.map(({ videoId }) => videoId));
  const before = queue.videoQueue.slice(Math.max(0, queue.currentIndex - mostPassed), queue.currentIndex);
  const passed = before
    .filter(({ videoId }) => !ids.has(videoId))
    .map(({ videoId, title }) => ({ videoId, title, atMs: nowMs, isSkipped: true, isByHouse: true }));
  const isPlayingHeard = heard.at(-1)?.videoId === timeline?.trackKey;
  const played = isPlayingHeard ? [...heard.slice(0, -1), ...passed, ...heard.slice(-1)] : [...heard, ...passed];
  const present = await presentIn(db, room);
  const anchors = played.filter(({ isByHouse, isSkipped }) => !isByHouse && !isSkipped).slice(-mostAnchors);
  const anchorIds = new Set([...anchors.map(({ videoId }) => videoId as string), timeline?.trackKey ?? '']);
  anchorIds.delete(byItself);
  const votes = await votesIn(db, room);
  // On SQLite a statement is work of the loop, so the larger ones are pieces of their own.
  await setImmediate();
  const after = await playedAfter(db, [...anchorIds], present);
  await setImmediate();
  const often = await oftenHeard(db, present);
  return {
    ...{ played, votes, after, often },
    waiting: queue.videoQueue.slice(queue.currentIndex + 1).map(({ videoId }) => videoId),
    togetherOf: (tracks: readonly VideoId[]) => heardTogether(db, present, tracks),
    seed: seedOf(room.roomId),
    step,
    nowMs,
  };
}

async function heardIn(db: Db, { roomId }: Room): Promise<{ heard: Heard[]; step: number }> {
  const rows = await db
    .selectFrom('played_tracks')
    .select(['number', 'track', 'at_ms', 'by_house'])
    .where('room_id', '=', roomId)
    .orderBy('number', 'desc')
    .limit(mostPlayed)
    .execute();
  const inOrder = rows.toReversed().map((row) => ({ ...row, track: readStoredTrack(row.track) }));
  const toHeard = ({ track, at_ms: atMs, by_house: byHouse }: (typeof inOrder)[number], at: number): Heard => {
    const { videoId, title, durationSeconds }: NamedTrack = track;
    const isSkipped = isLeftEarly(atMs, inOrder[at + 1]?.at_ms ?? null, durationSeconds);
    return { videoId, title, atMs, isSkipped, isByHouse: byHouse === 1 };
  };
  return { heard: inOrder.map(toHeard), step: rows[0]?.number ?? 0 };
}

/** All people in a small room; empty in a larger one. */
async function presentIn(db: Db, { kind, roomId }: Room): Promise<Uid[]> {
  const rows = await db
    .selectFrom(roomTables[kind].participants)
    .select('uid')
    .where('room_id', '=', roomId)
    .orderBy('uid')
    .limit(mostTogether + 1)
    .execute();
  return rows.length > mostTogether ? [] : rows.map(({ uid }) => uid as Uid);
}

/** Only of people who are in the room: those who leave take their votes with them. */
async function votesIn(db: Db, { roomId }: Room): Promise<Map<string, { name: string; count: number }>> {
  const proposals = await proposalsIn(db, roomId);
  const people = await peopleOf(db, [...new Set(proposals.flatMap(({ voters }) => voters.slice(-1)))]);
  return new Map(
    proposals.flatMap(({ track, voters }) => {
      const name = people.get(voters.at(-1) as Uid)?.name;
      return name === undefined ? [] : [[track.videoId, { name, count: voters.length }] as const];
    }),
  );
}

interface AfterRow {
  after_id: string;
  track_id: string;
  times: number | string;
}

/** How often a track came after each of these: by the id of the earlier one. */
async function playedAfter(db: Db, ids: readonly string[], present: readonly Uid[]) {
  const after = new Map<string, Map<string, number>>();
  if (ids.length === 0) return after;
  const earlier = sql.join(padded(ids));
  const chosen: RawBuilder<unknown> = sql`
    select after_id, track_id, sum(case when chosen > ${mostChosen} then ${mostChosen} else chosen end) as times
    from (select after_id, track_id, chosen from heard_counts
      where after_id in (${earlier}) and chosen > 0 limit ${mostChoices}) as choices
    group by after_id, track_id having count(*) >= ${fewestChoosers}`;
  const ours = sql`
    select after_id, track_id, min(heard) as times from heard_counts
    where after_id in (${earlier}) and uid in (${sql.join(padded(present))})
    group by after_id, track_id having count(*) = ${present.length}`;
  const { rows } = await sql<AfterRow>`
    select after_id, track_id, max(times) as times
    from (${present.length === 0 ? chosen : sql`${chosen} union all ${ours}`}) as found
    group by after_id, track_id order by max(times) desc, track_id limit ${mostAfter}`.execute(db);
  for (const { after_id: earlierId, track_id: trackId, times } of rows) {
    const next = after.get(earlierId) ?? new Map<string, number>();
    after.set(earlierId, next.set(trackId, Number(times)));
  }
  return after;
}

/** In one parameter: hundreds of them take longer than the rows that they find. */
const listed = (db: Db, ids: readonly string[]): RawBuilder<unknown> =>
  isSqlite(db)
    ? sql`select value from json_each(${JSON.stringify(ids)})`
    : sql`select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`;

const heardByAll = (present: readonly Uid[]) => sql`
  from heard_counts where after_id = ${byItself} and uid in (${sql.join(padded(present))})`;

/** What all of these people have heard, most often first. */
async function oftenHeard(db: Db, present: readonly Uid[]): Promise<VideoId[]> {
  const [one] = present;
  if (one === undefined) return [];
  const { rows } = await sql<{ track_id: string }>`
    select track_id ${heardByAll(present)} and track_id in (
      select track_id from heard_counts where after_id = ${byItself} and uid = ${one} and heard > 0
      order by heard desc, track_id limit ${mostAfter})
    group by track_id having count(*) = ${present.length} order by min(heard) desc, track_id limit ${mostOften}`.execute(
    db,
  );
  return rows.map(({ track_id: id }) => id as VideoId);
}

/** How often all of these people have heard each of these tracks: as often as the one who has heard it least. */
async function heardTogether(db: Db, present: readonly Uid[], tracks: readonly VideoId[]) {
  const [one] = present;
  if (one === undefined || tracks.length === 0) return new Map<string, never>();
  // What one of them has not heard is not looked for with the others.
  const { rows } = await sql<{ track_id: string; times: number; skipped: number; last_ms: number }>`
    select track_id, min(heard) as times, min(skipped) as skipped, min(last_at_ms) as last_ms
    ${heardByAll(present)} and track_id in (
      select track_id from heard_counts
      where after_id = ${byItself} and uid = ${one} and track_id in (${listed(db, tracks)}))
    group by track_id having count(*) = ${present.length}`.execute(db);
  return new Map(rows.map(({ track_id: id, times, skipped, last_ms: lastMs }) => [id, { times, skipped, lastMs }]));
}
