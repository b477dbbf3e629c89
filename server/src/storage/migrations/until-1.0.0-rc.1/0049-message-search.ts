/**
 * Migration 0049: the index that private messages are searched in. Messages stored before are added to it in the
 * background (`chats/message-index.ts`), so that no start waits for them.
 *
 * A term begins with the last eight characters of the uid of a person who may read it: a search of one person reads that
 * person's part of the index alone, however many messages others have. Two people may share those characters, so the
 * query checks who may read each message it finds.
 */
import { type Kysely, sql, SqliteAdapter } from 'kysely';

/** Of a pair's id, which is two uids of 22 characters with an underscore between. */
const scopes = (row: 'old' | 'new') =>
  `replace(${row}.terms, ' ', ' ' || substr(${row}.pair_id, 15, 8)) ||
   replace(${row}.terms, ' ', ' ' || substr(${row}.pair_id, 38, 8)) || ' ' || replace(${row}.pair_id, '_', '')`;

/** New messages have rising numbers above 0, those that were there before have falling ones below. */
const numberBeyond = (sign: '>' | '<', order: 'desc' | 'asc', step: 1 | -1) =>
  `coalesce((select search_id from private_messages where search_id ${sign} 0 order by search_id ${order} limit 1), 0) + ${String(step)}`;
const next = numberBeyond('>', 'desc', 1);
const previous = numberBeyond('<', 'asc', -1);
const thisRow = 'pair_id = new.pair_id and number = new.number';
const add = `
  insert into private_search (rowid, terms)
    select search_id, ${scopes('new')} from private_messages where ${thisRow} and new.terms <> '';`;
const take = `
  insert into private_search (private_search, rowid, terms)
    select 'delete', old.search_id, ${scopes('old')} where old.terms <> '';`;

const onSqlite = [
  'alter table private_messages add column search_id integer',
  'create unique index private_messages_search on private_messages (search_id) where search_id is not null',
  `create virtual table private_search using fts5(terms, content = '', detail = none, columnsize = 0, tokenize = 'ascii')`,
  // Words that were taken out of the index are overwritten.
  `insert into private_search (private_search, rank) values ('secure-delete', 1)`,
  `create trigger private_search_sent after insert on private_messages when new.terms <> '' begin
    update private_messages set search_id = ${next} where ${thisRow};${add}
  end`,
  `create trigger private_search_changed after update of terms on private_messages begin${take}
    update private_messages set search_id = case when old.terms is null then ${previous} else ${next} end
      where ${thisRow} and search_id is null and new.terms <> '';${add}
  end`,
  `create trigger private_search_gone before delete on private_messages begin${take}
  end`,
];

export async function messageSearch(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await db.schema
    .alterTable('private_messages')
    .addColumn('terms', isSqlite ? 'text' : sql`tsvector`)
    .execute();
  // Those that are not in the index yet, of which the newest are added first.
  await db.schema
    .createIndex('private_messages_unsearched')
    .on('private_messages')
    .column('timestamp_ms')
    .where(sql.ref('terms'), 'is', null)
    .execute();
  const statements = isSqlite
    ? onSqlite
    : ['create index private_messages_search on private_messages using gin (terms) with (fastupdate = off)'];
  for (const each of statements) await sql.raw(each).execute(db);
}
