/** Migration 0045: what people do to private messages after sending: replies, edits, deletions, reactions. */
import { type Kysely, sql } from 'kysely';

const counted = ['edits', 'is_deleted', 'hidden_from', 'revision', 'hidden_at_1', 'hidden_at_2'] as const;

export async function messageActs(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('private_messages').addColumn('reply_to', 'bigint').execute();
  await db.schema.alterTable('private_messages').addColumn('edit_id', 'text').execute();
  for (const column of counted) {
    await db.schema
      .alterTable('private_messages')
      .addColumn(column, 'bigint', (made) => made.notNull().defaultTo(0))
      .execute();
  }
  await db.schema.alterTable('conversations').addColumn('shown_number', 'bigint').execute();
  for (const column of ['seen_revision', 'hide_revision']) {
    await db.schema
      .alterTable('conversations')
      .addColumn(column, 'bigint', (made) => made.notNull().defaultTo(0))
      .execute();
  }
  for (const column of ['revision', 'hidden_at_1', 'hidden_at_2']) {
    await db.schema
      .createIndex(`private_messages_${column}`)
      .on('private_messages')
      .columns(['pair_id', column])
      .where(sql.ref(column), '>', 0)
      .execute();
  }
  await db.schema
    .createTable('private_reactions')
    .addColumn('pair_id', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('emojis', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('added', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('private_reactions_key', ['pair_id', 'number', 'uid'])
    .execute();
  await db.schema
    .createIndex('private_reactions_revision')
    .on('private_reactions')
    .columns(['pair_id', 'revision'])
    .execute();
  await db.schema
    .createIndex('private_reactions_added')
    .on('private_reactions')
    .columns(['pair_id', 'author', 'added'])
    .execute();
  // Deleted pictures are looked for once a minute.
  await db.schema
    .createIndex('images_going')
    .on('images')
    .column('image_id')
    .where(sql`state`, '=', 'going')
    .execute();
}
