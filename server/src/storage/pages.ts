/**
 * Reads long results a page at a time, for answers that are sent while they are read, and changes what very many people
 * have a few of them at a time: memory does not grow with their number, and other requests are served in between.
 */
import { setImmediate } from 'node:timers/promises';
import { nextTurn } from '../system/in-turns.ts';

/** A part of a list, and how many rows the whole has. */
export interface Listed<Row> {
  rows: Row[];
  total: number;
}

/** Which part of a list: `most` rows from `from` on. */
export interface Part {
  from: number;
  most: number;
}

/** Rows of one page. */
export const pageSize = 200;
/** What is made of so many rows takes about as long as a short answer. */
const rowsInTurn = 50;

/** All rows, in order. `read` answers at most `pageSize` rows after `last`, the first ones for null. */
export async function* inPages<Row>(read: (last: Row | null) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | null = null;
  for (;;) {
    // SQLite is synchronous: without this pause no other request would be served. Before the first page too, because
    // hundreds of short lists are read one after another: the messages of each chat.
    await setImmediate();
    const page: Row[] = await read(last);
    for (const [at, row] of page.entries()) {
      if (at % rowsInTurn === 0 && at > 0) await setImmediate();
      yield row;
    }
    if (page.length < pageSize) return;
    last = page.at(-1) ?? null;
  }
}

/** Bytes of the rows of one answer; it ends with the row that passes them. */
export const mostAnswerBytes = 256 * 1024;

interface PartsOf<Row> {
  /** Rows of the answer, and of each part of it. */
  most: number;
  partSize: number;
  /** So many rows behind `last`, the first ones for null. */
  read: (last: Row | null, rows: number) => Promise<Row[]>;
  bytesOf: (row: Row) => number;
}

/**
 * Rows of an answer that may be long: read in parts until it has `most` of them or weighs `mostAnswerBytes`. Of all such
 * answers one goes on in each turn of the event loop. `hasMore`: there are rows behind those.
 */
export async function inParts<Row>({ most, partSize, read, bytesOf }: PartsOf<Row>) {
  const rows: Row[] = [];
  let bytes = 0;
  for (;;) {
    const wanted = Math.min(partSize, most - rows.length);
    const part = await read(rows.at(-1) ?? null, wanted + 1);
    const shown = part.slice(0, wanted);
    const taken = withinBytes(shown, bytesOf, mostAnswerBytes - bytes);
    rows.push(...taken.rows);
    bytes += taken.bytes;
    const hasMore = part.length > taken.rows.length;
    if (!hasMore || rows.length >= most || bytes >= mostAnswerBytes) return { rows, hasMore };
    await nextTurn();
  }
}

/** The first of these rows, up to the one that passes `most` bytes. */
export function withinBytes<Row>(all: readonly Row[], bytesOf: (row: Row) => number, most = mostAnswerBytes) {
  const rows: Row[] = [];
  let bytes = 0;
  for (const row of all) {
    rows.push(row);
    bytes += bytesOf(row);
    if (bytes >= most) break;
  }
  return { rows, bytes };
}

/** Of very many people whose streams would be held by one write. */
const peopleAtOnce = 50;

/** `work` is called with a few of those that `find` answers, again and again until it answers none. */
export async function fewAtATime<Item>(
  find: () => Promise<readonly Item[]>,
  work: (some: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  for (let left = await find(); left.length > 0; left = await find()) {
    for (let from = 0; from < left.length; from += peopleAtOnce) {
      await setImmediate();
      await work(left.slice(from, from + peopleAtOnce));
    }
  }
}
