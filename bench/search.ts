/**
 * Searching private messages: how long it takes among a million of them in 10,000 chats, on SQLite and on PostgreSQL, for
 * people with 20 chats and for one with 500; how large the index is, how long it takes to make, and what it adds to
 * storing a message. Writes results/search.md; ends with 1 when a search takes too long.
 * Usage: npm run bench -- search [messages]
 */
import { stat } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { pairId, type TabId, type Uid } from '@tunemate/protocol';
import { percentile } from '@tunemate/testkit/percentile';
import { seededRandom } from '@tunemate/testkit/seeded-ids';
import { createDatabase, startPostgres } from '@tunemate/testkit/services/postgres';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { insertUser } from '@tunemate/testkit/worlds/people';
import { sql } from 'kysely';
import { indexEarlierMessages, isIndexWhole } from '../server/src/chats/message-index.ts';
import { storedTerms } from '../server/src/chats/messages-store.ts';
import { messageSearchService } from '../server/src/chats/message-search.ts';
import { type Database, migrate, openDatabase } from '../server/src/storage/database.ts';
import { StreamRecord } from '../server/src/storage/record.ts';
import { systemClock } from '../server/src/system/machine.ts';
import { writePage } from './report/write-page.ts';

const messages = Number(process.argv[2] ?? 1_000_000);
const [chats, people, chatsOfOne] = [10_000, 1000, 500];
const goalMs = 50;
const searches = 400;
const uidOf = (n: number): Uid => `P${String(n).padStart(21, '0')}` as Uid;

/** The same numbers in each run. */
const random = seededRandom(7);
const below = (count: number): number => Math.floor(random() * count);

const syllables =
  'ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so'.split(' ');
/** Words of two to four syllables. */
const vocabulary = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + below(3) }, () => syllables[below(syllables.length)]).join(''),
);
/** A few words are in most messages, as in a language. */
const aWord = (): string => vocabulary[Math.floor(vocabulary.length * random() ** 3)] ?? '';
const aText = (): string => Array.from({ length: 3 + below(12) }, aWord).join(' ');

/** The first chats are those of one person; the others have 19 or 20 each. */
const pairOfChat = (n: number): [Uid, Uid] => {
  if (n < chatsOfOne) return [uidOf(0), uidOf(n + 1)];
  const [one, step] = [(n % (people - 1)) + 1, Math.floor(n / (people - 1)) + 1];
  return [uidOf(one), uidOf(((one - 1 + step) % (people - 1)) + 1)];
};

/** As an earlier version stored them. */
async function fill({ db }: Database): Promise<void> {
  for (let n = 0; n < people; n += 1) await insertUser(db, { name: `Person ${String(n)}`, nowMs: 0, uid: uidOf(n) });
  const perChat = Math.ceil(messages / chats);
  for (let n = 0; n < chats; n += 1) {
    const [uid, other] = pairOfChat(n).toSorted() as [Uid, Uid];
    const pair_id = pairId.parse(`${uid}_${other}`);
    const rows = Array.from({ length: perChat }, (_, index) => ({
      ...{ pair_id, number: index + 1, client_id: `${String(n)}-${String(index)}`, sender: index % 2 ? uid : other },
      ...{ text: aText(), image: null, timestamp_ms: index * 60_000 + n },
    }));
    await db.insertInto('private_messages').values(rows).execute();
    const row = { pair_id, last_number: perChat, last_at_ms: perChat * 60_000 + n, started_at_ms: 0 };
    const sides = [
      { ...row, uid, other },
      { ...row, uid: other, other: uid },
    ];
    await db.insertInto('conversations').values(sides).execute();
  }
}

