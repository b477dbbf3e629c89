/** The bridge from models to React: a component renders again when the value it reads has changed. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Readable } from './cell.ts';

/** The current value of a model's cell. */
export function useReadable<Value>(readable: Readable<Value>): Value {
  return useSyncExternalStore(readable.subscribe, readable.get);
}

/** A value that changes faster than a person can read: read twice a second. */
const readingMs = 500;

export function useSlowReadable<Value>(readable: Readable<Value>): Value {
  const [value, setValue] = useState(() => readable.get());
  useEffect(() => {
    const read = (): void => setValue(() => readable.get());
    read();
    const timer = setInterval(read, readingMs);
    return () => clearInterval(timer);
  }, [readable]);
  return value;
}
