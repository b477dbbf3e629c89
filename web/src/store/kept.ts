/**
 * A user's data that this device stores to show it without a network, and home before the server answers: where browsers
 * have a cache, so neither on plain http nor where the user forbids it. Signing out deletes it.
 */
import type { Readable, Unsubscribe } from './cell.ts';
import type { LenientStorage } from './lenient-storage.ts';

const cacheName = 'tunemate-kept';
const homeKey = 'tunemate/kept-home';
/** Changes within this time are stored once. */
const pauseMs = 1000;

type Source = Pick<Readable<unknown>, 'subscribe'>;

export interface Kept {
  /** As `read`, of what `followHome` stores, and at once: home is drawn with it. */
  readHome(): unknown;
  /** Undefined when there is none, or the page that stored it was of another version. Never throws. */
  read<Value>(key: string): Promise<Value | undefined>;
  /** Stores what `value` answers a second from now and after each change of `source`, unless that is undefined. */
  follow(key: string, source: Source, value: () => unknown): Unsubscribe;
  followHome(source: Source, value: () => unknown): Unsubscribe;
  /** Stores at once what would be stored within a second: the page may be about to go. */
  readonly storeNow: () => void;
  /** Before it nothing is stored. */
  start(): void;
  /** Deletes everything; this page stores nothing more until `start`. */
  clear(): Promise<void>;
}

interface Stored<Value> {
  readonly build: string;
  readonly value: Value;
}

/** `build` names the version of the page: another one may not understand what this one stores. */
export function createKept(storage: CacheStorage | undefined, device: LenientStorage, build: string): Kept {
  let isStoring = false;
  /** Changes that are stored soon. */
  const due = new Set<() => void>();

  async function write(key: string, value: unknown): Promise<void> {
    try {
      const cache = await storage?.open(cacheName);
      if (isStoring) await cache?.put(`/kept/${key}`, new Response(JSON.stringify({ build, value })));
    } catch {
      // No space: the page shows less without a network.
    }
  }

  function writeHome(value: unknown): void {
    if (storage !== undefined) device.setItem(homeKey, JSON.stringify({ build, value }));
  }

  /** Stores what `value` answers soon and after each change of `source`. */
  function follow(source: Source, value: () => unknown, write: (now: unknown) => void): Unsubscribe {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const store = (): void => {
      clearTimeout(timer);
      timer = undefined;
      due.delete(store);
      const now = value();
      if (now !== undefined && isStoring) write(now);
    };
    const storeSoon = (): void => {
      timer ??= setTimeout(store, pauseMs);
      due.add(store);
    };
    const end = source.subscribe(storeSoon);
    storeSoon();
    return () => {
      end();
      if (due.has(store)) store();
    };
  }

  return {
    readHome() {
      try {
        const found = JSON.parse(device.getItem(homeKey) ?? 'null') as Stored<unknown> | null;
        return found?.build === build ? found.value : undefined;
      } catch {
        return undefined;
      }
    },
    async read<Value>(key: string) {
      try {
        const cache = await storage?.open(cacheName);
        const found = (await (await cache?.match(`/kept/${key}`))?.json()) as Stored<Value> | undefined;
        return found?.build === build ? found.value : undefined;
      } catch {
        return undefined;
      }
    },
    follow: (key, source, value) => follow(source, value, (now) => void write(key, now)),
    followHome: (source, value) => follow(source, value, writeHome),
    storeNow: () => [...due].forEach((store) => store()),
    start() {
      isStoring = true;
    },
    async clear() {
      isStoring = false;
      device.removeItem(homeKey);
      await storage?.delete(cacheName).catch(() => false);
    },
  };
}
