/** Migration 0055: what rooms have played, and which of it each person keeps. */
import { type Kysely, sql } from 'kysely';

export async function playedTracks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('played_tracks')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('track', 'text', (column) => column.notNull())
    .addColumn('proposed_by', 'text')
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('played_tracks_key', ['room_id', 'number'])
    .execute();
  // For the deletion of an account.
  await db.schema
    .createIndex('played_tracks_proposed_by')
    .on('played_tracks')
    .column('proposed_by')
    .where(sql.ref('proposed_by'), 'is not', null)
    .execute();
  await db.schema
    .createTable('room_histories')
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('from_ms', 'bigint', (column) => column.notNull())
    .addColumn('until_ms', 'bigint', (column) => column.notNull())
    .addColumn('after_number', 'bigint', (column) => column.notNull())
    .addColumn('until_number', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('room_histories_key', ['uid', 'room_id'])
    .execute();
  await db.schema.createIndex('room_histories_room').on('room_histories').column('room_id').execute();
  await db.schema.createIndex('room_histories_until').on('room_histories').column('until_ms').execute();
  await db.schema
    .alterTable('users')
    .addColumn('keeps_history', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute();
}
