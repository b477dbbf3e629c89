/**
 * Migration 0064: an index of private messages by sender. How far a mark reaches is asked for with each mark, and without it
 * a chat in which one person wrote everything was read through from its end.
 */
import type { Kysely } from 'kysely';

export async function messagesBySender(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('private_messages_by_sender')
    .on('private_messages')
    .columns(['sender', 'pair_id', 'number'])
    .execute();
}
