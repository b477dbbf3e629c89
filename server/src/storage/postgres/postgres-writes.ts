/**
 * Writes on PostgreSQL. A transaction locks the rows of its streams' heads. Writes of one room, or of one person, would
 * wait for each other: they share a transaction, which locks the heads of all of them at once. Those of others run beside
 * it.
 */
import type { StreamId } from '@tunemate/protocol';
import type { Transaction } from 'kysely';
import { gatherByKey } from '../../system/gather.ts';
import type { Db, Schema } from '../schema.ts';
import {
  commitTogether,
  type Head,
  type Heads,
  insertEntries,
  mostKnown,
  readHeads,
  rowsPerInsert,
  storeEntries,
  toBeRepeated,
  upsertEntries,
  valueOf,
  type Work,
  type Writes,
} from '../writes.ts';

interface NamedWork {
  streams: readonly StreamId[];
  work: Work<unknown>;
}

/** Others wait for the people of a room while it holds their streams. */
const writesPerRoom = 32;

export function postgresWrites(database: Db): Writes {
  /** Streams that had a row when a write of this process was committed: it need not be made before each lock. */
  const made = new Set<StreamId>();
  /** What each transaction under way has locked. */
  const heldBy = new WeakMap<Transaction<Schema>, Heads>();

  async function lock(db: Transaction<Schema>, streams: readonly StreamId[], held: Heads): Promise<void> {
    if (streams.some((stream) => !made.has(stream))) await makeSureOf(db, streams);
    const rows = await readHeads(db, streams).forUpdate().execute();
    if (rows.length < streams.length) {
      for (const stream of streams) made.delete(stream);
      throw toBeRepeated('a stream was deleted before it was locked');
    }
    for (const row of rows) held.set(row.stream as StreamId, { seq: row.head, atMs: row.at_ms });
  }

  const share = gatherByKey(
    (writes: readonly NamedWork[]) => {
      const held: Heads = new Map();
      const streams = [...new Set(writes.flatMap((write) => write.streams))].sort();
      const works = writes.map(({ work }) => work);
      const begun = async (db: Transaction<Schema>) => {
        heldBy.set(db, held);
        await lock(db, streams, held);
      };
      return commitTogether(database, works, { begun, committed: () => undefined, undone: () => held.clear() });
    },
    { mostAtOnce: writesPerRoom },
  );

  return {
    async inTransaction<T>(streams: readonly StreamId[], work: Work<T>): Promise<T> {
      // A room has two streams, which sort before those of people.
      const [, room] = [...streams].sort()[0]?.split(':') ?? [];
      if (room === undefined) return await database.transaction().execute(work);
      return valueOf(await share(room, { streams, work })) as T;
    },
    async take(db, streams, held) {
      const all = heldBy.get(db) ?? new Map<StreamId, Head>();
      const others = streams.filter((stream) => !all.has(stream));
      if (others.length > 0) await lock(db, others, all);
      for (const stream of streams) held.set(stream, all.get(stream) ?? { seq: 0, atMs: 0 });
    },
    async append(db, entries, grown, replacing) {
      const { replaced } = replacing;
      const rows = [...replaced, ...entries];
      const isOne = rows.length <= rowsPerInsert;
      if (!isOne) await (replaced.length > 0 ? storeEntries(db, entries, replacing) : insertEntries(db, entries));
      // Both in one round trip.
      const into = isOne
        ? db.with('added', (inner) =>
            replaced.length > 0
              ? upsertEntries(inner, rows, replacing)
              : inner.insertInto('stream_entries').values(entries).returning('seq'),
          )
        : db;
      await into
        .insertInto('streams')
        .values(Array.from(grown, ([stream, { seq, atMs }]) => ({ stream, head: seq, at_ms: atMs })))
        .onConflict((conflict) =>
          conflict
            .column('stream')
            .doUpdateSet((is) => ({ head: is.ref('excluded.head'), at_ms: is.ref('excluded.at_ms') })),
        )
        .execute();
      const all = heldBy.get(db);
      for (const [stream, head] of grown) all?.set(stream, head);
    },
    held(held) {
      if (made.size > mostKnown) made.clear();
      for (const stream of held.keys()) made.add(stream);
    },
    forget: () => undefined,
    current: () => null,
  };
}

/** A stream without a row can't be locked. */
async function makeSureOf(db: Transaction<Schema>, streams: readonly StreamId[]): Promise<void> {
  await db
    .insertInto('streams')
    .values(streams.map((stream) => ({ stream, head: 0 })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
