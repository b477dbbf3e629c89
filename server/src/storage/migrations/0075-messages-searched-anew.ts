/**
 * Migration 0075: messages are found by other terms than before (letters that are marks, beginnings of words in Arabic,
 * emoji, other spellings), so the index is empty at first. All messages are added to it in the background, the newest
 * first, as those before there was an index (`chats/message-index.ts`): no start waits for them.
 */
import { type Kysely, sql, SqliteAdapter } from 'kysely';

const unsearched = 'create index private_messages_unsearched on private_messages (timestamp_ms) where terms is null';

/** The triggers stay but for the one that would take each message out of the index by itself. */
async function onSqlite(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_schema where type = 'trigger' and name = 'private_search_changed'`.execute(db);
  const statements = [
    'drop trigger private_search_changed',
    'drop index private_messages_unsearched',
    'drop index private_messages_search',
    'drop table private_search',
    'delete from private_search_people',
    'update private_messages set terms = null, search_id = null, search_part_1 = null, search_part_2 = null',
    unsearched,
    'create unique index private_messages_search on private_messages (search_id) where search_id is not null',
    `create virtual table private_search using fts5(terms, content = '', detail = none, columnsize = 0, tokenize = 'ascii')`,
    `insert into private_search (private_search, rank) values ('secure-delete', 1)`,
    ...rows.map((row) => row.sql),
  ];
  for (const each of statements) await sql.raw(each).execute(db);
}

export async function messagesSearchedAnew(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) {
    await onSqlite(db);
    return;
  }
  const statements = [
    'alter table private_messages drop column terms',
    'alter table private_messages add column terms tsvector',
    unsearched,
    'create index private_messages_search on private_messages using gin (terms) with (fastupdate = off)',
  ];
  for (const each of statements) await sql.raw(each).execute(db);
}
