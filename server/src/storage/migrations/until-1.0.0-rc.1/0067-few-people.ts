/**
 * Migration 0067: indexes of the people who are stored as online, and of deleted accounts that are not cleared yet. Each
 * process asks for both again and again, and read all people for them.
 */
import { type Kysely, sql } from 'kysely';

export async function fewPeople(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_online on users (presence_changed_at_ms) where online = 1`.execute(db);
  await sql`create index users_to_clear on users (deleted_at_ms) where must_clear = 1`.execute(db);
}
