/** Migration 0081: what two people heard together, for those who keep it, and what it is counted from. */
import type { Kysely } from 'kysely';

export async function ourMusic(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('music_pairs')
    .addColumn('pair_id', 'text', (column) => column.primaryKey())
    .addColumn('first_uid', 'text', (column) => column.notNull())
    .addColumn('second_uid', 'text', (column) => column.notNull())
    .addColumn('asked_by', 'text')
    .addColumn('asked_at_ms', 'bigint')
    .addColumn('declined_at_ms', 'bigint')
    .addColumn('kept_since_ms', 'bigint')
    .addColumn('forgotten_by', 'text')
    .addColumn('counted_until_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  for (const uid of ['first_uid', 'second_uid']) {
    await db.schema.createIndex(`music_pairs_by_${uid}`).on('music_pairs').column(uid).execute();
  }
  await createKept(db);
  await db.schema
    .createTable('music_hearings')
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('room', 'text', (column) => column.notNull())
    .addColumn('from_ms', 'bigint', (column) => column.notNull())
    .addColumn('until_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('music_hearings_key', ['uid', 'room', 'from_ms', 'until_ms'])
    .execute();
  await db.schema
    .createTable('music_played')
    .addColumn('room', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('is_playing', 'integer', (column) => column.notNull())
    .addColumn('position_seconds', 'double precision', (column) => column.notNull())
    .addColumn('track', 'text')
    .addColumn('put_by', 'text')
    .addPrimaryKeyConstraint('music_played_key', ['room', 'revision'])
    .execute();
}

/** What is kept of a pair goes with it. */
async function createKept(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('music_listens')
    .addColumn('pair_id', 'text', (column) => column.notNull().references('music_pairs.pair_id').onDelete('cascade'))
    .addColumn('begun_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('until_ms', 'bigint', (column) => column.notNull())
    .addColumn('track_id', 'text', (column) => column.notNull())
    .addColumn('room', 'text', (column) => column.notNull())
    .addColumn('heard_ms', 'integer', (column) => column.notNull())
    .addColumn('is_counted', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('music_listens_key', ['pair_id', 'begun_at_ms'])
    .execute();
  await db.schema
    .createTable('music_tracks')
    .addColumn('pair_id', 'text', (column) => column.notNull().references('music_pairs.pair_id').onDelete('cascade'))
    .addColumn('track_id', 'text', (column) => column.notNull())
    .addColumn('track', 'text', (column) => column.notNull())
    .addColumn('times', 'integer', (column) => column.notNull())
    .addColumn('first_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('first_by', 'text')
    .addPrimaryKeyConstraint('music_tracks_key', ['pair_id', 'track_id'])
    .execute();
  await db.schema
    .createIndex('music_tracks_by_times')
    .on('music_tracks')
    .columns(['pair_id', 'times', 'first_at_ms'])
    .execute();
  await db.schema
    .createTable('music_evenings')
    .addColumn('pair_id', 'text', (column) => column.notNull().references('music_pairs.pair_id').onDelete('cascade'))
    .addColumn('begun_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('until_ms', 'bigint', (column) => column.notNull())
    .addColumn('heard_ms', 'integer', (column) => column.notNull())
    .addColumn('room', 'text', (column) => column.notNull())
    .addColumn('code', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('music_evenings_key', ['pair_id', 'begun_at_ms'])
    .execute();
}
