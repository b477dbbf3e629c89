/**
 * The index of private messages: FTS5 on SQLite, a tsvector on PostgreSQL. Both have the same terms, made by
 * `domain/src/chats/message-search.ts`, so both find the same. No word of a query becomes syntax of either: terms hold
 * letters, digits and emoji only.
 */
import type { SoughtTerm, SoughtWord } from '@tunemate/domain';
import type { PairId, Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { builtOnce, isSqlite, isThere } from '../storage/queries.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import { peopleIn, scopeOf, storedTerms } from './messages-store.ts';

export interface FoundRow {
  pair_id: string;
  number: number;
  other: string;
  sender: string;
  text: string;
  image: string | null;
  timestamp_ms: number;
}

interface Asked {
  reader: Uid;
  sought: readonly SoughtWord[];
  /** One chat, or all but those with people whom the reader has blocked. */
  pairId: PairId | null;
  from: number;
  most: number;
}

/** Messages that this reader may see, newest first. */
export async function findMessages(db: Db, asked: Asked): Promise<FoundRow[]> {
  return isSqlite(db) ? await findInParts(db, asked) : (await postgresQuery(asked).execute(db)).rows;
}

/**
 * One part of the reader's index after another, the newest first, until the page is full. A part costs few milliseconds
 * however its messages were written; between two parts others are served.
 */
async function findInParts(db: Db, asked: Asked): Promise<FoundRow[]> {
  const [newest, oldest] = await partsOf(db, asked.reader);
  const found: FoundRow[] = [];
  for (let part = newest; part >= oldest; part -= 1) {
    const most = asked.from + asked.most - found.length;
    found.push(...(await findInPart(db, { ...asked, most }, part)));
    if (found.length === asked.from + asked.most) break;
    if (part > oldest) await nextTurn();
  }
  return found.slice(asked.from);
}

/** As the triggers of migration 0066 count. */
const partWeight = 16_384;
const [beforeWord, beforePerson] = [500_000, 900_000];

async function partsOf(db: Db, reader: Uid): Promise<[newest: number, oldest: number]> {
  const { rows } = await sql<{ newer: number; older: number }>`
    select newer, older from private_search_people where uid = ${reader}`.execute(db);
  const [{ newer, older } = { newer: 0, older: 0 }] = rows;
  return [Math.floor(newer / partWeight), older === 0 ? 0 : -1 - Math.floor(older / partWeight)];
}

/** Of a message `it`: it has words, and this reader has not deleted it for themselves. */
const isLeft = ({ reader }: Pick<Asked, 'reader'>) => sql`
  it.is_deleted = 0 and (it.hidden_from & case when substr(it.pair_id, 1, 22) = ${reader} then 1 else 2 end) = 0`;

/** Of the reader's own row `side` of a chat. */
const isSearched = ({ reader, pairId }: Pick<Asked, 'reader' | 'pairId'>) => sql`
  side.uid = ${reader} and ${
    pairId === null
      ? sql`not exists (select 1 from blocks where blocks.uid = ${reader} and blocks.blocked = side.other)`
      : sql`side.pair_id = ${pairId}`
  }`;

/** Without words that another one begins with: of what is left, no two find the same term of a message. */
const withoutImplied = (sought: readonly SoughtWord[]): readonly SoughtWord[] =>
  sought.filter(([way = []], at) => {
    const [{ term, isBeginning } = { term: '', isBeginning: false }, ...more] = way;
    const isImpliedBy = (other: SoughtWord, index: number): boolean =>
      index !== at &&
      (other[0] ?? []).some((it) => it.term.startsWith(term) && (it.term.length > term.length || index < at));
    return more.length > 0 || !isBeginning || !sought.some(isImpliedBy);
  });

/** In the syntax that FTS5 and `tsquery` share but for their signs. */
function matching(sought: readonly SoughtWord[], written: (of: SoughtTerm) => string, and: string, or: string): string {
  return sought.map((ways) => `(${ways.map((way) => `(${way.map(written).join(and)})`).join(or)})`).join(and);
}

async function findInPart(db: Db, { reader, sought, pairId, most }: Asked, part: number): Promise<FoundRow[]> {
  const wordsIn = `${scopeOf(reader)}${String(beforeWord + part)}`;
  const written = ({ term, isBeginning }: SoughtTerm): string => `"${wordsIn}${term}"${isBeginning ? ' *' : ''}`;
  const words = matching(withoutImplied(sought), written, ' AND ', ' OR ');
  if (pairId === null) return await inAllChats(db, words, reader, most);
  const other = peopleIn(pairId).find((uid) => uid !== reader) ?? '';
  const chat = `"${scopeOf(reader)}${String(beforePerson + part)}${other}"`;
  return await inOneChat(db, `${words} AND ${chat}`, reader, most, pairId);
}

const inAllChats = builtOnce((_db, match: string, reader: Uid, most: number) =>
  sqliteQuery(match, { reader, pairId: null, most }),
);
const inOneChat = builtOnce((_db, match: string, reader: Uid, most: number, pairId: PairId) =>
  sqliteQuery(match, { reader, pairId, most }),
);

/** A cross join is read from the left: the index gives the newest first, so few rows are read. */
const sqliteQuery = (match: string, asked: Pick<Asked, 'reader' | 'pairId' | 'most'>) => sql<FoundRow>`
    select it.pair_id, it.number, side.other, it.sender, it.text, it.image, it.timestamp_ms
    from private_search cross join private_messages as it on it.search_id = private_search.rowid
    cross join conversations as side
    where private_search match ${match} and side.pair_id = it.pair_id and it.number > side.cleared_up_to
      and ${isSearched(asked)} and ${isLeft(asked)}
    order by private_search.rowid desc limit ${asked.most}`;

/**
 * The index gives messages in no order. All that are found are sorted by what is small, joined to the chats that were read
 * once, and only those of the page are read whole.
 */
function postgresQuery(asked: Asked) {
  const { reader, sought, pairId, from, most } = asked;
  const written = ({ term, isBeginning }: SoughtTerm): string =>
    `'${scopeOf(reader)}${term}'${isBeginning ? ':*' : ''}`;
  const terms = matching(sought, written, ' & ', ' | ');
  const ofChat = pairId === null ? sql`true` : sql`it.pair_id = ${pairId}`;
  return sql<FoundRow>`
    with side as materialized (
      select side.pair_id, side.other, side.cleared_up_to from conversations as side where ${isSearched(asked)}),
    it as materialized (
      select it.pair_id, it.number, it.timestamp_ms from private_messages as it
      where it.terms @@ ${terms}::tsquery and ${ofChat} and ${isLeft(asked)}),
    newest as (
      select it.pair_id, it.number, it.timestamp_ms, side.other
      from it inner join side on side.pair_id = it.pair_id and it.number > side.cleared_up_to
      order by it.timestamp_ms desc, it.pair_id, it.number desc limit ${most} offset ${from})
    select newest.pair_id, newest.number, newest.other, whole.sender, whole.text, whole.image, newest.timestamp_ms
    from newest inner join private_messages as whole using (pair_id, number)
    order by newest.timestamp_ms desc, newest.pair_id, newest.number desc`;
}

/** False while messages that were stored before there was an index are still being added to it. */
export async function isIndexWhole(db: Db): Promise<boolean> {
  return !(await isThere(db.selectFrom('private_messages').select('number').where('terms', 'is', null).limit(1)));
}

/** In one write, so that others wait for few milliseconds. */
const messagesAtOnce = 100;
const longestPassMs = 1000;

/** Adds messages that were stored before there was an index, newest first, for a short time. */
export function indexEarlierMessages(record: StreamRecord): () => Promise<void> {
  return async () => {
    const untilMs = performance.now() + longestPassMs;
    while (performance.now() < untilMs) if (!(await indexSome(record))) return;
  };
}

async function indexSome(record: StreamRecord): Promise<boolean> {
  return await record.write([], async ({ db }) => {
    const rows = await unindexed(db).execute();
    if (isSqlite(db)) await addOneByOne(db, rows);
    else if (rows.length > 0) await addTogether(db, rows);
    return rows.length === messagesAtOnce;
  });
}

type Unindexed = Pick<FoundRow, 'pair_id' | 'number' | 'text'>;

/** In their order, by which the triggers number them. */
async function addOneByOne(db: Db, rows: readonly Unindexed[]): Promise<void> {
  for (const { pair_id, number, text } of rows) {
    await db
      .updateTable('private_messages')
      .set({ terms: storedTerms(db, pair_id, text) })
      .where('pair_id', '=', pair_id)
      .where('number', '=', number)
      .execute();
  }
}

async function addTogether(db: Db, rows: readonly Unindexed[]): Promise<void> {
  const made = rows.map(
    ({ pair_id, number, text }) => sql`(${pair_id}, ${number}::bigint, ${storedTerms(db, pair_id, text)}::tsvector)`,
  );
  await sql`update private_messages set terms = made.terms from (values ${sql.join(made)}) as made (pair_id, number, terms)
    where private_messages.pair_id = made.pair_id and private_messages.number = made.number`.execute(db);
}

function unindexed(db: Db) {
  const query = db
    .selectFrom('private_messages')
    .select(['pair_id', 'number', 'text'])
    .where('terms', 'is', null)
    .orderBy('timestamp_ms', 'desc')
    .limit(messagesAtOnce);
  // Other processes take other messages, and none is changed meanwhile.
  return isSqlite(db) ? query : query.forUpdate().skipLocked();
}
