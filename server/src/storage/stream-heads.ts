/**
 * The head of a stream is the number and time of its last change. A write takes the heads of its streams, and stores
 * entries that follow them. How that is done differs by database: `sqlite-writes` and `postgres-writes`.
 */
import type { StreamId } from '@tunemate/protocol';
import type { Transaction } from 'kysely';
import { padded } from './queries.ts';
import type { Schema, StreamEntriesTable } from './schema.ts';

export interface Head {
  seq: number;
  atMs: number;
}
export type Heads = Map<StreamId, Head>;

export type NewEntry = StreamEntriesTable & { stream: StreamId };

export type Work<T> = (db: Transaction<Schema>) => Promise<T>;

/** How one database runs writes. */
export interface Writes {
  inTransaction<T>(work: Work<T>): Promise<T>;
  /** Takes the streams, which are sorted, and adds their heads to `held`. */
  take(db: Transaction<Schema>, streams: readonly StreamId[], held: Heads): Promise<void>;
  /** Stores entries that follow the heads, and the heads that they lead to: the same statements for any number. */
  append(db: Transaction<Schema>, entries: readonly NewEntry[], grown: Heads): Promise<void>;
  /** A write that held these streams was committed. */
  held(held: Heads): void;
  /** The committed numbers of these streams; null where they have to be read. */
  current(streams: readonly StreamId[]): Map<StreamId, number> | null;
}

/** How many streams a process remembers. */
export const mostKnown = 50_000;
/** Databases limit the parameters of one statement. */
export const rowsPerInsert = 1000;

export const readHeads = (db: Transaction<Schema>, streams: readonly StreamId[]) =>
  db.selectFrom('streams').select(['stream', 'head', 'at_ms']).where('stream', 'in', padded(streams)).orderBy('stream');

export async function insertEntries(db: Transaction<Schema>, entries: readonly NewEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += rowsPerInsert) {
    await db
      .insertInto('stream_entries')
      .values(entries.slice(from, from + rowsPerInsert))
      .execute();
  }
}

/** SQLSTATE 40001 (serialization_failure): the record runs the write again. */
export const toBeRepeated = (reason: string): Error => Object.assign(new Error(reason), { code: '40001' });
