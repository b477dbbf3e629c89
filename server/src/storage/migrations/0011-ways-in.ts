/**
 * Adds who comes into a room without the host's approval, when the page of a request last renewed it, who was invited
 * to a room, and which room a notification is about.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [rooms, requests] of [
    ['rooms', 'room_requests'],
    ['audiorooms', 'audioroom_requests'],
  ] as const) {
    await db.schema
      .alterTable(rooms)
      .addColumn('admits', 'text', (c) => c.notNull().defaultTo('nobody'))
      .execute();
    await db.schema
      .alterTable(requests)
      .addColumn('renewed_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update ${sql.table(requests)} set renewed_at_ms = asked_at_ms`.execute(db);
  }
  await db.schema
    .createTable('room_invitations')
    .addColumn('room_id', 'text', (c) => c.notNull())
    .addColumn('uid', 'text', (c) => c.notNull())
    .addColumn('by_host_at_ms', 'bigint')
    .addPrimaryKeyConstraint('room_invitations_pk', ['room_id', 'uid'])
    .execute();
  await db.schema.alterTable('notifications').addColumn('room_id', 'text').execute();
  await db.schema.createIndex('room_invitations_uid').on('room_invitations').column('uid').execute();
}
