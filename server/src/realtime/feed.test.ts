/** The feed: in order, without gaps, nothing after leaving, coalesced in large rooms. Over the real record. */
import { type Entries, userStream, type StreamId, type Uid } from '@tunemate/protocol';
import { expect, test, vi } from 'vitest';
import { closedWithTest } from '@tunemate/testkit/closed-with-test';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { migrate, openDatabase } from '../storage/database.ts';
import { type Change, type Entry, StreamRecord } from '../storage/record.ts';
import { Feed, localDoorbell } from './feed.ts';
import { createLog } from '../system/logging.ts';

const silent = createLog('silent');
const uid = 'A'.repeat(22) as Uid;
const stream = userStream(uid);

describeEachDialect('feed', (makeDatabaseUrl) => {
  async function world(size: () => number) {
    const database = openDatabase(await makeDatabaseUrl());
    closedWithTest(() => database.close());
    await migrate(database);
    const record = new StreamRecord(database, createFakeClock());
    const delivered: Entries[] = [];
    const expelled: (string | null)[] = [];
    const subscribers = {
      size,
      deliver: (batch: Entries) => void delivered.push(batch),
      expel: (_stream: StreamId, who: string | null) => void expelled.push(who),
    };
    const doorbell = localDoorbell({ mayHaveMissed: () => false });
    const feed = new Feed({ record, subscribers, doorbell, log: silent });
    record.onCommitted((each) => feed.notify(each));
    const write = (name: string, expels?: Uid) =>
      record.write([stream], (writing) =>
        writing.append(stream, { type: 'accounts/changed', name, readReceipts: true }, ...(expels ? [{ expels }] : [])),
      );
    const names = () =>
      delivered.flatMap((batch) => batch.changes.map((change) => ('name' in change ? change.name : '')));
    return { database, record, feed, delivered, expelled, write, names };
  }

  test('what is written while a snapshot is read arrives behind it, once and in order (WIRE-2)', async () => {
    const w = await world(() => 1);
    await w.write('before');
    let head = 0;
    await w.feed.subscribe(stream, async () => {
      head = await w.record.head(stream);
      await w.write('meanwhile');
    });
    await w.write('after');
    await expect.poll(() => w.names().at(-1)).toBe('after');
    const numbers = w.delivered.flatMap((batch) => batch.changes.map((_, index) => batch.from + index));
    expect(numbers.filter((number) => number > head)).toEqual([2, 3]);
  });

  test('while the database hangs, few of the entries that this process commits are kept; the rest is read', async () => {
    const w = await world(() => 1);
    await w.feed.subscribe(stream, () => Promise.resolve());
    const read = w.record.entriesAfter.bind(w.record);
    const hang = Promise.withResolvers<undefined>();
    const reads = vi.spyOn(w.record, 'entriesAfter').mockImplementationOnce(async () => {
      await hang.promise;
      return [];
    });
    w.feed.notify(stream);
    await expect.poll(() => reads.mock.calls.length).toBe(1);
    w.record.onCommitted((each, entries) => w.feed.notify(each, entries));
    const count = 1200;
    for (let n = 0; n < count; n += 100) {
      await w.record.write([stream], async (writing) => {
        for (let more = 1; more <= 100; more += 1) {
          await writing.append(stream, { type: 'accounts/changed', name: String(n + more), readReceipts: true });
        }
      });
    }
    hang.resolve(undefined);
    await expect.poll(() => w.names().length).toBe(count);
    expect(w.names().at(-1)).toBe(String(count));
    // The one that hung, and three for what was not kept.
    expect(reads.mock.calls.length).toBeGreaterThanOrEqual(4);
    expect(await read(stream, count)).toEqual([]);
  });

  test('of counts in a row only the last is sent, with the numbers that it stands for', async () => {
    const w = await world(() => 200);
    await w.feed.subscribe(stream, () => Promise.resolve());
    await w.record.write([stream], async (writing) => {
      const joined = (people: number) => writing.append(stream, { type: 'rooms/headCount', people });
      const said = () => writing.append(stream, { type: 'rooms/set', settings: { isLocked: true } });
      await said();
      for (const people of [101, 102, 103]) await joined(people);
      await said();
      await joined(104);
    });
    await expect.poll(() => w.delivered).toHaveLength(4);
    expect(w.delivered.map(({ from, to }) => [from, to])).toEqual([
      [1, undefined],
      [2, 4],
      [5, undefined],
      [6, undefined],
    ]);
    const counts = w.delivered.flatMap(({ changes }) => changes.map((each) => ('people' in each ? each.people : 0)));
    expect(counts).toEqual([0, 103, 0, 104]);
  });

  test('counts of an audience and what lies between them are one frame, with the last count and the numbers', async () => {
    const w = await world(() => 1001);
    await w.feed.subscribe(stream, () => Promise.resolve());
    await w.record.write([stream], async (writing) => {
      const joined = (people: number) => writing.append(stream, { type: 'rooms/headCount', people });
      const locked = (isLocked: boolean) => writing.append(stream, { type: 'rooms/set', settings: { isLocked } });
      await joined(1001);
      await locked(true);
      for (const people of [1002, 1003]) await joined(people);
      await locked(false);
    });
    await expect.poll(() => w.delivered).toHaveLength(1);
    expect(w.delivered).toEqual([
      {
        ...{ stream, from: 1, numbers: [2, 4, 5] },
        changes: [
          { type: 'rooms/set', settings: { isLocked: true } },
          { type: 'rooms/headCount', people: 1003 },
          { type: 'rooms/set', settings: { isLocked: false } },
        ],
      },
    ]);
  });

  test('an audience is sent one frame a second, and playback at once', async () => {
    const w = await world(() => 1001);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    await w.feed.subscribe(stream, () => Promise.resolve());
    const tell = async (change: Change) => {
      await w.record.write([stream], (writing) => writing.append(stream, change));
      // Behind what the notification began.
      await w.feed.subscribe(stream, () => Promise.resolve());
    };
    for (let people = 1001; people <= 1030; people += 1) {
      await tell({ type: 'rooms/headCount', people });
      await tell({ type: 'rooms/set', settings: { isLocked: people % 2 === 0 } });
    }
    vi.advanceTimersByTime(999);
    expect(w.delivered).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(w.delivered).toHaveLength(1);
    await tell({ type: 'rooms/headCount', people: 1031 });
    await tell({ type: 'playback/controlChanged', revision: 9, controller: 'tab' });
    expect(w.delivered).toHaveLength(2);
    expect(w.delivered[1]?.changes.map(({ type }) => type)).toEqual(['rooms/headCount', 'playback/controlChanged']);
    vi.useRealTimers();
  });

  test('in a large room counts wait for half a second, and are sent at once with any other change', async () => {
    const w = await world(() => 200);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    await w.feed.subscribe(stream, () => Promise.resolve());
    const tell = async (change: Change) => {
      await w.record.write([stream], (writing) => writing.append(stream, change));
      // Behind what the notification began.
      await w.feed.subscribe(stream, () => Promise.resolve());
    };
    const joined = (people: number) => tell({ type: 'rooms/headCount', people });
    for (const people of [101, 102, 103]) await joined(people);
    vi.advanceTimersByTime(300);
    expect(w.delivered).toEqual([]);
    await tell({ type: 'rooms/set', settings: { isLocked: true } });
    vi.advanceTimersByTime(100);
    expect(w.delivered.map(({ from, to }) => [from, to])).toEqual([
      [1, 3],
      [4, undefined],
    ]);
    await joined(104);
    vi.advanceTimersByTime(499);
    expect(w.delivered).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(w.delivered).toHaveLength(3);
    vi.useRealTimers();
  });

  test('where older changes were dropped, those that are left keep their numbers (WIRE-7)', async () => {
    const w = await world(() => 1);
    await w.feed.subscribe(stream, () => Promise.resolve());
    w.record.onCommitted(() => undefined);
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) await w.write(name);
    await w.record.db.deleteFrom('stream_entries').where('seq', 'in', [2, 3, 5]).execute();
    await w.feed.pollAll();
    await expect.poll(() => w.names()).toEqual(['one', 'four', 'six']);
    expect(w.delivered.map(({ from }) => from)).toEqual([1, 4, 6]);
  });

  test('fifty writers at once are delivered as one sequence of numbers without a gap (WIRE-3)', async () => {
    const w = await world(() => 1);
    await w.feed.subscribe(stream, () => Promise.resolve());
    await Promise.all(Array.from({ length: 50 }, (_, n) => w.write(String(n))));
    await expect.poll(() => w.names().length).toBe(50);
    const numbers = w.delivered.flatMap((batch) => batch.changes.map((_, index) => batch.from + index));
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  });

  test('the entry that removes a person is the last one delivered to them (WIRE-4)', async () => {
    const w = await world(() => 1);
    await w.feed.subscribe(stream, () => Promise.resolve());
    await w.write('stays');
    await w.write('goes', uid);
    await w.write('later');
    await expect.poll(() => w.names()).toEqual(['stays', 'goes', 'later']);
    expect(w.expelled).toEqual([uid]);
    const batchOfGoing = w.delivered.findIndex((batch) => JSON.stringify(batch).includes('goes'));
    expect(JSON.stringify(w.delivered[batchOfGoing])).not.toContain('later');
  });

  test('many subscribers receive changes that happen close together in few packets', async () => {
    const w = await world(() => 400);
    await w.feed.subscribe(stream, () => Promise.resolve());
    for (let n = 0; n < 40; n += 1) await w.write(String(n));
    await expect.poll(() => w.names().length).toBe(40);
    expect(w.delivered.length).toBeLessThan(40);
  });

  test('joining a stream with many subscribers does not break up their batches', async () => {
    const w = await world(() => 400);
    await w.feed.subscribe(stream, () => Promise.resolve());
    for (let n = 0; n < 40; n += 1) {
      await w.write(String(n));
      await w.feed.subscribe(stream, () => Promise.resolve());
    }
    await expect.poll(() => w.names().length).toBe(40);
    expect(w.delivered.length).toBeLessThan(40);
  });

  test('a person who comes back at once is not removed again by the same entry (WIRE-4)', async () => {
    const w = await world(() => 400);
    await w.feed.subscribe(stream, () => Promise.resolve());
    await w.write('goes', uid);
    let expelledBefore = 0;
    await w.feed.subscribe(stream, () => {
      expelledBefore = w.expelled.length;
      return Promise.resolve();
    });
    expect(expelledBefore).toBe(1);
  });

  test('entries whose notification was lost are found by polling (WIRE-6)', async () => {
    const w = await world(() => 1);
    await w.feed.subscribe(stream, () => Promise.resolve());
    w.record.onCommitted(() => undefined);
    await w.write('unheard');
    await w.feed.pollAll();
    await expect.poll(() => w.names()).toEqual(['unheard']);
  });

  test('entries that a notification carries are delivered without a read; behind a gap they are read (WIRE-73)', async () => {
    const w = await world(() => 1);
    const carried = new Map<number, Entry>();
    w.record.onCommitted((_stream, entries) => entries.forEach((each) => carried.set(each.seq, each)));
    await w.feed.subscribe(stream, () => Promise.resolve());
    for (const name of ['one', 'two', 'three', 'four', 'five']) await w.write(name);
    const reads = vi.spyOn(w.record, 'entriesAfter');
    const notify = async (...numbers: number[]): Promise<void> => {
      w.feed.notify(
        stream,
        numbers.flatMap((number) => carried.get(number) ?? []),
      );
      await w.feed.subscribe(userStream('B'.repeat(22) as Uid), () => Promise.resolve());
    };
    await notify(1);
    await notify(2);
    await expect.poll(() => w.names()).toEqual(['one', 'two']);
    expect(reads).not.toHaveBeenCalled();
    // Notifications of two processes pass each other.
    await notify(4);
    await expect.poll(() => w.names()).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(reads).toHaveBeenCalledOnce();
    for (const late of [3, 5, 1]) await notify(late);
    expect(w.names()).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(reads).toHaveBeenCalledOnce();
  });

  test('a stream is followed as long as it has subscribers, and no longer', async () => {
    let size = 1;
    const w = await world(() => size);
    await w.feed.subscribe(stream, () => Promise.resolve());
    await w.feed.pollAll();
    expect(w.feed.followedStreams).toBe(1);
    size = 0;
    await w.feed.pollAll();
    await expect.poll(() => w.feed.followedStreams).toBe(0);
    await w.write('unheard');
    expect(w.feed.followedStreams).toBe(0);
  });

  test('entries that wait for earlier subscribers are not delivered to, and do not remove, later ones (WIRE-40)', async () => {
    let size = 400;
    const w = await world(() => size);
    // Collected entries wait until all have left, however long that takes here.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await w.feed.subscribe(stream, () => Promise.resolve());
    // Known from the commit: a reading may end when no page is there any more.
    w.record.onCommitted((each, entries) => w.feed.notify(each, entries));
    await w.write('for the crowd', uid);
    await w.feed.pollAll();
    size = 0;
    await w.feed.subscribe(stream, () => Promise.resolve((size = 1)));
    vi.useRealTimers();
    await w.write('for the one who came');
    await expect.poll(() => w.names()).toEqual(['for the one who came']);
    expect(w.expelled).toEqual([]);
  });

  test('the answer with the snapshot is sent before the first delivery after it', async () => {
    const w = await world(() => 1);
    let hadWhenAnswered = -1;
    const joined = w.feed.subscribe(stream, async () => {
      await w.write('meanwhile');
    });
    // As an answer on its way through many hands.
    let answer = joined;
    for (let hand = 0; hand < 500; hand += 1) answer = answer.then(() => undefined);
    await answer.then(() => (hadWhenAnswered = w.delivered.length));
    expect(hadWhenAnswered).toBe(0);
    await expect.poll(() => w.names()).toEqual(['meanwhile']);
  });
});
