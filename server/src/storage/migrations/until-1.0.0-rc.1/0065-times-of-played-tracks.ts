/**
 * Migration 0065: an index of played tracks by time. The list of one's histories counts the tracks of each since one came:
 * without the index every row was read, with its title.
 */
import type { Kysely } from 'kysely';

export async function timesOfPlayedTracks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('played_tracks_times')
    .on('played_tracks')
    .columns(['room_id', 'at_ms', 'number'])
    .execute();
}
