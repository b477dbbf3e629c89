/**
 * Adds the time of each stream's last change, so that its times never go back, and of the last change of a person's
 * name or presence, so that every process finds changes whose notification was lost. Indexes blocks by the blocked
 * person.
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
