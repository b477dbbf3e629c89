/**
 * Adds the indexes that a hello needs where people have lived for long: the session of a connection, and the
 * notifications that a person has sent.
 */
import type { Kysely } from 'kysely';

export async function sessionAndSender(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('sessions_id').on('sessions').column('session_id').execute();
  await db.schema.createIndex('notifications_sender').on('notifications').columns(['sender_uid', 'type']).execute();
}
