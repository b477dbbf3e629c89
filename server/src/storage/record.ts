/**
 * The record: one way to change anything that people see live. A write names the streams it changes, locks them in
 * sorted order (so two writes of one room or one person never interleave, on SQLite and on PostgreSQL alike), saves
 * its rows and appends numbered changes in one transaction. Only after the commit are the streams rung.
 * It knows nothing of sockets: who listens is the feed's business.
 */
import { type OwnChange, type RoomChange, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../ports.ts';
import type { Database, Dialect } from './database.ts';
import { asFailure, isTransient } from './failures.ts';
import type { Schema } from './schema.ts';

export type Change = RoomChange | OwnChange;

/** A change, and the stream that is to carry it. */
export interface News {
  stream: StreamId;
  change: Change;
}

/** One numbered change of a stream, as stored. `change` stays JSON: most readers only pass it on. */
export interface Entry {
  seq: number;
  change: string;
  expels: string | null;
}

/** The inside of one write. */
export interface Writing {
  db: Transaction<Schema>;
  /** Server time of this write: every row and change of it carries the same. */
  nowMs: number;
  /** Appends a change; `expels` names whose connections leave the stream after it. Answers its number. */
  append(stream: StreamId, change: Change, options?: { expels: Uid | 'everyone' }): Promise<number>;
  /** Runs once this write is committed, and not at all if it is not. Must not throw. */
  afterCommit(effect: () => void): void;
}

const attempts = 4;

/** Drops everything that the streams have carried so far. Who has not received it yet takes a snapshot. */
export async function forgetEntries(db: Kysely<Schema>, streams: readonly StreamId[]): Promise<void> {
  await db
    .deleteFrom('stream_entries')
    .where('stream', 'in', [...streams])
    .execute();
}

export class StreamRecord {
  readonly db: Kysely<Schema>;
  readonly #dialect: Dialect;
  readonly #clock: Clock;
  #ring: (streams: StreamId[]) => void = () => undefined;

  constructor(database: Database, clock: Clock) {
    this.db = database.db;
    this.#dialect = database.dialect;
    this.#clock = clock;
  }

  /** Who is told which streams grew, after each commit. */
  onCommitted(ring: (streams: StreamId[]) => void): void {
    this.#ring = ring;
  }

  /**
   * Runs `work` in one transaction that holds the named streams. `work` may run again when the database had to abort
   * it (deadlock, serialisation), so it must have no effect but through `writing`. Throws a Failure.
   */
  async write<T>(streams: readonly StreamId[], work: (writing: Writing) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#writeOnce(streams, work);
      } catch (error) {
        if (attempt === attempts || !isTransient(error)) throw asFailure(error);
      }
    }
  }

  async #writeOnce<T>(streams: readonly StreamId[], work: (writing: Writing) => Promise<T>): Promise<T> {
    const heads = new Map<StreamId, number>();
    const grown = new Set<StreamId>();
    const effects: (() => void)[] = [];
    const value = await this.db.transaction().execute(async (db) => {
      const nowMs = this.#clock.now();
      await this.#lock(db, streams, heads);
      const result = await work({
        db,
        nowMs,
        append: async (stream, change, options) => {
          // A stream that only shows up while reading is locked late; a deadlock then ends in a retry.
          if (!heads.has(stream)) await this.#lock(db, [stream], heads);
          const seq = (heads.get(stream) ?? 0) + 1;
          heads.set(stream, seq);
          grown.add(stream);
          const expels = options ? (options.expels === 'everyone' ? '*' : options.expels) : null;
          await db
            .insertInto('stream_entries')
            .values({ stream, seq, at_ms: nowMs, change: JSON.stringify(change), expels })
            .execute();
          return seq;
        },
        afterCommit: (effect) => void effects.push(effect),
      });
      for (const stream of grown) {
        await db
          .updateTable('streams')
          .set({ head: heads.get(stream) ?? 0 })
          .where('stream', '=', stream)
          .execute();
      }
      return result;
    });
    if (grown.size > 0) this.#ring([...grown]);
    for (const effect of effects) effect();
    return value;
  }

  async #lock(db: Transaction<Schema>, streams: readonly StreamId[], heads: Map<StreamId, number>): Promise<void> {
    const sorted = [...new Set(streams)].filter((stream) => !heads.has(stream)).sort();
    if (sorted.length === 0) return;
    await db
      .insertInto('streams')
      .values(sorted.map((stream) => ({ stream, head: 0 })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const query = db.selectFrom('streams').select(['stream', 'head']).where('stream', 'in', sorted).orderBy('stream');
    // SQLite has one writer at a time and no row locks; PostgreSQL locks the rows in this order.
    const rows = await (this.#dialect === 'postgres' ? query.forUpdate() : query).execute();
    for (const row of rows) heads.set(row.stream as StreamId, row.head);
  }

  /** Entries after `since`, oldest first, at most `most`. */
  async entriesAfter(stream: StreamId, since: number, most = 500): Promise<Entry[]> {
    return await this.db
      .selectFrom('stream_entries')
      .select(['seq', 'change', 'expels'])
      .where('stream', '=', stream)
      .where('seq', '>', since)
      .orderBy('seq')
      .limit(most)
      .execute();
  }

  /** The number of the last change of each stream; absent where there is none yet. */
  async heads(streams: readonly StreamId[]): Promise<Map<StreamId, number>> {
    if (streams.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('streams')
      .select(['stream', 'head'])
      .where('stream', 'in', [...streams])
      .execute();
    return new Map(rows.map((row) => [row.stream as StreamId, row.head]));
  }

  async head(stream: StreamId): Promise<number> {
    return (await this.heads([stream])).get(stream) ?? 0;
  }

  /** Drops entries that nobody can still be waiting for: receivers with an older number take a snapshot. */
  async forgetEntriesBefore(atMs: number): Promise<void> {
    await this.db.deleteFrom('stream_entries').where('at_ms', '<', atMs).execute();
  }
}
