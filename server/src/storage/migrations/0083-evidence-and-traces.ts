/**
 * Migration 0083: the words of before a message was changed or deleted, the upload that a report is about, and the message
 * that an upload belongs to.
 */
import { type Kysely, sql, SqliteAdapter } from 'kysely';

export async function evidenceAndTraces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('earlier_words')
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('edits', 'integer', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('earlier_words_of').on('earlier_words').columns(['place', 'message']).execute();
  await db.schema.createIndex('earlier_words_time').on('earlier_words').column('at_ms').execute();
  await db.schema.alterTable('reports').addColumn('upload_id', 'text').execute();
  await db.schema.createIndex('reports_upload').on('reports').column('upload_id').execute();
  await sql`create index private_messages_hidden on private_messages (pair_id, number)
    where hidden_from > 0 and is_deleted = 0`.execute(db);
  await db.schema.alterTable('images').addColumn('number', 'integer').execute();
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const [column, key] of [
    ['image', 'imageId'],
    ['voice', 'voiceId'],
  ] as const) {
    const id = isSqlite
      ? sql`json_extract(message.${sql.ref(column)}, ${sql.lit(`$.${key}`)})`
      : sql`message.${sql.ref(column)}::json ->> ${sql.lit(key)}`;
    await sql`update images set number = message.number from private_messages as message
      where message.${sql.ref(column)} is not null and images.image_id = ${id}`.execute(db);
  }
}
