/** Writes that wait at one moment: they share a commit, fail alone, and are answered when it has succeeded. */
import { type RoomId, roomStream, userStream, type Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closedWithTest } from '@tunemate/testkit/closed-with-test';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { migrate, openDatabase } from './database.ts';
import { gather } from '../system/gather.ts';
import { StreamRecord } from './record.ts';
import { commitPace } from './writes.ts';

const streamOf = (n: number) => userStream(String(n).padStart(22, '0') as Uid);

describeEachDialect('writes that wait at one moment', (makeDatabaseUrl, dialect) => {
  async function world() {
    const log: string[] = [];
    const database = openDatabase(await makeDatabaseUrl(), { onStatement: (statement) => log.push(statement) });
    closedWithTest(() => database.close());
    await migrate(database);
    const record = new StreamRecord(database, createFakeClock());
    const write = (n: number, key: string, error?: Error) =>
      record.write([streamOf(n)], async (writing) => {
        await writing.db.insertInto('settings').values({ key, value: '1' }).execute();
        await writing.append(streamOf(n), { type: 'accounts/changed', name: key, readReceipts: true });
        if (error) throw error;
        return key;
      });
    const keys = async () =>
      (await database.db.selectFrom('settings').select('key').orderBy('key').execute()).map(({ key }) => key);
    log.length = 0;
    return { database, record, log, write, keys };
  }

  test('on SQLite twenty of them share a commit, and none is answered before it (COST-2)', async () => {
    const w = await world();
    const writes = Array.from({ length: 20 }, (_, n) =>
      w.write(n, `key ${String(n)}`).then(() => w.log.push('answer')),
    );
    await Promise.all(writes);
    const order = w.log.filter((each) => each === 'commit' || each === 'answer');
    if (dialect === 'sqlite') expect(order).toEqual(['commit', ...Array.from({ length: 20 }, () => 'answer')]);
    expect(order.filter((each) => each === 'answer')).toHaveLength(20);
    expect(await w.keys()).toHaveLength(20);
  });

  test('twenty of one room share a commit on both databases, and one that fails takes nothing of the others (COST-2, COST-3)', async () => {
    const w = await world();
    const room = roomStream('R000000000000000000001' as RoomId);
    const write = (n: number) =>
      w.record.write([streamOf(n), room], async (writing) => {
        await writing.db
          .insertInto('settings')
          .values({ key: n === 7 ? 'key 6' : `key ${String(n)}`, value: '1' })
          .execute();
        const change = { type: 'accounts/changed', name: String(n), readReceipts: true } as const;
        await writing.append([room, streamOf(n)], change);
      });
    await write(20);
    w.log.length = 0;
    const settled = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => write(n)));
    expect(w.log.filter((each) => each === 'commit')).toHaveLength(1);
    // One of them failed: they ran again, each in a savepoint.
    expect(w.log.filter((each) => each.startsWith('savepoint'))).toHaveLength(20);
    expect(settled.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([7]);
    expect(await w.keys()).toHaveLength(20);
    expect(await w.record.head(room)).toBe(20);
    const entries = await w.record.entriesAfter(room, 0);
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(await w.record.head(streamOf(7))).toBe(0);
    // Where none fails, none of them pays for it.
    w.log.length = 0;
    await Promise.all(Array.from({ length: 20 }, (_, n) => write(n + 30)));
    expect(w.log.filter((each) => /^(?:commit|savepoint)/.test(each))).toEqual(['commit']);
  });

  test('what follows a commit happens once for each write, also when they had to run again', async () => {
    const w = await world();
    const done: number[] = [];
    const notified: [string, number][] = [];
    w.record.onCommitted((stream, entries) =>
      notified.push(...entries.map(({ seq }): [string, number] => [stream, seq])),
    );
    const room = roomStream('R000000000000000000003' as RoomId);
    let runs = 0;
    const write = (n: number) =>
      w.record.write([room], async ({ append, afterCommit }) => {
        runs += 1;
        afterCommit(() => void done.push(n));
        await append(room, { type: 'accounts/changed', name: String(n), readReceipts: true });
        if (n === 2) throw new Error('no two');
      });
    await Promise.allSettled([0, 1, 2, 3].map(write));
    expect(done).toEqual([0, 1, 3]);
    expect(notified).toEqual([1, 2, 3].map((seq) => [room, seq]));
    expect(runs).toBe(7);
  });

  test('rooms with the same people, in two processes, never wait for each other for good', async () => {
    const w = await world();
    const other = new StreamRecord(w.database, createFakeClock());
    const rooms = ['R000000000000000000001', 'R000000000000000000002'].map((id) => roomStream(id as RoomId));
    const write = (record: StreamRecord, n: number) =>
      record.write([streamOf(n % 7), streamOf(n % 5), rooms[n % 2] ?? streamOf(0)], async ({ append }) => {
        await append([streamOf(n % 7)], { type: 'accounts/changed', name: String(n), readReceipts: true });
      });
    const settled = await Promise.allSettled(
      Array.from({ length: 120 }, (_, n) => write(dialect === 'postgres' && n % 3 === 0 ? other : w.record, n)),
    );
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
    const heads = await w.record.heads(Array.from({ length: 7 }, (_, n) => streamOf(n)));
    expect([...heads.values()].reduce((sum, head) => sum + head, 0)).toBe(120);
  });

  test('one that fails keeps its own error, leaves nothing behind and takes nothing of the others (COST-3)', async () => {
    const w = await world();
    await w.write(5, 'taken');
    const writes = ['a', 'b', 'c', 'd', 'taken'].map((key, n) =>
      w.write(n, key, key === 'c' ? new Error('no c') : undefined),
    );
    const settled = await Promise.allSettled(writes);
    expect(settled.map((each) => each.status === 'fulfilled')).toEqual([true, true, false, true, false]);
    expect(settled[2]).toMatchObject({ reason: { message: 'no c' } });
    expect(settled[4]).toMatchObject({ reason: { message: expect.stringMatching(/unique/i) as string } });
    expect(await w.keys()).toEqual(['a', 'b', 'd', 'taken']);
    expect(await Promise.all(writes.map((_, n) => w.record.head(streamOf(n))))).toEqual([1, 1, 0, 1, 0]);
  });

  test('when the commit fails every one of them is refused, nothing is stored, and the next write succeeds (COST-4)', async () => {
    const w = await world();
    // A constraint that is checked at the commit.
    const { db } = w.database;
    await sql`create table promises (stream text references streams (stream) deferrable initially deferred)`.execute(
      db,
    );
    const breaking = () =>
      w.record.write([streamOf(9)], async (writing) => {
        await sql`insert into promises values ('nobody')`.execute(writing.db);
      });
    const settled = await Promise.allSettled([
      w.write(0, 'first'),
      w.write(1, 'second'),
      breaking(),
      w.write(2, 'third'),
    ]);
    const isShared = dialect === 'sqlite';
    const expected = isShared
      ? ['rejected', 'rejected', 'rejected', 'rejected']
      : ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'];
    expect(settled.map(({ status }) => status)).toEqual(expected);
    expect(await w.keys()).toEqual(isShared ? [] : ['first', 'second', 'third']);
    expect(await w.write(3, 'fourth')).toBe('fourth');
    // Numbers of what was not stored are given again.
    await Promise.all([w.write(0, 'fifth'), w.write(1, 'sixth')]);
    expect([await w.record.head(streamOf(0)), await w.record.head(streamOf(1))]).toEqual(isShared ? [1, 1] : [2, 2]);
  });
});

test('a batch waits a quarter of a commit, at most 5 ms, and only where each of the last commits took long', () => {
  const pace = commitPace();
  const waits = [20, 20, 20, 20, 0.3, 12, 12, 12, 12].map((ms) => {
    pace.took(ms);
    return pace.waitMs();
  });
  expect(waits).toEqual([0, 0, 0, 5, 0, 0, 0, 0, 3]);
});

test('what comes while a batch waits is done with it', async () => {
  const batches: number[][] = [];
  const doTogether = gather(
    (items: readonly number[]) => {
      batches.push([...items]);
      return Promise.resolve(items);
    },
    { waitMs: () => 60 },
  );
  const first = doTogether(1);
  const second = new Promise((resolve) => setTimeout(resolve, 1)).then(() => doTogether(2));
  expect([await first, await second]).toEqual([1, 2]);
  expect(batches).toEqual([[1, 2]]);
});
