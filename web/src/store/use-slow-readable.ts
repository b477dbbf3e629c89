/** Polls values that change many times a second; of rooms alone, so that other pages load none of it. */
import { useSyncExternalStore } from 'react';
import { guarded, type Readable } from './cell.ts';

const readingMs = 500;

/** All are read at one moment: a page that only plays wakes up for them once. */
const readers = new Set<() => void>();
let reading: ReturnType<typeof setInterval> | undefined;

function readSlowly(read: () => void): () => void {
  if (readers.size === 0) reading = setInterval(() => readers.forEach((each) => guarded(each)), readingMs);
  readers.add(read);
  return () => {
    readers.delete(read);
    if (readers.size === 0) clearInterval(reading);
  };
}

/**
 * Polls every 500 ms what `read` takes from a value that changes many times a second. A part without parts of its own: the
 * component renders again only when it is another one.
 */
export const useSlowReadable = <Value, Part extends string | number | boolean | null>(
  readable: Readable<Value>,
  read: (value: Value) => Part,
): Part => useSyncExternalStore(readSlowly, () => read(readable.get()));
