/**
 * Finds a message of a room by its client id. It is the answer to a repetition from now on, so the answers kept beside it
 * go: they would outlive the words of a message that its host deletes.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const chat of ['room_chat', 'audioroom_chat']) {
    await db.schema.createIndex(`${chat}_client`).on(chat).columns(['room_id', 'sender', 'client_id']).execute();
  }
  await sql`delete from idempotency where room_id is not null and answer like '{"message":%'`.execute(db);
}
