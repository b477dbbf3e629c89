/**
 * Writes on PostgreSQL run side by side, each in a transaction of its own that locks the rows of its streams' heads.
 */
import type { StreamId } from '@tunemate/protocol';
import type { Transaction } from 'kysely';
import type { Db, Schema } from './schema.ts';
import { insertEntries, mostKnown, readHeads, rowsPerInsert, toBeRepeated, type Writes } from './stream-heads.ts';

export function postgresWrites(database: Db): Writes {
  /** Streams that had a row when a write of this process was committed: it need not be made before each lock. */
  const made = new Set<StreamId>();

  return {
    inTransaction: (work) => database.transaction().execute(work),
    async take(db, streams, held) {
      if (streams.some((stream) => !made.has(stream))) await makeSureOf(db, streams);
      const rows = await readHeads(db, streams).forUpdate().execute();
      if (rows.length < streams.length) {
        for (const stream of streams) made.delete(stream);
        throw toBeRepeated('a stream was deleted before it was locked');
      }
      for (const row of rows) held.set(row.stream as StreamId, { seq: row.head, atMs: row.at_ms });
    },
    async append(db, entries, grown) {
      const isOne = entries.length <= rowsPerInsert;
      if (!isOne) await insertEntries(db, entries);
      // Both in one round trip.
      const into = isOne
        ? db.with('added', (inner) => inner.insertInto('stream_entries').values(entries).returning('seq'))
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
    },
    held(held) {
      if (made.size > mostKnown) made.clear();
      for (const stream of held.keys()) made.add(stream);
    },
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
