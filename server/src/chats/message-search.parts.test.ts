/** Searches of a person with very many messages, on SQLite: what one costs, and what it finds over the parts of the index. */
import { join } from 'node:path';
import { pairIdOf } from '@tunemate/domain';
import { limits, type PairId, type TabId, type Uid } from '@tunemate/protocol';
import { leastCpuMs, turnsDuring } from '@tunemate/testkit/least-cpu';
import { writeMigratedSqlite } from '@tunemate/testkit/services/migrated-sqlite';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../storage/database.ts';
import { messageSearch } from '../storage/migrations/until-1.0.0-rc.1/0049-message-search.ts';
import { partsOfMessageSearch } from '../storage/migrations/until-1.0.0-rc.1/0066-parts-of-message-search.ts';
import { StreamRecord } from '../storage/record.ts';
import { systemClock } from '../system/machine.ts';
import { indexEarlierMessages } from './message-index.ts';
import { storedTerms } from './messages-store.ts';
import { messageSearchService } from './message-search.ts';

const [ada, bob, cleo, dan] = ['A', 'B', 'C', 'D'].map((letter) => letter.repeat(22) as Uid) as [Uid, Uid, Uid, Uid];
const few = 2000;
/** In each of two chats. */
const many = 10_000;
/** Of them, stored before there was an index. */
const older = 1000;
const partWeight = 16_384;

describe('a person with very many messages', () => {
  let dir: Awaited<ReturnType<typeof makeTempDir>>;
  let database: Database;
  let search: ReturnType<typeof messageSearchService>['handlers'];
  const callerOf = (uid: Uid) => ({ uid, sessionId: '', connectionId: '', tabId: '' as TabId, address: '' });

  /** Each holds 'song'; every hundredth 'rare'. */
  const textOf = (n: number): string => `song number ${String(n)}${n % 100 === 0 ? ' rare' : ''}`;
  async function addMessages(chats: readonly PairId[], numbers: readonly number[], isIndexed: boolean): Promise<void> {
    const rows = numbers.flatMap((number) =>
      chats.map((pair_id) => {
        const text = textOf(number);
        const terms = isIndexed ? storedTerms(database.db, pair_id, text) : null;
        const names = { pair_id, number, client_id: `${pair_id}-${String(number)}`, sender: pair_id.slice(0, 22) };
        return { ...names, text, terms, image: null, timestamp_ms: number };
      }),
    );
    for (let from = 0; from < rows.length; from += 500) {
      await database.db
        .insertInto('private_messages')
        .values(rows.slice(from, from + 500))
        .execute();
    }
  }
  async function addChat(one: Uid, two: Uid, count: number): Promise<void> {
    const row = { pair_id: pairIdOf(one, two), last_number: count, last_at_ms: count, started_at_ms: 0 };
    await database.db
      .insertInto('conversations')
      .values([
        { ...row, uid: one, other: two },
        { ...row, uid: two, other: one },
      ])
      .execute();
  }
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

  beforeAll(async () => {
    dir = await makeTempDir('parts');
    const path = join(dir.path, 'tunemate.db');
    await writeMigratedSqlite(path);
    database = openDatabase(`sqlite:${path}`);
    const { db } = database;
    await insertUsers(
      db,
      [ada, bob, cleo, dan].map((uid) => ({ uid, name: uid, nowMs: 0 })),
    );
    await addChat(ada, bob, many);
    await addChat(ada, cleo, many);
    await addChat(cleo, dan, few);
    const ofAda = [bob, cleo].map((other) => pairIdOf(ada, other));
    await addMessages(ofAda, numbers(1, older), false);
    await addMessages(ofAda, numbers(older + 1, many), true);
    await addMessages([pairIdOf(cleo, dan)], numbers(1, few), true);
    const record = new StreamRecord(database, systemClock());
    for (const pass = indexEarlierMessages(record); await hasUnindexed();) await pass();
    search = messageSearchService({ record }).handlers;
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await dir.remove();
  });
  const hasUnindexed = async () =>
    (await database.db.selectFrom('private_messages').select('number').where('terms', 'is', null).limit(1).execute())
      .length > 0;

  const page = async (uid: Uid, words: string, from = 0) => {
    const answer = await search['chats/search'](callerOf(uid), { words, from });
    if (!answer.ok) throw new Error('refused');
    return answer.value;
  };
  const pageIn = async (uid: Uid, other: Uid, words: string, from = 0) => {
    const side = { pairId: pairIdOf(uid, other) };
    const answer = await search['chats/searchInChat']({ caller: callerOf(uid), side } as never, {
      ...side,
      words,
      from,
    });
    if (!answer.ok) throw new Error('refused');
    return answer.value;
  };

  test.each(['song number', 'nu num numb number'])('searches for %j as quickly as one with few', async (words) => {
    const searchOften = async (uid: Uid, other: Uid): Promise<void> => {
      for (let times = 0; times < 8; times += 1) {
        await page(uid, words);
        await pageIn(uid, other, words);
      }
    };
    const short = await leastCpuMs(() => searchOften(dan, cleo), 6);
    // Ten times as many messages.
    expect(await leastCpuMs(() => searchOften(ada, bob), 6)).toBeLessThan(3 * short);
  });

  test('lets others be served while it looks at very many that the person may not see any more', async () => {
    await database.db.updateTable('conversations').set({ cleared_up_to: many }).where('uid', '=', ada).execute();
    for (const look of [() => page(ada, 'song'), () => pageIn(ada, bob, 'song number')]) {
      const turns = await turnsDuring(async () => {
        expect(await look()).toMatchObject({ found: [], hasMore: false });
      });
      // All of them weigh eight and more.
      expect(turns).toBeGreaterThan((2 * many * 8) / partWeight - 3);
    }
    await database.db.updateTable('conversations').set({ cleared_up_to: 0 }).where('uid', '=', ada).execute();
  });

  test('gets the pages of all parts, newest first, each message once (CHAT-30)', async () => {
    for (const [read, copies] of [
      [(from: number) => page(ada, 'rare', from), 2],
      [(from: number) => pageIn(ada, bob, 'rare', from), 1],
      [(from: number) => page(bob, 'ra', from), 1],
    ] as const) {
      const all: { number: number; pairId: string }[] = [];
      for (let hasMore = true; hasMore;) {
        const { found, hasMore: isMore } = await read(all.length);
        expect(found.length).toBe(isMore ? limits.foundMessages : (copies * many) / 100 - all.length);
        all.push(...found);
        hasMore = isMore;
      }
      expect(new Set(all.map(({ number, pairId }) => `${pairId} ${String(number)}`)).size).toBe((copies * many) / 100);
      const newer = all.filter(({ number }) => number > older).length;
      expect(newer).toBe(all.findIndex(({ number }) => number <= older));
    }
    expect((await pageIn(ada, bob, 'song', 600)).found.map(({ number }) => number)).toEqual(
      numbers(many - 600 - limits.foundMessages + 1, many - 600).toReversed(),
    );
    expect(await pageIn(dan, cleo, `number ${String(few)}`)).toMatchObject({ found: [{ number: few }] });
  });

  test('finds the same with beginnings of a word that is sought as well (CHAT-30)', async () => {
    const first = await page(dan, 'so son song');
    expect(first).toEqual(await page(dan, 'song'));
    expect((await page(dan, 'song son soo')).found).toEqual([]);
    expect((await page(dan, 'rare rare ra')).found).toHaveLength(few / 100);
  });

  test('makes no part heavy by editing short messages into long ones', async () => {
    const pair_id = pairIdOf(cleo, dan);
    const long = Array.from({ length: 400 }, (_, n) => `aa${n.toString(36)}`).join(' ');
    const edit = async (number: number, text: string) =>
      await database.db
        .updateTable('private_messages')
        .set({ text, terms: storedTerms(database.db, pair_id, text) })
        .where('pair_id', '=', pair_id)
        .where('number', '=', number)
        .execute();
    for (const number of numbers(1, 200)) await edit(number, long);
    const { rows } = await sql<{ terms: number }>`
      select sum(length(terms) - length(replace(terms, ' ', ''))) as terms from private_messages
      where pair_id = ${pair_id} group by search_part_2`.execute(database.db);
    expect(Math.max(...rows.map(({ terms }) => terms))).toBeLessThan(partWeight + 500);
    expect((await page(dan, 'aa')).found[0]).toMatchObject({ number: 200 });
    expect((await page(dan, 'aa9', 180)).found).toHaveLength(20);
    await edit(few - 50, `song ${long}`);
    const songs = (await page(dan, 'song')).found.map(({ number }) => number);
    expect(songs).toEqual([...numbers(few - 28, few).toReversed(), few - 50]);
    expect((await page(dan, 'rare')).found.map(({ number }) => number)).toEqual(
      numbers(3, few / 100)
        .map((n) => n * 100)
        .toReversed(),
    );
  });

  test('leaves no count behind when the chats are gone', async () => {
    const counted = async () =>
      (await sql<{ uid: string }>`select uid from private_search_people order by uid`.execute(database.db)).rows.map(
        ({ uid }) => uid,
      );
    expect(await counted()).toEqual([ada, bob, cleo, dan]);
    await database.db.deleteFrom('private_messages').where('pair_id', '=', pairIdOf(cleo, dan)).execute();
    await database.db.deleteFrom('conversations').where('pair_id', '=', pairIdOf(cleo, dan)).execute();
    expect(await counted()).toEqual([ada, bob, cleo]);
    expect((await pageIn(cleo, ada, 'song')).found).toHaveLength(limits.foundMessages);
  });
});

