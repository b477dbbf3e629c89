/**
 * The record: the one way to change anything that people see live. A write names its streams before it begins,
 * locks them in sorted order (so two writes of one room or one person never interleave, and never wait for each other
 * in a circle, on SQLite and on PostgreSQL alike), saves its rows and appends numbered changes in one transaction. Only
 * after the commit are processes notified. It knows nothing of sockets; the feed delivers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type HostChange, type UserChange, type RoomChange, type StreamId, type Uid } from '@tunemate/protocol';
import type { Transaction } from 'kysely';
import { type Clock, Failure } from '../system/ports.ts';
import type { Database } from './database.ts';
import { builtOnce, padded } from './queries.ts';
import { asFailure, isTransient } from './failures.ts';
import type { Db, Schema, StreamEntriesTable } from './schema.ts';
import { postgresWrites } from './postgres/postgres-writes.ts';
import { type Heads, sqliteWrites, type Writes } from './writes.ts';

export type Change = RoomChange | HostChange | UserChange;

/** One numbered change of a stream, as stored. `change` stays JSON until it is delivered. */
export interface Entry {
  seq: number;
  change: string;
  expels: string | null;
}

/**
 * The streams that a write appends to. A function where only the database knows them: it is called before they are
 * locked and again behind the locks, and the write begins anew when more of them turned up.
 */
export type Streams = readonly StreamId[] | ((db: Db) => Promise<readonly StreamId[]>);

/** These streams and others, which may be a function. */
export function together(own: readonly StreamId[], others: Streams): Streams {
  if (typeof others !== 'function') return [...own, ...others];
  return async (db) => [...own, ...(await others(db))];
}

/** The inside of one write. */
export interface Writing {
  db: Transaction<Schema>;
  /**
   * Server time of this write: every row and change of it carries the same. Read when the streams are held, and never
   * earlier than the last change of any of them.
   */
  nowMs: number;
  /** The time by which players play: as `nowMs`, but the clock's own where that was set back behind the last change. */
  playersMs: number;
  /** Appends a change to one or more named streams; `expels` ends the subscriptions of a person, or all, after it. */
  append(to: StreamId | readonly StreamId[], change: Change, options?: { expels: Uid | 'everyone' }): Promise<void>;
  /** The number of the stream's last change, those appended so far included; of a named stream. */
  headOf(stream: StreamId): number;
  /**
   * Replaces stored changes of named streams, for words that must not be read again; their numbers stay. Only beside an
   * `append`, in whose statement they are stored.
   */
  replace(entries: readonly StreamEntriesTable[]): void;
  /** Runs once this write is committed, and not at all if it is not. Must not throw. */
  afterCommit(effect: () => void): void;
}

interface Pending {
  stream: StreamId;
  change: string;
  expels: string | null;
}

/** What one write appended, by stream, in order. */
type Appended = ReadonlyMap<StreamId, readonly Entry[]>;

type Written<T> = { type: 'done'; value: T } | { type: 'more-streams'; streams: readonly StreamId[] };

/** How often the database may abort a write (deadlock, serialisation) before it counts as failed. */
const attempts = 4;
/** Processes that share a database are not further apart: what is, was stored before the clock was set back. */
const mostSkewMs = 1000;
/** Between attempts, by chance: two writes that deadlocked would meet again at once. */
const leastPauseMs = 10;
const mostPauseMs = 50;
/** How often a write begins again because further streams were found once the locks were held. */
const relocks = 8;

/** What the pause before a write is repeated comes from. */
interface Repeats {
  /** At least 0 and below 1. */
  random: () => number;
  pause: (ms: number) => Promise<unknown>;
}

function refuseUnnamed(stream: StreamId): void {
  throw new Error(`the write did not name ${stream}, which it appends to`);
}

const entriesOf = builtOnce((db, stream: StreamId, since: number, most: number) =>
  db
    .selectFrom('stream_entries')
    .select(['seq', 'change', 'expels'])
    .where('stream', '=', stream)
    .where('seq', '>', since)
    .orderBy('seq')
    .limit(most),
);

/** Deletes all entries of the streams. Clients that have not received them take a snapshot. */
export async function forgetEntries(db: Db, streams: readonly StreamId[]): Promise<void> {
  await db
    .deleteFrom('stream_entries')
    .where('stream', 'in', [...streams])
    .execute();
}

