/**
 * Counts what two people heard together from what is noted of each: when their players were in step with a room, and what
 * that room played. Each moment of a pair is counted once, by whichever process comes first.
 */
import {
  anewAfterMs,
  beginningSeconds,
  countsTogether,
  type HeardPiece,
  heardTogether,
  type PlayedFrom,
  type Span,
} from '@tunemate/domain';
import { probeSettledSpacingMs } from '@tunemate/playback';
import { type StoredPlayed, storedPlayed, type Uid } from '@tunemate/protocol';
import { readRoomRef } from '../presence/connections-store.ts';
import { titleForTwo } from './music-store.ts';
import { roomById } from '../rooms/lifecycle/rooms-store.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';

/** All reports about a moment are in by then: pages probe at this pause, or later where a probe was lost. */
const settledAfterMs = 2 * probeSettledSpacingMs;
/** After such a pause it is another evening. */
const eveningPauseMs = 3 * 60 * 60_000;
const hearingsKeptMs = 20 * 60_000;
const playedKeptMs = 24 * 60 * 60_000;

export interface NotedSpan extends Span {
  uid: Uid;
  room: string;
}

export async function noteHearings(db: Db, spans: readonly NotedSpan[]): Promise<void> {
  if (spans.length === 0) return;
  const rows = spans.map(({ uid, room, fromMs, untilMs }) => ({
    ...{ uid, room, from_ms: Math.round(fromMs), until_ms: Math.round(untilMs) },
  }));
  await db
    .insertInto('music_hearings')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

interface From extends PlayedFrom {
  readonly track: StoredPlayed | null;
  readonly putBy: string | null;
}

/** Pairs that keep what they hear and were both noted in one room lately, with up to when that is counted. */
const pairsToCount = (db: Db) =>
  db
    .selectFrom('music_hearings as one')
    .innerJoin('music_pairs as pair', 'pair.first_uid', 'one.uid')
    .innerJoin('music_hearings as other', (join) =>
      join.onRef('other.uid', '=', 'pair.second_uid').onRef('other.room', '=', 'one.room'),
    )
    .select(['pair.pair_id', 'pair.first_uid', 'pair.second_uid', 'pair.counted_until_ms', 'one.room'])
    .distinct()
    .where('pair.kept_since_ms', 'is not', null)
    .execute();

type Due = Awaited<ReturnType<typeof pairsToCount>>[number];

/** Counts all that is settled at `nowMs`. Runs in every process. */
export async function countTogether(record: StreamRecord, nowMs: number): Promise<void> {
  const due = await pairsToCount(record.db);
  for (const pairId of new Set(due.map(({ pair_id: id }) => id))) {
    await countPair(
      record,
      due.filter(({ pair_id: id }) => id === pairId),
      nowMs - settledAfterMs,
    );
  }
  await record.db
    .deleteFrom('music_hearings')
    .where('until_ms', '<', nowMs - hearingsKeptMs)
    .execute();
}

async function countPair(record: StreamRecord, rooms: readonly Due[], untilMs: number): Promise<void> {
  const [pair] = rooms;
  if (!pair || pair.counted_until_ms >= untilMs) return;
  const span = { fromMs: pair.counted_until_ms, untilMs };
  await record.write([], async ({ db }) => {
    // A process that comes second, or after the two stopped, changes no row.
    const { numUpdatedRows } = await db
      .updateTable('music_pairs')
      .set({ counted_until_ms: untilMs })
      .where('pair_id', '=', pair.pair_id)
      .where('counted_until_ms', '=', span.fromMs)
      .where('kept_since_ms', 'is not', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) return;
    for (const { room } of rooms) {
      const [mine, theirs] = [await spansIn(db, pair.first_uid, room), await spansIn(db, pair.second_uid, room)];
      for (const piece of heardTogether(mine, theirs, await playedIn(db, room), span)) {
        await addPiece(db, pair, room, piece);
      }
    }
  });
}

const spansIn = (db: Db, uid: string, room: string): Promise<Span[]> =>
  db
    .selectFrom('music_hearings')
    .select(['from_ms as fromMs', 'until_ms as untilMs'])
    .where('uid', '=', uid)
    .where('room', '=', room)
    .execute();

async function playedIn(db: Db, room: string): Promise<From[]> {
  const rows = await db
    .selectFrom('music_played')
    .selectAll()
    .where('room', '=', room)
    .orderBy('revision', 'desc')
    .limit(200)
    .execute();
  return rows.toReversed().map((row) => {
    const track = row.track === null ? null : storedPlayed.parse(JSON.parse(row.track));
    return {
      atMs: row.at_ms,
      trackId: track?.videoId ?? null,
      durationSeconds: track?.durationSeconds ?? null,
      isPlaying: row.is_playing === 1,
      positionSeconds: row.position_seconds,
      track,
      putBy: row.put_by,
    };
  });
}

/** The last row of a pair, which a new piece may lengthen. */
const lastOf = (db: Db, table: 'music_listens' | 'music_evenings', pairId: string) =>
  db.selectFrom(table).where('pair_id', '=', pairId).orderBy('begun_at_ms', 'desc').limit(1);

async function addPiece(db: Db, pair: Due, room: string, piece: HeardPiece<From>): Promise<void> {
  const { pair_id: pairId } = pair;
  const { from, positionSeconds } = piece;
  const [fromMs, untilMs] = [Math.round(piece.fromMs), Math.round(piece.untilMs)];
  if (from.trackId === null || untilMs <= fromMs) return;
  await addToEvening(db, pairId, room, { fromMs, untilMs });
  const last = await lastOf(db, 'music_listens', pairId).selectAll('music_listens').executeTakeFirst();
  const isSame = last?.track_id === from.trackId && last.room === room && fromMs - last.until_ms < anewAfterMs;
  const before = last && isSame && !(last.is_counted === 1 && positionSeconds < beginningSeconds) ? last : null;
  const heardMs = untilMs - fromMs + (before?.heard_ms ?? 0);
  const counts = countsTogether(heardMs, from.durationSeconds);
  const begunAtMs = before?.begun_at_ms ?? fromMs;
  const values = { until_ms: untilMs, heard_ms: heardMs, is_counted: Number(counts) };
  await db
    .insertInto('music_listens')
    .values({ pair_id: pairId, begun_at_ms: begunAtMs, track_id: from.trackId, room, ...values })
    .onConflict((conflict) => conflict.columns(['pair_id', 'begun_at_ms']).doUpdateSet(values))
    .execute();
  if (counts && before?.is_counted !== 1) await countTrack(db, pair, from, begunAtMs);
}

async function countTrack(db: Db, pair: Due, { track, putBy }: From, atMs: number): Promise<void> {
  if (track === null) return;
  const { pair_id: pairId, first_uid: one, second_uid: two } = pair;
  const { videoId, durationSeconds, writers } = track;
  const title = titleForTwo(track, writers, [one, two]);
  const kept = JSON.stringify({ videoId, title, durationSeconds });
  await db
    .insertInto('music_tracks')
    .values({ pair_id: pairId, track_id: videoId, track: kept, times: 1, first_at_ms: atMs, first_by: putBy })
    .onConflict((conflict) =>
      conflict.columns(['pair_id', 'track_id']).doUpdateSet(({ eb, ref }) => ({
        // A title that was known once stays.
        ...(title !== videoId && { track: kept }),
        times: eb(ref('music_tracks.times'), '+', 1),
      })),
    )
    .execute();
}

async function addToEvening(db: Db, pairId: string, written: string, { fromMs, untilMs }: Span): Promise<void> {
  const last = await lastOf(db, 'music_evenings', pairId).selectAll('music_evenings').executeTakeFirst();
  if (last && fromMs - last.until_ms < eveningPauseMs) {
    await db
      .updateTable('music_evenings')
      .set({ until_ms: Math.max(last.until_ms, untilMs), heard_ms: last.heard_ms + untilMs - fromMs })
      .where('pair_id', '=', pairId)
      .where('begun_at_ms', '=', last.begun_at_ms)
      .execute();
    return;
  }
  const ref = readRoomRef(written);
  const room = ref && (await roomById(db, ref));
  if (!room) return;
  const times = { begun_at_ms: fromMs, until_ms: untilMs, heard_ms: untilMs - fromMs };
  await db
    .insertInto('music_evenings')
    .values({ pair_id: pairId, ...times, room: written, code: room.code, name: room.name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What rooms played is of use for as long as an evening lasts. */
export async function prunePlayedForMusic(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom('music_played')
    .where('at_ms', '<', nowMs - playedKeptMs)
    .execute();
}
