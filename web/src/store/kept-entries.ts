/**
 * A list kept on this device, one entry of the storage for each element. Browsers write one entry as a whole, but give no
 * way to read a list, change it and write it back that another tab can't come between: with a list in one entry, what two
 * tabs change at the same time is lost. Web Locks would prevent that, but exist on https only, and a room at home is
 * served over plain http.
 */
import type { Unsubscribe } from './cell.ts';
import type { SharedStorage } from './lenient-storage.ts';

export interface KeptEntries<One> {
  /** By id, in the order in which they were first kept, by whichever tab. */
  read(): ReadonlyMap<string, One>;
  /** Adds it at the end, or replaces it in its place. What the browser refuses to store is kept until the page ends. */
  keep(id: string, one: One): void;
  remove(id: string): void;
  /** Calls back after another tab has changed the list. */
  onChange(listener: () => void): Unsubscribe;
}

interface Entry<One> {
  /** Milliseconds, or one more than the highest that was stored at the time. */
  readonly place: number;
  readonly one: One;
}

export function keptEntries<One>(storage: SharedStorage, key: string, now: () => number): KeptEntries<One> {
  const prefix = `${key}/`;
  const unstored = new Map<string, Entry<One>>();
  /** So that what did not change stays the same object. */
  const parsed = new Map<string, { readonly text: string; readonly entry: Entry<One> }>();

  function entries(): readonly [string, Entry<One>][] {
    takeOver();
    const found = new Map<string, Entry<One>>();
    for (const name of storage.keys()) {
      const entry = name.startsWith(prefix) ? entryOf(name) : undefined;
      if (entry !== undefined) found.set(name.slice(prefix.length), entry);
    }
    // What is stored of these is older.
    for (const [id, entry] of unstored) found.set(id, entry);
    return [...found].sort(([id, a], [otherId, b]) => a.place - b.place || (id < otherId ? -1 : 1));
  }

  function entryOf(name: string): Entry<One> | undefined {
    const text = storage.getItem(name);
    if (text === null) return undefined;
    const known = parsed.get(name);
    if (known?.text === text) return known.entry;
    const entry = parse(text) as Entry<One> | null;
    if (typeof entry?.place !== 'number') return undefined;
    parsed.set(name, { text, entry });
    return entry;
  }

  function write(id: string, entry: Entry<One>): void {
    const text = JSON.stringify(entry);
    storage.setItem(prefix + id, text);
    if (storage.getItem(prefix + id) === text) unstored.delete(id);
    else unstored.set(id, entry);
  }

  /** Earlier versions kept the list in one entry: an array of what has a client id, or an object. */
  function takeOver(): void {
    const text = storage.getItem(key);
    if (text === null) return;
    const old: unknown = parse(text) ?? {};
    const elements = Array.isArray(old)
      ? (old as (One & { clientId: string })[]).map((one) => [one.clientId, one] as const)
      : Object.entries(old as Record<string, One>);
    for (const [index, [id, one]] of elements.entries()) {
      if (storage.getItem(prefix + id) === null) write(id, { place: index, one });
    }
    storage.removeItem(key);
  }

  return {
    read: () => new Map(entries().map(([id, { one }]) => [id, one])),
    keep(id, one) {
      const all = entries();
      const place = all.find(([known]) => known === id)?.[1].place;
      write(id, { place: place ?? Math.max(now(), (all.at(-1)?.[1].place ?? 0) + 1), one });
    },
    remove(id) {
      unstored.delete(id);
      parsed.delete(prefix + id);
      storage.removeItem(prefix + id);
    },
    onChange: (listener) =>
      storage.onChange((changed) => {
        if (changed?.startsWith(prefix)) unstored.delete(changed.slice(prefix.length));
        // Without a name all entries have changed.
        if (changed?.startsWith(key) !== false) listener();
      }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Foreign data.
    return null;
  }
}
