/**
 * Writes on SQLite, which has one writer at a time. Writes that arrive at one moment share a commit: each is a
 * savepoint, so it fails alone, and none is answered before the commit. The heads of streams are remembered: another
 * program's write makes the process forget them, and an entry that does not follow its head is refused by the database.
 */
import type { StreamId } from '@tunemate/protocol';
import { sql, type Transaction } from 'kysely';
import { gather } from '../system/gather.ts';
import { isDuplicate } from './failures.ts';
import { builtOnce } from './queries.ts';
import type { Db, Schema } from './schema.ts';
import {
  type Heads,
  insertEntries,
  mostKnown,
  readHeads,
  toBeRepeated,
  type Work,
  type Writes,
} from './stream-heads.ts';

/** A longer queue takes several commits, so that reads get their turn in between. */
const writesPerCommit = 64;

/** `hasOtherWritten` answers whether another program may have written since the call before. */
export function sqliteWrites(database: Db, hasOtherWritten: () => boolean): Writes {
  const heads = rememberedHeads(hasOtherWritten);
  const share = gather((writes: readonly Work<unknown>[]) => commitTogether(database, writes, heads), writesPerCommit);

  return {
    ...heads,
    async inTransaction<T>(work: Work<T>): Promise<T> {
      const outcome = await share(work);
      if (!outcome.ok) throw outcome.error;
      // It is what `work` returned.
      return outcome.value as T;
    },
  };
}

/** What happens to the remembered heads with the transaction that moved them. */
interface TransactionEnds {
  /** A shared transaction was committed. */
  committed: () => void;
  /** A write was undone, or the whole transaction. */
  undone: () => void;
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

/** Throws when the commit fails: then nothing of any of them is stored. */
async function commitTogether(
  database: Db,
  writes: readonly Work<unknown>[],
  { committed, undone }: TransactionEnds,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  try {
    await database.transaction().execute(async (transaction) => {
      for (const write of writes) {
        const isAlone = writes.length === 1;
        outcomes.push(isAlone ? await done(write, transaction) : await inSavepoint(write, transaction, undone));
      }
    });
  } catch (error) {
    undone();
    throw error;
  }
  committed();
  return outcomes;
}

async function done(write: Work<unknown>, transaction: Transaction<Schema>): Promise<Outcome> {
  return { ok: true, value: await write(transaction) };
}

/** Undoes what a failing write did, and nothing of the others. */
async function inSavepoint(
  write: Work<unknown>,
  transaction: Transaction<Schema>,
  undone: () => void,
): Promise<Outcome> {
  await sql`savepoint one_write`.execute(transaction);
  try {
    const outcome = await done(write, transaction);
    await sql`release one_write`.execute(transaction);
    return outcome;
  } catch (error) {
    undone();
    try {
      await sql`rollback to one_write`.execute(transaction);
      await sql`release one_write`.execute(transaction);
    } catch {
      // SQLite has ended the whole transaction, as it does when the disk is full.
      throw error;
    }
    return { ok: false, error };
  }
}

/** Most writes have one entry. */
const insertOne = builtOnce((db, stream: StreamId, seq: number, atMs: number, change: string, expels: string | null) =>
  db.insertInto('stream_entries').values({ stream, seq, at_ms: atMs, change, expels }),
);

function rememberedHeads(hasOtherWritten: () => boolean): Omit<Writes, 'inTransaction'> & TransactionEnds {
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
        throw isBehind(error) ? toBeRepeated('a head was behind') : error;
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
