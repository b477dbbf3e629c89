/** Migration 0050: what each person made of a chat: pinned, muted, archived, and deleted up to a message. */
import type { Kysely } from 'kysely';

export async function chatList(db: Kysely<unknown>): Promise<void> {
  for (const column of ['is_pinned', 'is_muted', 'is_archived', 'cleared_up_to']) {
    await db.schema
      .alterTable('conversations')
      .addColumn(column, 'bigint', (made) => made.notNull().defaultTo(0))
      .execute();
  }
  // The order of the list.
  await db.schema.dropIndex('conversations_newest').execute();
  await db.schema
    .createIndex('conversations_newest')
    .on('conversations')
    .columns(['uid', 'is_pinned', 'last_at_ms'])
    .execute();
}
