/**
 * Migration 0079: what each person has heard, chosen and left, as counts; which tracks a room chose by itself and which
 * are counted; and the tempo of each track, null for what was measured before.
 */
import { type Kysely, sql } from 'kysely';

export async function suggested(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('heard_counts')
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('after_id', 'text', (column) => column.notNull())
    .addColumn('track_id', 'text', (column) => column.notNull())
    .addColumn('heard', 'bigint', (column) => column.notNull())
    .addColumn('chosen', 'bigint', (column) => column.notNull())
    .addColumn('skipped', 'bigint', (column) => column.notNull())
    .addColumn('last_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('heard_counts_key', ['after_id', 'uid', 'track_id'])
    .execute();
  await db.schema.createIndex('heard_counts_person').on('heard_counts').columns(['uid', 'last_at_ms']).execute();
  await sql`create index heard_counts_chosen on heard_counts (after_id, track_id, chosen) where chosen > 0`.execute(db);
  for (const column of ['by_house', 'is_counted']) {
    await db.schema
      .alterTable('played_tracks')
      .addColumn(column, 'bigint', (added) => added.notNull().defaultTo(0))
      .execute();
  }
  await sql`create index played_tracks_uncounted on played_tracks (at_ms) where is_counted = 0`.execute(db);
  await db.schema.alterTable('measured_loudness').addColumn('tempo', 'double precision').execute();
}
