/** Migration 0082: a year of two people and their first track are read from one index. */
import { type Kysely, sql } from 'kysely';

export async function countedListens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('music_listens_counted')
    .on('music_listens')
    .columns(['pair_id', 'begun_at_ms', 'track_id'])
    .where(sql.ref('is_counted'), '=', sql.lit(1))
    .execute();
}
