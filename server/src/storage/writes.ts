/**
 * The head of a stream is the number and time of its last change. A write takes the heads of its streams, and stores
 * entries that follow them.
 *
 * Writes that arrive at one moment share a commit: one that fails fails alone, and none is answered before the commit.
 *
 * SQLite has one writer at a time. The heads are remembered: another program's write makes the process forget them, and
 * the database rejects an entry that does not follow its head.
 */
import type { StreamId } from '@tunemate/protocol';
import { CompiledQuery, type QueryCreator, type Transaction } from 'kysely';
import { gather } from '../system/gather.ts';
import { systemCode } from '../system/ports.ts';
import { isDuplicate } from './failures.ts';
import { builtForEach, builtForRows, chunked, padded } from './queries.ts';
import type { Db, Schema, StreamEntriesTable } from './schema.ts';

export type Work<T> = (db: Transaction<Schema>) => Promise<T>;

export interface Head {
  seq: number;
  atMs: number;
}
export type Heads = Map<StreamId, Head>;

type NewEntry = StreamEntriesTable & { stream: StreamId };

/** Stored entries with other changes, of streams that are held. */
interface Replacing {
  replaced: readonly StreamEntriesTable[];
  held: Heads;
}

/** How one database runs writes. */
export interface Writes {
  /** `streams` are those that the work names. */
  inTransaction<T>(streams: readonly StreamId[], work: Work<T>): Promise<T>;
  /** Takes the streams, which are sorted, and adds their heads to `held`. */
  take(db: Transaction<Schema>, streams: readonly StreamId[], held: Heads): Promise<void>;
  /**
   * Stores entries that follow the heads, and the heads that they lead to: the same statements for any number.
   * Stored entries are replaced in the same statement.
   */
  append(db: Transaction<Schema>, entries: readonly NewEntry[], grown: Heads, replacing: Replacing): Promise<void>;
  /** A write that held these streams was committed. */
  held(held: Heads): void;
  /** Remembers no head. */
  forget(): void;
  /** The committed numbers of these streams; null where they have to be read. */
  current(streams: readonly StreamId[]): Map<StreamId, number> | null;
}

/** How many streams a process remembers. */
export const mostKnown = 50_000;
/** Databases limit the parameters of one statement. */
export const rowsPerInsert = 1000;

export const readHeads = (db: Db, streams: readonly StreamId[]) =>
  db.selectFrom('streams').select(['stream', 'head', 'at_ms']).where('stream', 'in', padded(streams)).orderBy('stream');
const headsOf = builtForEach(readHeads);

const entryColumns = ['stream', 'seq', 'at_ms', 'change', 'expels'] as const;

/** More at once are rare. */
const mostBuilt = 32;

const insertion = (db: Db, entries: readonly NewEntry[]) => db.insertInto('stream_entries').values([...entries]);
const inserting = builtForRows(entryColumns, insertion);

export async function insertEntries(db: Transaction<Schema>, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length <= mostBuilt) return await inserting(db, entries);
  for (const some of chunked(entries, rowsPerInsert)) await insertion(db, some).execute();
}

/** Stores these rows; one whose number is stored is replaced only if its stream had it when it was taken. */
export function upsertEntries(
  db: QueryCreator<Schema>,
  rows: readonly StreamEntriesTable[],
  { replaced, held }: Replacing,
) {
  const streams = [...new Set(replaced.map(({ stream }) => stream as StreamId))];
  return db
    .insertInto('stream_entries')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(['stream', 'seq'])
        .doUpdateSet((is) => ({ change: is.ref('excluded.change') }))
        .where((is) =>
          is.or(
            streams.map((stream) =>
              is.and([
                is('stream_entries.stream', '=', stream),
                is('stream_entries.seq', '<=', held.get(stream)?.seq ?? 0),
              ]),
            ),
          ),
        ),
    )
    .returning('seq');
}

/** False when a new one has the number of a stored one. */
export async function storeEntries(
  db: Transaction<Schema>,
  entries: readonly NewEntry[],
  replacing: Replacing,
): Promise<boolean> {
  const rows = [...replacing.replaced, ...entries];
  let stored = 0;
  for (const some of chunked(rows, rowsPerInsert)) {
    stored += (await upsertEntries(db, some, replacing).execute()).length;
  }
  return stored === rows.length;
}

/** SQLSTATE 40001 (serialization_failure): the record runs the write again. */
export const toBeRepeated = (reason: string): Error => Object.assign(new Error(reason), { code: '40001' });

/** A longer queue takes several commits, so that reads get their turn in between. */
const writesPerCommit = 64;

/** `hasOtherWritten` answers whether another program may have written since the call before. */
export function sqliteWrites(database: Db, hasOtherWritten: () => boolean): Writes {
  const heads = rememberedHeads(hasOtherWritten);
  const pace = commitPace();
  const ends: TransactionEnds = {
    committed: (ms) => {
      pace.took(ms);
      heads.committed();
    },
    undone: heads.undone,
  };
  const share = gather((writes: readonly Work<unknown>[]) => commitTogether(database, writes, ends), {
    mostAtOnce: writesPerCommit,
    waitMs: pace.waitMs,
  });

  return {
    ...heads,
    inTransaction: async <T>(_streams: readonly StreamId[], work: Work<T>) => valueOf(await share(work)) as T,
  };
}

