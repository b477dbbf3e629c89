/** Migration 0043: how many bytes of messages each person sent in each conversation. */
import { type Kysely, sql, SqliteAdapter } from 'kysely';

export async function keptBytes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('conversations')
    .addColumn('sent_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const length = isSqlite ? sql`length(cast(text as blob))` : sql`octet_length(text)`;
  await sql`
    update conversations set sent_bytes = coalesce((
      select sum(${length} + 256) from private_messages
      where private_messages.pair_id = conversations.pair_id and private_messages.sender = conversations.uid
    ), 0)`.execute(db);
}
