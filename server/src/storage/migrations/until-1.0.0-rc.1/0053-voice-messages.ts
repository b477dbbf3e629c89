/** Migration 0053: recordings, of messages and among what was uploaded for chats. */
import type { Kysely } from 'kysely';

export async function voiceMessages(db: Kysely<unknown>): Promise<void> {
  for (const table of ['private_messages', 'images']) {
    await db.schema.alterTable(table).addColumn('voice', 'text').execute();
  }
}
