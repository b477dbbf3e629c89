/**
 * The head of a stream is the number and time of its last change. A write takes the heads of its streams, and stores
 * entries that follow them.
 *
 * Writes that arrive at one moment share a commit: one that fails fails alone, and none is answered before the commit.
 *
 * SQLite has one writer at a time. The heads are remembered: another program's write makes the process forget them, and
 * the database rejects an entry that does not follow its head.
 *
 * On PostgreSQL a transaction locks the rows of its streams' heads. Writes of one room, or of one person, would wait for
 * each other: they share a transaction, which locks the heads of all of them at once. Those of others run beside it.
 */
import type { StreamId } from '@tunemate/protocol';
import type { QueryCreator, Transaction } from 'kysely';
import { gather, gatherByKey } from '../system/gather.ts';
import { isDuplicate } from './failures.ts';
import { builtOnce, byNumber, padded } from './queries.ts';
import type { Db, Schema, StreamEntriesTable } from './schema.ts';
import { commitTogether, type TransactionEnds, valueOf, type Work } from './shared-commits.ts';

interface Head {
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
  /** The committed numbers of these streams; null where they have to be read. */
  current(streams: readonly StreamId[]): Map<StreamId, number> | null;
}

/** How many streams a process remembers. */
const mostKnown = 50_000;
/** Databases limit the parameters of one statement. */
const rowsPerInsert = 1000;

const readHeads = (db: Transaction<Schema>, streams: readonly StreamId[]) =>
  db.selectFrom('streams').select(['stream', 'head', 'at_ms']).where('stream', 'in', padded(streams)).orderBy('stream');

const entryColumns = ['stream', 'seq', 'at_ms', 'change', 'expels'] as const;
type EntryValue = NewEntry[(typeof entryColumns)[number]];

/** More at once are rare. */
const mostBuilt = 32;

const insertionOf = byNumber((count) =>
  builtOnce((db, ...values: EntryValue[]) => {
    const rowAt = (row: number) =>
      Object.fromEntries(entryColumns.map((column, at) => [column, values[row * entryColumns.length + at]]));
    const rows = Array.from({ length: count }, (_, row) => rowAt(row) as unknown as NewEntry);
    return db.insertInto('stream_entries').values(rows);
  }),
);

async function insertEntries(db: Transaction<Schema>, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length <= mostBuilt) {
    await insertionOf(entries.length)(db, ...entries.flatMap((entry) => entryColumns.map((column) => entry[column])));
    return;
  }
  for (let from = 0; from < entries.length; from += rowsPerInsert) {
    await db
      .insertInto('stream_entries')
      .values(entries.slice(from, from + rowsPerInsert))
      .execute();
  }
}

/** Stores these rows; one whose number is stored is replaced only if its stream had it when it was taken. */
function upsertEntries(db: QueryCreator<Schema>, rows: readonly StreamEntriesTable[], { replaced, held }: Replacing) {
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
async function storeEntries(
  db: Transaction<Schema>,
  entries: readonly NewEntry[],
  replacing: Replacing,
): Promise<boolean> {
  const rows = [...replacing.replaced, ...entries];
  let stored = 0;
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    stored += (await upsertEntries(db, rows.slice(from, from + rowsPerInsert), replacing).execute()).length;
  }
  return stored === rows.length;
}

/** SQLSTATE 40001 (serialization_failure): the record runs the write again. */
const toBeRepeated = (reason: string): Error => Object.assign(new Error(reason), { code: '40001' });

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
        const rows = await readHeads(db, unknown).execute();
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
const isBehind = (error: unknown): boolean =>
  isDuplicate(error) || (error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_TRIGGER');

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
