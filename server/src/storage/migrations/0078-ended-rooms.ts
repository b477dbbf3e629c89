/** Migration 0078: rooms that ended, for their hosts, and who was there last. */
import type { Kysely } from 'kysely';

export async function endedRooms(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ended_rooms')
    .addColumn('room_id', 'text', (column) => column.primaryKey())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('code', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('playback', 'text', (column) => column.notNull())
    .addColumn('ended_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('ended_rooms_by_host').on('ended_rooms').columns(['host', 'ended_at_ms']).execute();
  await db.schema.createIndex('ended_rooms_by_age').on('ended_rooms').column('ended_at_ms').execute();
  await db.schema
    .createTable('ended_room_people')
    .addColumn('room_id', 'text', (column) => column.notNull().references('ended_rooms.room_id').onDelete('cascade'))
    .addColumn('uid', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('ended_room_people_key', ['room_id', 'uid'])
    .execute();
  await db.schema.createIndex('ended_room_people_by_uid').on('ended_room_people').column('uid').execute();
}
