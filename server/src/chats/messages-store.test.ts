/** What one request costs in a chat with very many messages: as much as in a short one. */
import { pairIdOf } from '@tunemate/domain';
import { limits, type Uid } from '@tunemate/protocol';
import { leastCpuMs, turnsDuring } from '@tunemate/testkit/least-cpu';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate, openDatabase } from '../storage/database.ts';
import { markFactsOf, saveMarks } from './chats-store.ts';
import { mostAnswerBytes } from '../storage/pages.ts';
import { changedSince, firstSince, messagesBefore } from './messages-store.ts';

const [reader, other] = ['A'.repeat(22) as Uid, 'B'.repeat(22) as Uid];
const pairId = pairIdOf(reader, other);
const many = 20_000;

/** A chat of so many messages of one sender, of which the reader has read none. */
async function chatOf(url: string, count: number, sender: Uid) {
  const database = openDatabase(url);
  await migrate(database);
  const { db } = database;
  await insertUsers(
    db,
    [reader, other].map((uid) => ({ uid, name: uid, nowMs: 0 })),
  );
  const row = { pair_id: pairId, last_number: count, last_at_ms: count, started_at_ms: 0 };
  const unread = sender === other ? count : 0;
  await db
    .insertInto('conversations')
    .values([
      { ...row, uid: reader, other, unread },
      { ...row, uid: other, other: reader, unread: 0 },
    ])
    .execute();
  for (let from = 0; from < count; from += 1000) {
    const messages = Array.from({ length: Math.min(1000, count - from) }, (_, n) => {
      const number = from + n + 1;
      return { pair_id: pairId, number, client_id: `m${String(number)}`, sender, text: 'hello', timestamp_ms: number };
    });
    await db
      .insertInto('private_messages')
      .values(messages.map((message) => ({ ...message, image: null })))
      .execute();
  }
  return database;
}

describeEachDialect('a mark', (makeDatabaseUrl, dialect) => {
  /** Without the syncs of SQLite, which take as long as the disk does. PostgreSQL does the work in another process. */
  function startMeasure(): () => number {
    const [atMs, before] = [performance.now(), process.cpuUsage()];
    return () => {
      const { user, system } = process.cpuUsage(before);
      return dialect === 'sqlite' ? (user + system) / 1000 : performance.now() - atMs;
    };
  }

  /** Reads one message after another, from one on, and says what stays unread. */
  async function reading(count: number, sender: Uid, first = 1) {
    const database = await chatOf(await makeDatabaseUrl(), count, sender);
    const unread: number[] = [];
    const step = async (n: number) => {
      const asked = { deliveredUpTo: n, readUpTo: n, seenRevision: n };
      const facts = await markFactsOf(database.db, reader, other, pairId, asked);
      if (!facts) throw new Error('no chat');
      await saveMarks(database.db, reader, pairId, { ...asked, ...facts.reached, unread: facts.unread });
      unread.push(facts.unread);
    };
    await step(first);
    const took = startMeasure();
    for (let n = 1; n < 30; n += 1) await step(first + n);
    const ms = took();
    await step(count - 3);
    await step(count);
    await database.close();
    return { ms, unread };
  }

  test('costs about as much in a very long chat as in a short one, unread or one’s own, and the count stays right (CHAT-11)', async () => {
    const short = await reading(40, other);
    expect(short.unread).toEqual([...Array.from({ length: 30 }, (_, n) => 39 - n), 3, 0]);
    const unread = await reading(many, other);
    expect(unread.unread).toEqual([...Array.from({ length: 30 }, (_, n) => many - 1 - n), 3, 0]);
    const own = await reading(many, reader, many - 40);
    expect(new Set(own.unread)).toEqual(new Set([0]));
    // Counted or looked through anew with each mark it is a hundred times as much.
    expect(Math.max(unread.ms, own.ms)).toBeLessThan(short.ms * 20);
  });
});

describeEachDialect('a chat in which everything was changed and hidden', (makeDatabaseUrl, dialect) => {
  async function hiddenChat(count: number) {
    const database = await chatOf(await makeDatabaseUrl(), count, reader);
    const set = { hidden_from: 1, hidden_at_1: sql<number>`number`, revision: sql<number>`number` };
    await database.db.updateTable('private_messages').set(set).where('number', '<', count).execute();
    return database;
  }

  test('is opened as quickly as a short one, and goes to its first message while others are served (CHAT-29)', async () => {
    const [short, long] = [await hiddenChat(400), await hiddenChat(many)];
    // Many times, because the clock of a thread may go in steps of 4 ms.
    const open = async ({ db }: typeof short, before: number): Promise<void> => {
      for (let times = 0; times < (dialect === 'sqlite' ? 50 : 1); times += 1) {
        expect(await changedSince(db, reader, pairId, { since: 0, before })).toBeNull();
      }
    };
    const ofShort = await leastCpuMs(() => open(short, 350), 6);
    const ofLong = await leastCpuMs(() => open(long, many - 50), 6);
    // PostgreSQL does the work in another process.
    if (dialect === 'sqlite') expect(ofLong).toBeLessThan(6 * ofShort);
    const few = await changedSince(long.db, reader, pairId, { since: many - 150, before: many - 50 });
    expect(few?.map(({ number }) => number)).toEqual(Array.from({ length: 99 }, (_, n) => many - 149 + n));
    const turns = await turnsDuring(async () => {
      expect(await firstSince(long.db, reader, pairId, { last: many, sinceMs: 0 })).toBe(many);
    });
    expect(turns).toBeGreaterThan(5);
    await Promise.all([short.close(), long.close()]);
  });
});

describeEachDialect('a long page', (makeDatabaseUrl) => {
  test('of long messages weighs 256 KB and one part at most, and the next one goes on', async () => {
    const { db, close } = await chatOf(await makeDatabaseUrl(), 520, other);
    const text = 'x'.repeat(8000);
    await db.updateTable('private_messages').set({ text }).execute();
    const numbers: number[] = [];
    for (let before = 521; before > 1; before = numbers[0] ?? 0) {
      const page = await messagesBefore(db, reader, pairId, before, 1);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(mostAnswerBytes + limits.chatPage * 8400);
      expect(page.hasEarlierMessages).toBe((page.messages[0]?.number ?? 0) > 1);
      numbers.unshift(...page.messages.map(({ number }) => number));
    }
    expect(numbers).toEqual(Array.from({ length: 520 }, (_, n) => n + 1));
    await close();
  });
});
