/** The bridge from a page's model to React: opened when the page is there, closed when it goes. */
import { useMemo } from 'react';
import type { Readable } from './cell.ts';
import { useReadable } from './use-readable.ts';

interface Closable {
  close(): void;
}

/**
 * Null for the moment before the page is there. `open` is to be memoised: another function opens another model and closes
 * the one before.
 */
export function useModel<Model extends Closable>(open: () => Model): Model | null {
  const model = useMemo(() => whileWatched(open), [open]);
  return useReadable(model);
}

/** A model that lives as long as somebody watches it; null while nobody does. React need not know of its life. */
function whileWatched<Model extends Closable>(open: () => Model): Readable<Model | null> {
  const watchers = new Set<() => void>();
  let opened: Model | null = null;
  return {
    get: () => opened,
    subscribe(onChange) {
      watchers.add(onChange);
      opened ??= open();
      return () => {
        watchers.delete(onChange);
        if (watchers.size > 0 || opened === null) return;
        const last = opened;
        opened = null;
        last.close();
      };
    },
  };
}
