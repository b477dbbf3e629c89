/** The bridge from a page's model to React: opened when the page is mounted, closed when it is unmounted. */
import { useState } from 'react';
import type { Readable } from './cell.ts';
import { useReadable } from './use-readable.ts';

interface Closable {
  close(): void;
}

/** Null before the page is mounted. Memoise `open`: another function opens another model and closes the previous one. */
export function useModel<Model extends Closable>(open: () => Model): Model | null {
  // State, because React may drop what `useMemo` holds: that would close the model and open it anew.
  const [kept, setKept] = useState(() => ({ open, model: whileWatched(open) }));
  const now = kept.open === open ? kept : { open, model: whileWatched(open) };
  if (now !== kept) setKept(now);
  return useReadable(now.model);
}

/** A model that lives while it has subscribers; null while it has none. */
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