test('an index without parts is made anew in the background, and no word of it stays behind', async () => {
  await using dir = await makeTempDir('parts');
  const { db, close } = openDatabase(`sqlite:${join(dir.path, 'old.db')}`);
  await sql`create table private_messages (pair_id text, number integer, timestamp_ms integer)`.execute(db);
  await sql`create table conversations (uid text)`.execute(db);
  await messageSearch(db as Kysely<unknown>);
  const pair = pairIdOf(ada, bob);
  const add = async (number: number, terms: string) =>
    await sql`insert into private_messages (pair_id, number, timestamp_ms, terms) values (${pair}, ${number}, 0, ${terms})`.execute(
      db,
    );
  await add(1, ' old');
  await add(2, '');
  const count = async (term: string) =>
    (await sql`select rowid from private_search where private_search match ${`"${term}" *`}`.execute(db)).rows.length;
  expect(await count('AAAAAAAAold')).toBe(1);
  await partsOfMessageSearch(db as Kysely<unknown>);
  await add(3, ' new');
  const counts = ['AAAAAAAAold', 'AAAAAAAA', 'AAAAAAAA500000new', 'BBBBBBBB500000new'].map(count);
  expect(await Promise.all(counts)).toEqual([0, 1, 1, 1]);
  expect((await sql`select terms from private_messages order by number`.execute(db)).rows).toEqual([
    { terms: null },
    { terms: '' },
    { terms: ' new' },
  ]);
  await sql`delete from private_messages`.execute(db);
  expect(await count('AAAAAAAA')).toBe(0);
  await close();
});