/** A disk counts as slow by the quickest of its last commits: not when one of them was held up. */
const commitsLookedAt = 4;
const slowCommitMs = 4;
const mostWaitMs = 5;

/**
 * On a slow disk a batch waits a quarter of a commit, because the next one has to wait for the whole: what was answered
 * together comes back one after the other, and would take a commit each. On others it does not, for a chain of writes.
 */
export function commitPace() {
  const last: number[] = [];
  return {
    /** A commit took so long. */
    took(ms: number): void {
      last.push(ms);
      if (last.length > commitsLookedAt) last.shift();
    },
    /** How long the next batch waits. */
    waitMs(): number {
      const quickest = last.length < commitsLookedAt ? 0 : Math.min(...last);
      return quickest < slowCommitMs ? 0 : Math.min(mostWaitMs, quickest / 4);
    },
  };
}

type RememberedHeads = Omit<Writes, 'inTransaction'> & Record<'committed' | 'undone', () => void>;

function rememberedHeads(hasOtherWritten: () => boolean): RememberedHeads {
  const known: Heads = new Map();
  /** `known` holds changes that are not committed yet. */
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
        const rows = await headsOf(db, unknown);
        for (const stream of unknown) known.set(stream, { seq: 0, atMs: 0 });
        for (const row of rows) known.set(row.stream as StreamId, { seq: row.head, atMs: row.at_ms });
      }
      for (const stream of streams) held.set(stream, known.get(stream) ?? { seq: 0, atMs: 0 });
    },
    async append(db, entries, grown, replacing) {
      try {
        if (replacing.replaced.length > 0) {
          if (!(await storeEntries(db, entries, replacing))) throw toBeRepeated('a head was behind');
        } else await insertEntries(db, entries);
      } catch (error) {
        known.clear();
        throw isBehind(error) ? toBeRepeated('a head was behind') : error;
      }
      isAhead = true;
      for (const [stream, head] of grown) known.set(stream, head);
    },
    held: () => undefined,
    forget: () => known.clear(),
    current(streams) {
      look();
      const heads = streams.map((stream) => [stream, known.get(stream)?.seq] as const);
      return isAhead || heads.some(([, seq]) => seq === undefined) ? null : new Map(heads as [StreamId, number][]);
    },
    committed: () => void (isAhead = false),
    undone: () => known.clear(),
  };
}

/** The number of the entry exists, or the trigger rejected it. */
const isBehind = (error: unknown): boolean => isDuplicate(error) || systemCode(error) === 'SQLITE_CONSTRAINT_TRIGGER';

// One transaction for several writes: one that fails fails alone, and none is answered before the commit.

/** What becomes of a shared transaction. */
interface TransactionEnds {
  begun?: (db: Transaction<Schema>) => Promise<void>;
  /** In so many milliseconds. */
  committed: (ms: number) => void;
  /** A write was undone, or the whole transaction. */
  undone: () => void;
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

/** What the work of this outcome returned; throws what it threw. */
export function valueOf(outcome: Outcome): unknown {
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

/**
 * Throws when the commit fails: then no write of the batch is stored. If one write of the batch fails, all of them run
 * again, each in its own savepoint.
 */
export async function commitTogether(
  database: Db,
  writes: readonly Work<unknown>[],
  { begun, committed, undone }: TransactionEnds,
): Promise<Outcome[]> {
  let outcomes: Outcome[] = [];
  let writtenMs: number | null = null;
  const run = (each: (write: Work<unknown>, transaction: Transaction<Schema>) => Promise<Outcome>) =>
    database.transaction().execute(async (transaction) => {
      outcomes = [];
      await begun?.(transaction);
      for (const write of writes) outcomes.push(await each(write, transaction));
      writtenMs = performance.now();
    });
  try {
    await run(done);
  } catch (error) {
    undone();
    // What failed at the commit may have been stored.
    if (writes.length === 1 || writtenMs !== null) throw error;
    await run((write, transaction) => inSavepoint(write, transaction, undone)).catch((again: unknown) => {
      undone();
      throw again;
    });
  }
  committed(performance.now() - (writtenMs ?? 0));
  return outcomes;
}

async function done(write: Work<unknown>, transaction: Transaction<Schema>): Promise<Outcome> {
  return { ok: true, value: await write(transaction) };
}

/** Two of them go round each write that shares a commit: built once. */
const savepoint = {
  begin: CompiledQuery.raw('savepoint one_write'),
  release: CompiledQuery.raw('release one_write'),
  rollBack: CompiledQuery.raw('rollback to one_write'),
};

/** Undoes what a failing write did, and nothing of the others. */
async function inSavepoint(
  write: Work<unknown>,
  transaction: Transaction<Schema>,
  undone: () => void,
): Promise<Outcome> {
  await transaction.executeQuery(savepoint.begin);
  try {
    const outcome = await done(write, transaction);
    await transaction.executeQuery(savepoint.release);
    return outcome;
  } catch (error) {
    undone();
    try {
      await transaction.executeQuery(savepoint.rollBack);
      await transaction.executeQuery(savepoint.release);
    } catch {
      // SQLite has ended the whole transaction, as it does when the disk is full.
      throw error;
    }
    return { ok: false, error };
  }
}
