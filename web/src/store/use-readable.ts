/** The bridge from models to React: a component renders again when the value it reads has changed. */
import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';
import { guarded, type Readable, type Signal } from './cell.ts';

export function useReadable<Value>(readable: Readable<Value>): Value {
  return useSyncExternalStore(readable.subscribe, readable.get);
}

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

/** For events while the component is on the page, from the commit that draws it: an event before the paint counts. */
export function useEvents<Event>(
  { subscribe }: Pick<Signal<Event>, 'subscribe'>,
  onEvent: (event: Event) => void,
): void {
  const receive = useEffectEvent(onEvent);
  useLayoutEffect(() => subscribe((event) => receive(event)), [subscribe]);
}
