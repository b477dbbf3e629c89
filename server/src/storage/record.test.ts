/** The record: streams named, locked in one order, times that never go back, few statements. On both databases. */
import { userStream, roomStream, type RoomId, type StreamId, type Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closedWithTest } from '@tunemate/testkit/closed-with-test';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { type Database, migrate, openDatabase } from './database.ts';
import { StreamRecord } from './record.ts';

const [ada, bob, eve] = ['A', 'B', 'E'].map((letter) => userStream(letter.repeat(22) as Uid)) as [
  StreamId,
  StreamId,
  StreamId,
];
const room = roomStream('R'.repeat(22) as RoomId);
const renamed = (name: string) => ({ type: 'accounts/changed', name, readReceipts: true }) as const;

/** How many statements wait for a lock, as PostgreSQL sees it. */
async function waitingFor({ db }: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waiting ?? 0;
}

describeEachDialect('the record', (makeDatabaseUrl, dialect) => {
  async function world(onUnnamed?: (stream: StreamId) => void) {
    const statements: string[] = [];
    const database = openDatabase(await makeDatabaseUrl(), { onStatement: (statement) => statements.push(statement) });
    closedWithTest(() => database.close());
    await migrate(database);
    const clock = createFakeClock();
    const record = new StreamRecord(database, clock, onUnnamed);
    const rung: StreamId[] = [];
    record.onCommitted((each) => rung.push(each));
    statements.length = 0;
    const seqs = async (stream: StreamId) => (await record.entriesAfter(stream, 0)).map(({ seq }) => seq);
    return { database, record, clock, rung, statements, seqs };
  }

  test('a write that appends to a stream it did not name fails as a whole (WIRE-60)', async () => {
    const w = await world();
    const write = w.record.write([ada], async (writing) => {
      await writing.append(ada, renamed('Ada'));
      await writing.append(bob, renamed('Bob'));
    });
    await expect(write).rejects.toThrow(bob);
    expect([await w.record.head(ada), await w.record.head(bob), w.rung]).toEqual([0, 0, []]);
  });

  test('in production it is logged, and the change is still delivered (WIRE-60)', async () => {
    const reported: StreamId[] = [];
    const w = await world((stream) => reported.push(stream));
    await w.record.write([ada], (writing) => writing.append(bob, renamed('Bob')));
    expect([reported, await w.seqs(bob), w.rung]).toEqual([[bob], [1], [bob]]);
  });

  test('a write that the database aborts is repeated after pauses of 10 to 50 ms, which chance decides', async () => {
    const { database } = await world();
    const chances = [0, 0.5, 1];
    const pauses: number[] = [];
    let tries = 0;
    const record = new StreamRecord(database, createFakeClock(), undefined, {
      random: () => chances[tries - 1] ?? 0,
      pause: (ms) => Promise.resolve(void pauses.push(ms)),
    });
    const write = record.write([ada], () => {
      tries += 1;
      return Promise.reject(Object.assign(new Error('deadlock'), { code: '40P01' }));
    });
    await expect(write).rejects.toMatchObject({ code: 'server/unavailable' });
    expect([tries, pauses]).toEqual([4, [10, 30, 50]]);
  });

  test('streams found only once the locks are held make the write begin again, with all of them', async () => {
    const w = await world();
    const asked: number[] = [];
    let runs = 0;
    const grows = () => {
      asked.push(asked.length);
      return Promise.resolve([ada, ...(asked.length > 1 ? [bob] : []), ...(asked.length > 2 ? [eve] : [])]);
    };
    await w.record.write(grows, async (writing) => {
      runs += 1;
      await writing.append([ada, bob, eve], renamed('all'));
    });
    expect([runs, await w.seqs(ada), await w.seqs(bob), await w.seqs(eve)]).toEqual([1, [1], [1], [1]]);
  });

  test('a write whose streams keep changing is refused, and nothing is written', async () => {
    const w = await world();
    let count = 0;
    const restless = () => Promise.resolve([userStream(String((count += 1)).padStart(22, '0') as Uid)]);
    const write = w.record.write(restless, () => Promise.resolve());
    await expect(write).rejects.toMatchObject({ code: 'server/busy' });
  });

  test('a write that the database ended in favour of another one is done again, once it succeeds only once', async () => {
    const w = await world();
    let runs = 0;
    const ended = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    await w.record.write([ada], async (writing) => {
      runs += 1;
      await writing.append(ada, renamed('Ada'));
      if (runs === 1) throw ended;
    });
    expect([runs, await w.seqs(ada), w.rung]).toEqual([2, [1], [ada]]);
    const never = w.record.write([ada], () => Promise.reject(ended));
    await expect(never).rejects.toMatchObject({ code: 'server/unavailable' });
  });

  test('a stream that was deleted since it was written is made again', async () => {
    const w = await world();
    await w.record.write([ada], (writing) => writing.append(ada, renamed('Ada')));
    await w.database.db.deleteFrom('stream_entries').execute();
    await w.database.db.deleteFrom('streams').execute();
    await w.record.write([ada, bob], (writing) => writing.append([ada, bob], renamed('Ada')));
    expect([await w.seqs(ada), await w.seqs(bob)]).toEqual([[1], [1]]);
  });

  test('two programs that write to one stream number its changes without a gap, and in order of time (WIRE-65)', async () => {
    const url = await makeDatabaseUrl();
    const [server, command] = [openDatabase(url), openDatabase(url)];
    await migrate(server);
    const [clock, behind] = [createFakeClock(), createFakeClock()];
    clock.advance(5000);
    const records = [new StreamRecord(server, clock), new StreamRecord(command, behind)];
    const written: { nowMs: number }[] = [];
    for (const turn of [0, 0, 1, 1, 0, 1, 0, 0]) {
      const write = records[turn]?.write([ada], async (writing) => {
        await writing.append(ada, renamed('Ada'));
        return { nowMs: writing.nowMs };
      });
      if (write) written.push(await write);
    }
    const entries = await server.db.selectFrom('stream_entries').select(['seq', 'at_ms']).orderBy('seq').execute();
    expect(entries).toEqual(written.map(({ nowMs }, index) => ({ seq: index + 1, at_ms: nowMs })));
    expect(new Set(written.map(({ nowMs }) => nowMs))).toEqual(new Set([clock.now()]));
    await Promise.all([server.close(), command.close()]);
  });

  if (dialect === 'sqlite')
    test('an entry that does not follow the head of its stream is refused by the database (WIRE-65)', async () => {
      const w = await world();
      await w.record.write([ada], (writing) => writing.append(ada, renamed('Ada')));
      const entry = { stream: ada, at_ms: 0, change: '{}', expels: null };
      const insert = (seq: number) => w.database.db.insertInto('stream_entries').values({ ...entry, seq });
      await expect(insert(3).execute()).rejects.toThrow('the head of the stream has moved');
      await insert(2).execute();
      // The head that the record remembers is behind now: its write is done again with the one that is stored.
      await w.record.write([ada], (writing) => writing.append(ada, renamed('Ada')));
      expect(await w.seqs(ada)).toEqual([1, 2, 3]);
    });

  test('the numbers of no streams are asked without a statement', async () => {
    const w = await world();
    expect([...(await w.record.heads([])), ...w.statements]).toEqual([]);
  });

  test('time never goes back within a stream, on whichever of several the last change was (WIRE-62)', async () => {
    const w = await world();
    const timeOf = (streams: StreamId[]) =>
      w.record.write(streams, async (writing) => {
        await writing.append(streams, renamed('x'));
        return writing.nowMs;
      });
    w.clock.advance(10_000);
    const later = await timeOf([room]);
    w.clock.advance(-4000);
    expect(await timeOf([ada])).toBe(later - 4000);
    expect(await timeOf([ada, room])).toBe(later);
    expect(await timeOf([ada])).toBe(later);
    w.clock.advance(5000);
    expect(await timeOf([room])).toBe(later + 1000);
  });

  test('players follow a clock that was set back far behind the last change of a stream', async () => {
    const w = await world();
    const timesOf = () =>
      w.record.write([room], async (writing) => {
        await writing.append(room, renamed('x'));
        return [writing.nowMs, writing.playersMs];
      });
    const [first = 0] = await timesOf();
    w.clock.advance(-900);
    expect(await timesOf()).toEqual([first, first]);
    w.clock.advance(-900);
    expect(await timesOf()).toEqual([first, first - 1800]);
  });

  // SQLite has one writer at a time: a second write does not begin before the first has ended.
  if (dialect === 'postgres')
    test('time is read when the streams are held, not before (WIRE-62)', async () => {
      const w = await world();
      await w.record.write([room], () => Promise.resolve());
      const { promise: isHolding, resolve: hold } = Promise.withResolvers<undefined>();
      const { promise: letGo, resolve: release } = Promise.withResolvers<undefined>();
      const first = w.record.write([room], async () => {
        hold(undefined);
        await letGo;
      });
      await isHolding;
      const otherProcess = new StreamRecord(w.database, w.clock);
      const second = otherProcess.write([room], (writing) => Promise.resolve(writing.nowMs));
      // It has asked for the stream's row: from here on it waits for the first write.
      await expect.poll(() => waitingFor(w.database)).toBe(1);
      w.clock.advance(300);
      const nowMs = w.clock.now();
      release(undefined);
      await first;
      expect(await second).toBe(nowMs);
    });

  test('a write costs the same statements, however many changes and streams it has', async () => {
    const w = await world();
    const countOf = async (streams: StreamId[], times: number) => {
      w.statements.length = 0;
      await w.record.write(streams, async (writing) => {
        for (let n = 0; n < times; n += 1) await writing.append(streams, renamed(String(n)));
      });
      return w.statements.length;
    };
    const many = Array.from({ length: 300 }, (_, n) => userStream(String(n).padStart(22, '0') as Uid));
    const one = await countOf([ada], 1);
    expect([await countOf(many, 1), await countOf([ada, bob], 20)]).toEqual([one, one]);
    expect(await w.seqs(bob)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  test('writers that name the same streams in every order never deadlock (WIRE-64)', async () => {
    const w = await world();
    const streams = [ada, bob, eve, room];
    const writes = Array.from({ length: 60 }, (_, n) => {
      const named = streams.filter((_stream, index) => ((n % 15) + 1) & (1 << index));
      return w.record.write(n % 2 === 0 ? named : named.toReversed(), (writing) =>
        writing.append(named, renamed(String(n))),
      );
    });
    await Promise.all(writes);
    // Each write ran once: none had to be broken off and begun again.
    expect(w.statements.filter((each) => each.includes('insert into "stream_entries"'))).toHaveLength(60);
  });
});
