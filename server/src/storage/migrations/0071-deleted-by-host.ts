/** Migration 0071: whether the host has deleted a message of a room, which its place says; of earlier ones it is not known. */
import type { Kysely } from 'kysely';

export async function deletedByHost(db: Kysely<unknown>): Promise<void> {
  for (const chat of ['room_chat', 'audioroom_chat']) {
    await db.schema
      .alterTable(chat)
      .addColumn('deleted_by_host', 'integer', (made) => made.notNull().defaultTo(0))
      .execute();
  }
}
