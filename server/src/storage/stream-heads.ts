/**
 * The heads of streams, the number and time of the last change of each: read when a write takes its streams, and moved
 * with its entries. How that is done differs by database, and only here. PostgreSQL locks the rows of the heads. SQLite
 * has one writer at a time, which remembers what it read: another program's write makes it forget, and an entry that does
 * not follow its head is refused by the database.
 */
import type { StreamId } from '@tunemate/protocol';
import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import { builtOnce } from './built-once.ts';
import { isDuplicate } from './failures.ts';
import { padded } from './padded.ts';
import type { Schema, StreamEntriesTable } from './schema.ts';
import type { TransactionEnds } from './shared-transactions.ts';

export interface Head {
  seq: number;
  atMs: number;
}
export type Heads = Map<StreamId, Head>;

export type NewEntry = StreamEntriesTable & { stream: StreamId };

export interface StreamHeads extends TransactionEnds {
  /** Takes the streams, which are sorted, and adds their heads to `held`. */
  take(db: Transaction<Schema>, streams: readonly StreamId[], held: Heads): Promise<void>;
  /** Stores entries that follow the heads, and the heads that they lead to: the same statements for any number. */
  append(db: Transaction<Schema>, entries: readonly NewEntry[], grown: Heads): Promise<void>;
  /** A write that held these streams was committed. */
  held(held: Heads): void;
  /** The committed numbers of these streams; null where they have to be read. */
  current(streams: readonly StreamId[]): Map<StreamId, number> | null;
}

/** Databases bound the parameters of one statement. */
const rowsPerInsert = 1000;
/** How many streams are remembered. */
const mostKnown = 50_000;
/** As the database says of a transaction that is to be tried again. */
const beginAgain = '40001';

export function streamHeads(database: Database): StreamHeads {
  return database.dialect === 'postgres' ? lockedHeads() : rememberedHeads(database.watchOthers());
}

const readHeads = (db: Transaction<Schema>, streams: readonly StreamId[]) =>
  db.selectFrom('streams').select(['stream', 'head', 'at_ms']).where('stream', 'in', padded(streams)).orderBy('stream');

/** Most writes have one. */
const insertOne = builtOnce((db, stream: StreamId, seq: number, atMs: number, change: string, expels: string | null) =>
  db.insertInto('stream_entries').values({ stream, seq, at_ms: atMs, change, expels }),
);

async function insertEntries(db: Transaction<Schema>, entries: readonly NewEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += rowsPerInsert) {
    await db
      .insertInto('stream_entries')
      .values(entries.slice(from, from + rowsPerInsert))
      .execute();
  }
}

function rememberedHeads(hasOtherWritten: () => boolean): StreamHeads {
  const known: Heads = new Map();
  /** What is known holds changes that are not committed yet. */
  let isAhead = false;
  const look = () => {
    // Within a transaction the answer stays the same: it reads the database as of its first statement.
    if (hasOtherWritten() || known.size > mostKnown) known.clear();
  };

  return {
    async take(db, streams, held) {
      look();
      const unknown = streams.filter((stream) => !known.has(stream));
      if (unknown.length > 0) {
        const rows = await readHeads(db, unknown).execute();
        for (const stream of unknown) known.set(stream, { seq: 0, atMs: 0 });
        for (const row of rows) known.set(row.stream as StreamId, { seq: row.head, atMs: row.at_ms });
      }
      for (const stream of streams) held.set(stream, known.get(stream) ?? { seq: 0, atMs: 0 });
    },
    async append(db, entries, grown) {
      try {
        const [only] = entries.length === 1 ? entries : [];
        if (only) await insertOne(db, only.stream, only.seq, only.at_ms, only.change, only.expels);
        else await insertEntries(db, entries);
      } catch (error) {
        known.clear();
        throw isBehind(error) ? Object.assign(new Error('a head was behind'), { code: beginAgain }) : error;
      }
      isAhead = true;
      for (const [stream, head] of grown) known.set(stream, head);
    },
    held: () => undefined,
    current(streams) {
      look();
      const heads = streams.map((stream) => [stream, known.get(stream)?.seq] as const);
      return isAhead || heads.some(([, seq]) => seq === undefined) ? null : new Map(heads as [StreamId, number][]);
    },
    committed: () => void (isAhead = false),
    undone: () => known.clear(),
  };
}

/** The entry's number is taken, or the trigger has refused it. */
const isBehind = (error: unknown): boolean =>
  isDuplicate(error) || (error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_TRIGGER');

function lockedHeads(): StreamHeads {
  /** Streams that had a row when a write of this process was committed: it need not be made before each lock. */
  const made = new Set<StreamId>();

  return {
    async take(db, streams, held) {
      if (streams.some((stream) => !made.has(stream))) await makeSureOf(db, streams);
      const rows = await readHeads(db, streams).forUpdate().execute();
      if (rows.length < streams.length) {
        for (const stream of streams) made.delete(stream);
        throw Object.assign(new Error('a stream was deleted before it was locked'), { code: beginAgain });
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
    committed: () => undefined,
    undone: () => undefined,
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