/** The entries whose changes must not be read again as they are, with other ones; `replacement` gives null to keep one. */
export function replacedEntries(
  entries: readonly StreamEntriesTable[],
  replacement: (change: Change) => Change | null,
): StreamEntriesTable[] {
  return entries.flatMap((entry) => {
    const change = replacement(JSON.parse(entry.change) as Change);
    return change === null ? [] : [{ ...entry, change: JSON.stringify(change) }];
  });
}

export class StreamRecord {
  readonly db: Db;
  readonly #writes: Writes;
  readonly #clock: Clock;
  readonly #writing: Database['writing'];
  readonly #onWritten: () => void;
  readonly #onUnnamed: (stream: StreamId) => void;
  readonly #repeats: Repeats;
  #ring: (stream: StreamId, entries: readonly Entry[]) => void = () => undefined;

  /**
   * `onUnnamed` is called when a write appends to a stream that it did not name, and throws to refuse it. Otherwise the
   * stream is locked late: then the write may deadlock with others, and the database aborts one of them.
   */
  constructor(
    database: Database,
    clock: Clock,
    onUnnamed: (stream: StreamId) => void = refuseUnnamed,
    repeats: Repeats = { random: Math.random, pause },
  ) {
    this.db = database.db;
    const { db, dialect } = database;
    this.#writes = dialect === 'sqlite' ? sqliteWrites(db, database.watchOthers()) : postgresWrites(db);
    this.#clock = clock;
    this.#writing = database.writing;
    // On SQLite the sync says it: a write that changed nothing asks nothing of the disk.
    this.#onWritten = dialect === 'sqlite' ? () => undefined : database.writing.stored;
    this.#onUnnamed = onUnnamed;
    this.#repeats = repeats;
  }

  /** The listener is called after each commit, with each changed stream and what was appended to it. */
  onCommitted(notify: (stream: StreamId, entries: readonly Entry[]) => void): void {
    this.#ring = notify;
  }

  /**
   * Runs `work` in one transaction that holds the named streams. `work` may run again when the database had to abort
   * it (deadlock, serialisation), so it must have no effect but through `writing`. Throws a Failure.
   */
  async write<T>(streams: Streams, work: (writing: Writing) => Promise<T>): Promise<T> {
    const find = typeof streams === 'function' ? streams : null;
    try {
      let named = typeof streams === 'function' ? await streams(this.db) : streams;
      for (let round = 1; round <= relocks; round += 1) {
        const written = await this.#tryToWrite(named, find, work);
        if (written.type === 'done') {
          this.#onWritten();
          return written.value;
        }
        named = [...named, ...written.streams];
      }
    } catch (error) {
      this.#writing.failed(error);
      throw asFailure(error);
    }
    throw new Failure('server/busy', 'record.streams-keep-changing');
  }

