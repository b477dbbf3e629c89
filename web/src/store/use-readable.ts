/** The bridge from models to React: a component renders again when the value it reads has changed. */
import { useSyncExternalStore } from 'react';
import type { Readable } from './cell.ts';

/** The current value of a model's cell. */
export function useReadable<Value>(readable: Readable<Value>): Value {
  return useSyncExternalStore(readable.subscribe, readable.get);
}