async function bytesOf({ db, dialect }: Database, path: string): Promise<number> {
  if (dialect === 'sqlite') {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
    return (await stat(path)).size;
  }
  const { rows } = await sql<{
    bytes: number;
  }>`select pg_total_relation_size('private_messages')::float8 as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Milliseconds until each of some messages is stored, with the terms or without. */
async function insertTimes(record: StreamRecord, hasTerms: boolean): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < 300; n += 1) {
    const [pair_id, text, number] = [`${uidOf(1)}_${uidOf(2)}`, aText(), 1_000_000 + n + (hasTerms ? 1000 : 0)];
    const startMs = performance.now();
    await record.write([], async ({ db }) => {
      const terms = hasTerms ? storedTerms(db, pair_id, text) : null;
      const row = { pair_id, number, client_id: `new-${String(number)}`, sender: uidOf(1), text, image: null, terms };
      await db
        .insertInto('private_messages')
        .values({ ...row, timestamp_ms: Date.now() })
        .execute();
    });
    took.push(performance.now() - startMs);
  }
  return took;
}

async function searchTimes(record: StreamRecord, personOf: () => Uid, wordsOf: () => string): Promise<number[]> {
  const { handlers } = messageSearchService({ record });
  const took: number[] = [];
  for (let n = 0; n < searches; n += 1) {
    const caller = { uid: personOf(), sessionId: '', connectionId: '', tabId: '' as TabId, address: '' };
    const words = wordsOf();
    const startMs = performance.now();
    await handlers['chats/search'](caller, { words });
    took.push(performance.now() - startMs);
  }
  return took;
}

const somebody = (): Uid => uidOf(1 + below(people - 1));
const theOne = (): Uid => uidOf(0);
const begun = (): string => aWord().slice(0, 2 + below(3));
const kinds: readonly (readonly [string, () => Uid, () => string])[] = [
  ['a word, 20 chats', somebody, aWord],
  ['two words, 20 chats', somebody, () => `${aWord()} ${aWord()}`],
  ['two to four letters, 20 chats', somebody, begun],
  ['a word, 500 chats', theOne, aWord],
  ['two to four letters, 500 chats', theOne, begun],
  ['the two most frequent letters, 500 chats', theOne, () => 'ba'],
];

const mb = (bytes: number): string => `${String(Math.round(bytes / 1e6))} MB`;
const ms = (value: number): string => `${value.toFixed(1)} ms`;

async function measure(name: string, url: string, path: string) {
  const database = openDatabase(url);
  await migrate(database);
  const record = new StreamRecord(database, systemClock());
  await fill(database);
  const before = await bytesOf(database, path);
  const startMs = performance.now();
  for (const pass = indexEarlierMessages(record); !(await isIndexWhole(database.db));) await pass();
  const tookMs = performance.now() - startMs;
  if (database.dialect === 'postgres') await sql`vacuum analyze private_messages`.execute(database.db);
  const grown = (await bytesOf(database, path)) - before;
  const rows: (readonly [string, number[]])[] = [];
  for (const [kind, personOf, wordsOf] of kinds) rows.push([kind, await searchTimes(record, personOf, wordsOf)]);
  const inserts = [await insertTimes(record, false), await insertTimes(record, true)] as const;
  await database.close();
  const found = rows.map(
    ([kind, took]) =>
      `| ${name} | ${kind} | ${[0.5, 0.95, 1].map((share) => ms(percentile(took, share))).join(' | ')} |`,
  );
  const figures = [
    `| ${name}: messages without the index | ${mb(before)} |`,
    `| ${name}: the index adds | ${mb(grown)} |`,
    `| ${name}: made in the background, alone on the machine | ${String(Math.round(tookMs / 1000))} s |`,
    `| ${name}: storing a message without and with terms, half within | ${inserts.map((took) => ms(percentile(took, 0.5))).join(', ')} |`,
  ];
  return { found, figures, worst: Math.max(...rows.map(([, took]) => percentile(took, 0.95))) };
}

const folder = await makeTempDir('bench-search');
const path = join(folder.path, 'tunemate.sqlite');
const onSqlite = await measure('SQLite', `sqlite:${path}`, path);
const postgres = await startPostgres();
const onPostgres = await measure('PostgreSQL', (await createDatabase(postgres.url)).url, '');
await postgres.stop();
await folder.remove();
const both = [onSqlite, onPostgres];
const report = `# Searching private messages

\`npm run bench -- search${messages === 1_000_000 ? '' : ` ${String(messages)}`}\`

${String(messages)} messages of 3 to 14 words in ${String(chats)} chats. Searches of all chats of a person, ${String(searches)} of each kind, one after
another. Goal: 95 % within ${String(goalMs)} ms. Two cores, load average ${loadavg()[0]?.toFixed(0) ?? ''}.

| database | searched for | half within | 95 % within | longest |
| --- | --- | --- | --- | --- |
${both.flatMap(({ found }) => found).join('\n')}

| figure | value |
| --- | --- |
${both.flatMap(({ figures }) => figures).join('\n')}
`;
writePage('search', report);
console.log(report);
process.exit(both.every(({ worst }) => worst <= goalMs) ? 0 : 1);
