/** The bridge from models to React: a component renders again when the value it reads has changed. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Readable } from './cell.ts';

export function useReadable<Value>(readable: Readable<Value>): Value {
  return useSyncExternalStore(readable.subscribe, readable.get);
}

const readingMs = 500;

/** For a value that changes faster than a user can read. */
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
