/**
 * Adds to the chats of rooms the stamps that people press on messages, and whether the host deleted a message.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of ['room', 'audioroom']) {
    await db.schema
      .alterTable(`${part}_chat`)
      .addColumn('is_deleted', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable(`${part}_stamps`)
      .addColumn('room_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('uid', 'text', (column) => column.notNull())
      .addColumn('stamp', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${part}_stamps_pk`, ['room_id', 'message_id', 'uid', 'stamp'])
      .execute();
    await db.schema.createIndex(`${part}_stamps_uid`).on(`${part}_stamps`).columns(['uid', 'room_id']).execute();
  }
}
