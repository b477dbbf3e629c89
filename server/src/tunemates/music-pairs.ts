/**
 * Pairs of people of whom one asked to keep what both hear together: who asked, who answered, and since when it is kept.
 * What is kept goes with the pair's row. Every function takes the database or transaction to use.
 */
import { pairIdOf } from '@tunemate/domain';
import type { Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import type { Db } from '../storage/schema.ts';

export interface MusicPair {
  pairId: string;
  askedBy: Uid | null;
  declinedAtMs: number | null;
  keptSinceMs: number | null;
  forgottenBy: Uid | null;
}

export async function musicPairOf(db: Db, a: Uid, b: Uid): Promise<MusicPair | null> {
  const row = await db.selectFrom('music_pairs').selectAll().where('pair_id', '=', pairIdOf(a, b)).executeTakeFirst();
  if (!row) return null;
  const { pair_id: pairId, declined_at_ms: declinedAtMs, kept_since_ms: keptSinceMs } = row;
  return {
    pairId,
    askedBy: row.asked_by as Uid | null,
    declinedAtMs,
    keptSinceMs,
    forgottenBy: row.forgotten_by as Uid | null,
  };
}

/** Replaces the row of the two. What both hear counts from now on. */
export async function saveMusicPair(
  db: Db,
  [a, b]: readonly [Uid, Uid],
  pair: Omit<MusicPair, 'pairId'>,
  nowMs: number,
): Promise<void> {
  const values = {
    asked_by: pair.askedBy,
    asked_at_ms: nowMs,
    declined_at_ms: pair.declinedAtMs,
    kept_since_ms: pair.keptSinceMs,
    forgotten_by: pair.forgottenBy,
    counted_until_ms: nowMs,
  };
  const [first, second] = a < b ? [a, b] : [b, a];
  await db
    .insertInto('music_pairs')
    .values({ pair_id: pairIdOf(a, b), first_uid: first, second_uid: second, ...values })
    .onConflict((conflict) => conflict.column('pair_id').doUpdateSet(values))
    .execute();
}

/** Deletes what is kept of a pair, and leaves the pair. */
export async function deleteMusic(db: Db, pairId: string): Promise<void> {
  for (const table of ['music_listens', 'music_tracks', 'music_evenings'] as const) {
    await db.deleteFrom(table).where('pair_id', '=', pairId).execute();
  }
}

/** Once no tie of the two is left: they are neither soulmates nor on a list of each other's. */
export async function dropMusicWithoutTie(db: Db, a: Uid, b: Uid): Promise<void> {
  const isListed = (table: 'tunemates' | 'audio_connections') =>
    sql<boolean>`exists (select 1 from ${sql.table(table)} as listed
      where (listed.uid = ${a} and listed.mate = ${b}) or (listed.uid = ${b} and listed.mate = ${a}))`;
  await db
    .deleteFrom('music_pairs')
    .where('pair_id', '=', pairIdOf(a, b))
    .where(({ not }) => not(isListed('tunemates')))
    .where(({ not }) => not(isListed('audio_connections')))
    .where(sql<boolean>`not exists (select 1 from users where uid = ${a} and soulmate = ${b})`)
    .execute();
}

/** For a deleted account, and for a person who keeps no history any more. */
export async function dropMusicOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('music_pairs').where('first_uid', '=', uid).execute();
  await db.deleteFrom('music_pairs').where('second_uid', '=', uid).execute();
  await db.deleteFrom('music_hearings').where('uid', '=', uid).execute();
}

/** All who keep what they hear together with another person. */
export async function keepersOfMusic(db: Db): Promise<Set<Uid>> {
  const rows = await db
    .selectFrom('music_pairs')
    .select(['first_uid', 'second_uid'])
    .where('kept_since_ms', 'is not', null)
    .execute();
  return new Set(rows.flatMap((row) => [row.first_uid as Uid, row.second_uid as Uid]));
}
