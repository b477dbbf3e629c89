/** Migration 0054: replies in rooms, and edits of their messages. */
import type { Kysely } from 'kysely';

export async function roomTalk(db: Kysely<unknown>): Promise<void> {
  for (const chat of ['room_chat', 'audioroom_chat']) {
    await db.schema.alterTable(chat).addColumn('reply_to', 'text').execute();
    await db.schema.alterTable(chat).addColumn('edit_id', 'text').execute();
    await db.schema
      .alterTable(chat)
      .addColumn('edits', 'bigint', (made) => made.notNull().defaultTo(0))
      .execute();
  }
}
