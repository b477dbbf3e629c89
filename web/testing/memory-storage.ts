/** Storages that last as long as a test. */
import type { SharedStorage } from '../src/store/lenient-storage.ts';

export type MemoryStorage = Storage & SharedStorage;

/** A browser with one tab. */
export function memoryStorage(): MemoryStorage {
  return memoryBrowser(() => {}).openTab();
}

/**
 * A browser whose tabs share one storage. Each change is told to every other tab by a task of `later`, which the test
 * runs when it likes, as browsers do at some time.
 */
export function memoryBrowser(later: (tell: () => void) => void) {
  const values = new Map<string, string>();
  const tabs = new Set<Set<(key: string | null) => void>>();

  function openTab(): MemoryStorage {
    const own = new Set<(key: string | null) => void>();
    tabs.add(own);
    const tell = (key: string | null): void => {
      for (const other of tabs) {
        if (other !== own) later(() => other.forEach((listener) => listener(key)));
      }
    };
    return {
      getItem: (key) => values.get(key) ?? null,
      setItem(key, value) {
        values.set(key, value);
        tell(key);
      },
      removeItem(key) {
        if (values.delete(key)) tell(key);
      },
      clear() {
        values.clear();
        tell(null);
      },
      key: (index) => Array.from(values.keys())[index] ?? null,
      get length() {
        return values.size;
      },
      keys: () => [...values.keys()],
      onChange(listener) {
        own.add(listener);
        return () => void own.delete(listener);
      },
    };
  }

  return { openTab };
}
