/**
 * Reads long results a page at a time, for answers that are sent while they are read, and changes what very many people
 * have a few of them at a time: memory does not grow with their number, and other requests are served in between.
 */
import { setImmediate } from 'node:timers/promises';

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

/** All rows, in order. `read` answers at most `pageSize` rows after `last`, the first ones for null. */
export async function* inPages<Row>(read: (last: Row | null) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | null = null;
  for (;;) {
    // SQLite is synchronous: without this pause no other request would be served. Before the first page too, because
    // hundreds of short lists are read one after another: the messages of each chat.
    await setImmediate();
    const page: Row[] = await read(last);
    yield* page;
    if (page.length < pageSize) return;
    last = page.at(-1) ?? null;
  }
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
