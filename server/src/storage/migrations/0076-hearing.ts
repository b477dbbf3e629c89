/** Migration 0076: what people hear in rooms, and to whom they show it; null where they were never asked. */
import { type Kysely, sql } from 'kysely';

export async function hearing(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('hearing_shown_to', 'text').execute();
  await db.schema
    .createTable('hearing')
    .addColumn('uid', 'text', (column) => column.primaryKey())
    .addColumn('room', 'text')
    .addColumn('video_id', 'text')
    .addColumn('ended_at_ms', 'bigint')
    .addColumn('changed_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await sql`create index hearing_room on hearing (room) where room is not null`.execute(db);
  await db.schema.createIndex('hearing_changed').on('hearing').column('changed_at_ms').execute();
}