  async #tryToWrite<T>(
    named: readonly StreamId[],
    find: Exclude<Streams, readonly StreamId[]> | null,
    work: (writing: Writing) => Promise<T>,
  ): Promise<Written<T>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#writeOnce(named, find, work);
      } catch (error) {
        if (attempt === attempts || !isTransient(error)) throw error;
      }
      await this.#repeats.pause(leastPauseMs + this.#repeats.random() * (mostPauseMs - leastPauseMs));
    }
  }

  async #writeOnce<T>(
    named: readonly StreamId[],
    find: Exclude<Streams, readonly StreamId[]> | null,
    work: (writing: Writing) => Promise<T>,
  ): Promise<Written<T>> {
    let heads: Heads = new Map();
    let appended: Appended = new Map();
    let effects: (() => void)[] = [];
    const written = await this.#writes.inTransaction(named, async (db): Promise<Written<T>> => {
      // It runs again where another write of its commit fails.
      [heads, appended, effects] = [new Map(), new Map(), []];
      const pending: Pending[] = [];
      const added = new Map<StreamId, number>();
      const replaced: StreamEntriesTable[] = [];
      await this.#lock(db, named, heads);
      const found = find ? (await find(db)).filter((stream) => !heads.has(stream)) : [];
      if (found.length > 0) return { type: 'more-streams', streams: found };
      const clockMs = this.#clock.now();
      const nowMs = Math.max(clockMs, ...Array.from(heads.values(), ({ atMs }) => atMs));
      const value = await work({
        db,
        nowMs,
        playersMs: nowMs - clockMs > mostSkewMs ? clockMs : nowMs,
        append: async (to, change, options) => {
          const expels = options ? (options.expels === 'everyone' ? '*' : options.expels) : null;
          const text = JSON.stringify(change);
          for (const stream of typeof to === 'string' ? [to] : to) {
            if (!heads.has(stream)) this.#onUnnamed(stream);
            pending.push({ stream, change: text, expels });
            added.set(stream, (added.get(stream) ?? 0) + 1);
          }
        },
        headOf: (stream) => (heads.get(stream)?.seq ?? 0) + (added.get(stream) ?? 0),
        replace: (entries) => void replaced.push(...entries),
        afterCommit: (effect) => void effects.push(effect),
      });
      appended = await this.#save(db, heads, pending, { nowMs, replaced });
      return { type: 'done', value };
    });
    this.#writes.held(heads);
    for (const [stream, entries] of appended) this.#ring(stream, entries);
    for (const effect of effects) effect();
    return written;
  }

  /** Numbers what was appended and stores it. */
  async #save(
    db: Transaction<Schema>,
    heads: Heads,
    pending: readonly Pending[],
    { nowMs, replaced }: { nowMs: number; replaced: readonly StreamEntriesTable[] },
  ): Promise<Map<StreamId, Entry[]>> {
    const appended = new Map<StreamId, Entry[]>();
    if (pending.length === 0 && replaced.length > 0) throw new Error('changes were replaced without an append');
    if (pending.length === 0) return appended;
    await this.#lock(
      db,
      pending.map(({ stream }) => stream),
      heads,
    );
    const grown: Heads = new Map();
    const rows = pending.map(({ stream, change, expels }) => {
      const last = grown.get(stream) ?? heads.get(stream) ?? { seq: 0, atMs: 0 };
      const seq = last.seq + 1;
      grown.set(stream, { seq, atMs: Math.max(nowMs, last.atMs) });
      appended.set(stream, [...(appended.get(stream) ?? []), { seq, change, expels }]);
      return { stream, seq, at_ms: nowMs, change, expels };
    });
    await this.#writes.append(db, rows, grown, { replaced, held: heads });
    return appended;
  }

  async #lock(db: Transaction<Schema>, streams: readonly StreamId[], heads: Heads): Promise<void> {
    const sorted = [...new Set(streams)].filter((stream) => !heads.has(stream)).sort();
    if (sorted.length === 0) return;
    await this.#writes.take(db, sorted, heads);
  }

  /** The heads are read anew: something else than a change of the record has changed them. */
  forgetHeads(): void {
    this.#writes.forget();
  }

  /** Entries after `since`, oldest first, at most `most`. */
  async entriesAfter(stream: StreamId, since: number, most = 500): Promise<Entry[]> {
    return await entriesOf(this.db, stream, since, most);
  }

  /** The number of the last change of each stream; absent where there is none yet. */
  async heads(streams: readonly StreamId[]): Promise<Map<StreamId, number>> {
    if (streams.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('streams')
      .select(['stream', 'head'])
      .where('stream', 'in', padded(streams))
      .execute();
    return new Map(rows.map((row) => [row.stream as StreamId, row.head]));
  }

  /** As `heads`, for subscribers: where the record knows the number of each, nothing is read. */
  async currentHeads(streams: readonly StreamId[]): Promise<Map<StreamId, number>> {
    return this.#writes.current(streams) ?? (await this.heads(streams));
  }

  async head(stream: StreamId): Promise<number> {
    return (await this.heads([stream])).get(stream) ?? 0;
  }

  /**
   * Deletes old entries: clients with an older number take a snapshot. Entries that remove a person are kept for a time
   * of their own, because a snapshot does not replace them.
   */
  async forgetEntriesBefore(atMs: number, removalsBeforeMs: number): Promise<void> {
    await this.db.deleteFrom('stream_entries').where('at_ms', '<', atMs).where('expels', 'is', null).execute();
    await this.db.deleteFrom('stream_entries').where('at_ms', '<', removalsBeforeMs).execute();
  }
}
