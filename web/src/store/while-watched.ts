/**
 * A model that lives as long as somebody watches it: opened by the first watcher, closed when the last one goes.
 * Gives a page's models the page's own lifetime, without React knowing of either.
 */
import type { Readable } from './cell.ts';

/** Null while nobody watches. */
export function whileWatched<Model>(open: () => Model, close: (model: Model) => void): Readable<Model | null> {
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
        close(last);
      };
    },
  };
}
