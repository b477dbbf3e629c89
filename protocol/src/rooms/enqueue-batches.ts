/**
 * How a list of tracks is split for 'enqueueAll'. Without schemas, because a page splits its lists too and does without
 * the schema library.
 */
import { utf8Bytes } from '../wire/characters.ts';
import { limits } from '../wire/limits.ts';

const bytesOfItem = (item: object | string): number => utf8Bytes(JSON.stringify(item));

/** Whether a message of the socket has room for a request with this list. */
export const fitsOneMessage = (items: readonly (object | string)[]): boolean =>
  items.reduce((sum, item) => sum + bytesOfItem(item), 0) <= limits.listBytes;

/** Splits a list into as few lists as fit into one 'enqueueAll' each. */
export function enqueueBatches<Track extends object>(items: readonly Track[]): Track[][] {
  const batches: Track[][] = [];
  let leftBytes = 0;
  for (const item of items) {
    const bytes = bytesOfItem(item);
    const last = batches.at(-1);
    if (last === undefined || bytes > leftBytes || last.length === limits.queueItems) {
      batches.push([item]);
      leftBytes = limits.listBytes - bytes;
    } else {
      last.push(item);
      leftBytes -= bytes;
    }
  }
  return batches;
}
