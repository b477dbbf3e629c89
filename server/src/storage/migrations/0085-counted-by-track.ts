/**
 * Migration 0085: what two people heard in a year is counted track by track in the order of an index, without sorting, and
 * who put on what was new to them is counted without reading the tracks. An index of listens by time is not needed beside
 * these: the key of the table has that order.
 */
import { type Kysely, sql } from 'kysely';

export async function countedByTrack(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('music_listens_counted').execute();
  await db.schema
    .createIndex('music_listens_by_track')
    .on('music_listens')
    .columns(['pair_id', 'track_id', 'begun_at_ms'])
    .where(sql.ref('is_counted'), '=', sql.lit(1))
    .execute();
  await db.schema
    .createIndex('music_tracks_by_first')
    .on('music_tracks')
    .columns(['pair_id', 'first_by', 'first_at_ms'])
    .execute();
}
