/**
 * Migration 0068: when the track of a room ends, with an index, so that any process finds the rooms that should have gone
 * on. A room that plays has a time long past: the first look at it stores the true one.
 */
import { type Kysely, sql } from 'kysely';

export async function endsOfTracks(db: Kysely<unknown>): Promise<void> {
  for (const table of ['tunemate_rooms', 'audio_room_state']) {
    await db.schema.alterTable(table).addColumn('ends_at_ms', 'bigint').execute();
    await sql`update ${sql.table(table)} set ends_at_ms = 0 where document like '%"isPlaying":true%'`.execute(db);
    await sql`create index ${sql.ref(`${table}_ends`)} on ${sql.table(table)} (ends_at_ms)
      where ends_at_ms is not null`.execute(db);
  }
}
