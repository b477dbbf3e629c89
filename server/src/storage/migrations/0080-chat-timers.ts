/** Migration 0080: after how many days the messages of a chat go, who set that, and when each message goes. */
import { type Kysely, sql } from 'kysely';

export async function chatTimers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('conversations').addColumn('goes_after_days', 'integer').execute();
  await db.schema.alterTable('conversations').addColumn('timer_set_by', 'text').execute();
  await db.schema.alterTable('conversations').addColumn('timer_set_at_ms', 'bigint').execute();
  await db.schema.alterTable('private_messages').addColumn('goes_at_ms', 'bigint').execute();
  await sql`create index private_messages_going on private_messages (goes_at_ms) where goes_at_ms is not null`.execute(
    db,
  );
}
