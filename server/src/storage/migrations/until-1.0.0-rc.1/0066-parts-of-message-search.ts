/**
 * Migration 0066: on SQLite, the index of private messages in parts. FTS5 collects everything that a beginning of a word
 * finds before its first row, so one question about very many messages held the process. Now a term begins with the
 * person, as before, and the part: a question reads one part after another, the newest first, until its page is full
 * (`chats/message-index.ts`).
 *
 * A message weighs as many as its terms, and some for being read. `newer` is what a person's messages weigh since there is
 * an index, `older` that of the messages before; each 16,384 are a part: 0, 1, 2 … of the newer ones, -1, -2 … of the older.
 */
import { type Kysely, sql, SqliteAdapter } from 'kysely';

const partWeight = 16_384;
const weightOfReading = 5;
/** Codes of parts have six digits; before a word they begin with 4 or 5, before a person with 8 or 9. */
const [beforeWord, beforePerson] = [500_000, 900_000];

/** Each term has a space before it. */
const termCount = (row: 'old' | 'new') => `(length(${row}.terms) - length(replace(${row}.terms, ' ', '')))`;
/** Of a pair's id, which is two uids of 22 characters with an underscore between. */
const uids = ['substr(new.pair_id, 1, 22)', 'substr(new.pair_id, 24)'] as const;
/** The terms for one of the two, and one that stands for the other. */
const scoped = (row: 'old' | 'new', part: string, [ownEnd, other]: readonly [string, string]) => {
  const scope = `' ' || substr(${row}.pair_id, ${ownEnd}, 8)`;
  return `replace(${row}.terms, ' ', ${scope} || (${part} + ${String(beforeWord)})) ||
    ${scope} || (${part} + ${String(beforePerson)}) || substr(${row}.pair_id, ${other}, 22)`;
};
const scopes = (row: 'old' | 'new', parts: string) =>
  `${scoped(row, `${parts}search_part_1`, ['15', '24'])} || ${scoped(row, `${parts}search_part_2`, ['38', '1'])}`;

/** New messages have rising numbers above 0, those that were there before have falling ones below. */
const numberBeyond = (sign: '>' | '<', order: 'desc' | 'asc', step: 1 | -1) =>
  `coalesce((select search_id from private_messages where search_id ${sign} 0 order by search_id ${order} limit 1), 0) + ${String(step)}`;
const isOlder = 'old.terms is null';
const thisRow = 'pair_id = new.pair_id and number = new.number';
const newerPart = (uid: string) =>
  `(select newer / ${String(partWeight)} from private_search_people where uid = ${uid})`;
const olderPart = (uid: string) =>
  `(select -1 - older / ${String(partWeight)} from private_search_people where uid = ${uid})`;

const add = `
  insert into private_search (rowid, terms)
    select search_id, ${scopes('new', '')} from private_messages where ${thisRow} and new.terms <> '';`;
const take = `
  insert into private_search (private_search, rowid, terms)
    select 'delete', old.search_id, ${scopes('old', 'old.')} where old.terms <> '';`;
/** Adds to what the messages of both weigh. */
const weigh = (newer: string, older: string) => `
  insert into private_search_people (uid, newer, older)
    select uid, ${newer}, ${older} from (select ${uids[0]} as uid union all select ${uids[1]}) where new.terms <> ''
    on conflict (uid) do update set newer = newer + excluded.newer, older = older + excluded.older;`;
const weight = `${termCount('new')} + ${String(weightOfReading)}`;
/**
 * A message that an edit makes much longer gets a new place, or its part would become heavy. Messages can be edited for
 * some minutes only, so that is its place but for those minutes.
 */
const isPlaced = `(new.search_id is null or (${termCount('new')} > 32 and ${termCount('new')} > ${termCount('old')}))`;
const grown = `max(0, ${termCount('new')} - ${termCount('old')})`;

const onSqlite = [
  ...['private_search_sent', 'private_search_changed', 'private_search_gone'].map((name) => `drop trigger ${name}`),
  // Of a version that was never released: its messages are added anew, as those before there was an index.
  'drop table private_search',
  'update private_messages set terms = null, search_id = null where search_id is not null',
  `create virtual table private_search using fts5(terms, content = '', detail = none, columnsize = 0, tokenize = 'ascii')`,
  `insert into private_search (private_search, rank) values ('secure-delete', 1)`,
  'alter table private_messages add column search_part_1 integer',
  'alter table private_messages add column search_part_2 integer',
  `create table private_search_people (uid text primary key, newer integer not null, older integer not null) without rowid`,
  `create trigger private_search_sent after insert on private_messages when new.terms <> '' begin${weigh(weight, '0')}
    update private_messages set search_id = ${numberBeyond('>', 'desc', 1)},
      search_part_1 = ${newerPart(uids[0])}, search_part_2 = ${newerPart(uids[1])} where ${thisRow};${add}
  end`,
  `create trigger private_search_changed after update of terms on private_messages begin${take}${weigh(
    `case when ${isOlder} then 0 when ${isPlaced} then ${weight} else ${grown} end`,
    `case when ${isOlder} then ${weight} else 0 end`,
  )}
    update private_messages set
      search_id = case when ${isOlder} then ${numberBeyond('<', 'asc', -1)} else ${numberBeyond('>', 'desc', 1)} end,
      search_part_1 = case when ${isOlder} then ${olderPart(uids[0])} else ${newerPart(uids[0])} end,
      search_part_2 = case when ${isOlder} then ${olderPart(uids[1])} else ${newerPart(uids[1])} end
      where ${thisRow} and new.terms <> '' and ${isPlaced};${add}
  end`,
  `create trigger private_search_gone before delete on private_messages begin${take}
  end`,
  `create trigger private_search_person_gone after delete on conversations
    when not exists (select 1 from conversations where uid = old.uid) begin
    delete from private_search_people where uid = old.uid;
  end`,
];

export async function partsOfMessageSearch(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  for (const each of onSqlite) await sql.raw(each).execute(db);
}
