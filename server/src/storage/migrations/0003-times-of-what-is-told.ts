/**
 * When each stream last changed, so that its times never go back; and when what others see of a person (their name,
 * whether they are online) last changed, so that every process finds what no bell announced. Blocks are also found by whom they block.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const atMs = (table: string, column: string) =>
    db.schema
      .alterTable(table)
      .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  await atMs('streams', 'at_ms');
  await sql`
    update streams set at_ms = coalesce(
      (select max(at_ms) from stream_entries where stream_entries.stream = streams.stream), 0)`.execute(db);
  await atMs('users', 'shown_changed_at_ms');
  await db.schema.createIndex('blocks_blocked').on('blocks').column('blocked').execute();
  await db.schema.createIndex('users_shown_changed').on('users').column('shown_changed_at_ms').execute();
}
