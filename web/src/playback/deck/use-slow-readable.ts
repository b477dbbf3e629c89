/** Reads a value that changes faster than anybody can read: at most twice a second. */
import { useEffect, useState } from 'react';
import type { Readable } from '../../store/cell.ts';

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
