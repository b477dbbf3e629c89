/**
 * The chat list: what reading it costs with 10,000 and with 1,000,000 messages stored, on SQLite and on PostgreSQL, and
 * how the database plans to read it.
 * Usage: npm run bench -- chats
 */
import { join } from 'node:path';
import { pairId, type TabId, type Uid } from '@tunemate/protocol';
import { insertUser } from '@tunemate/testkit/worlds/people';
import { createDatabase, startPostgres } from '@tunemate/testkit/services/postgres';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { sql } from 'kysely';
import { conversationsService } from '../server/src/chats/conversations.ts';
import { type Database, migrate, openDatabase } from '../server/src/storage/database.ts';
import { StreamRecord } from '../server/src/storage/record.ts';
import { systemClock } from '../server/src/system/machine.ts';
import { median } from './load/process-cost.ts';

const sizes = [10_000, 1_000_000];
const friends = 120;
const reads = 200;

const uidOf = (n: number): Uid => `P${String(n).padStart(21, '0')}` as Uid;
const me = uidOf(0);

/** `count` messages spread over 120 conversations of one person, the newest of each in its list row. */
async function fill({ db }: Database, count: number): Promise<void> {
  const perPair = Math.round(count / friends);
  for (let n = 0; n <= friends; n += 1) {
    await insertUser(db, { name: `Friend ${String(n)}`, nowMs: 0, uid: uidOf(n) });
  }
  for (let n = 1; n <= friends; n += 1) {
    const pair = pairId.parse(`${me}_${uidOf(n)}`);
    await sql`
      insert into private_messages (pair_id, number, client_id, sender, text, image, timestamp_ms)
      with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${sql.lit(perPair)})
      select ${sql.lit(pair)}, number, ${sql.lit(`${String(n)}-`)} || number, ${sql.lit(me)}, 'a message of ordinary length, as people write them', null, number * 1000
      from numbers`.execute(db);
    const row = { pair_id: pair, last_number: perPair, last_at_ms: perPair * 1000 + n, started_at_ms: 0 };
    await db
      .insertInto('conversations')
      .values([
        { ...row, uid: me, other: uidOf(n) },
        { ...row, uid: uidOf(n), other: me },
      ])
      .execute();
  }
  await sql`analyze`.execute(db);
}

async function measure(database: Database, count: number) {
  await migrate(database);
  await fill(database, count);
  const record = new StreamRecord(database, systemClock());
  const chats = conversationsService({ record });
  const caller = { uid: me, sessionId: '', connectionId: '', tabId: '' as TabId, address: '' };
  const took: number[] = [];
  let rows = 0;
  for (let n = 0; n < reads; n += 1) {
    const startMs = performance.now();
    const answer = await chats.handlers['chats/list'](caller, {});
    took.push(performance.now() - startMs);
    rows = answer.ok ? answer.value.conversations.length : 0;
  }
  return { messages: count, rows, medianMs: median(took) };
}

/** How the list's first query is read. */
async function plan({ db, dialect }: Database): Promise<string> {
  const query = db
    .selectFrom('conversations')
    .select(['pair_id', 'last_number'])
    .where('uid', '=', me)
    .orderBy('last_at_ms', 'desc')
    .limit(100);
  const { sql: text, parameters } = query.compile();
  const shown = parameters.reduce<string>((done, value) => done.replace(/\?|\$\d+/, `'${String(value)}'`), text);
  const { rows } = await sql.raw(`${dialect === 'postgres' ? 'explain' : 'explain query plan'} ${shown}`).execute(db);
  return rows.map((row) => Object.values(row as object).at(-1) as string).join(' | ');
}

async function compare(name: string, urls: readonly string[]): Promise<void> {
  const rows = [];
  for (const [index, url] of urls.entries()) {
    const database = openDatabase(url);
    rows.push(await measure(database, sizes[index] ?? 0));
    if (index === urls.length - 1) console.log(`${name} reads: ${await plan(database)}`);
    await database.close();
  }
  const [small, large] = rows;
  console.table(
    rows.map((row) => ({ database: name, ...row, ratio: row === large && small ? row.medianMs / small.medianMs : 1 })),
  );
}

const folder = await makeTempDir('bench-chats');
await compare(
  'SQLite',
  sizes.map((count) => `sqlite:${join(folder.path, `${String(count)}.sqlite`)}`),
);
const postgres = await startPostgres();
const databases = await Promise.all(sizes.map(() => createDatabase(postgres.url)));
await compare(
  'PostgreSQL',
  databases.map(({ url }) => url),
);
await postgres.stop();
await folder.remove();
process.exit(0);
