/** Lets somebody have one notification of a type for each room: two rooms that end together are both told. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('notifications')
    .addColumn('about', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.dropIndex('notifications_live').execute();
  await db.schema
    .createIndex('notifications_live')
    .unique()
    .on('notifications')
    .columns(['uid', 'sender_uid', 'type', 'about'])
    .execute();
}
