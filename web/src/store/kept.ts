/**
 * A user's data that this device stores to show it without a network: where browsers have a cache, so neither on plain http
 * nor where the user forbids it. Signing out deletes it.
 */
import type { Readable, Unsubscribe } from './cell.ts';

const cacheName = 'tunemate-kept';
/** Changes within this time are stored once. */
const pauseMs = 1000;

export interface Kept {
  /** Undefined when there is none, or the page that stored it was of another version. Never throws. */
  read<Value>(key: string): Promise<Value | undefined>;
  /** Stores what `value` answers a second from now and after each change of `source`, unless that is undefined. */
  follow(key: string, source: Pick<Readable<unknown>, 'subscribe'>, value: () => unknown): Unsubscribe;
  /** Before it nothing is stored. */
  start(): void;
  /** Deletes everything; this page stores nothing more until `start`. */
  clear(): Promise<void>;
}

/** `build` names the version of the page: another one may not understand what this one stores. */
export function createKept(storage: CacheStorage | undefined, build: string): Kept {
  let isStoring = false;

  async function write(key: string, value: unknown): Promise<void> {
    try {
      const cache = await storage?.open(cacheName);
      if (isStoring) await cache?.put(`/kept/${key}`, new Response(JSON.stringify({ build, value })));
    } catch {
      // No space: the page shows less without a network.
    }
  }

  return {
    async read<Value>(key: string) {
      try {
        const cache = await storage?.open(cacheName);
        const found = (await (await cache?.match(`/kept/${key}`))?.json()) as
          | { build: string; value: Value }
          | undefined;
        return found?.build === build ? found.value : undefined;
      } catch {
        return undefined;
      }
    },
    follow(key, source, value) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const store = (): void => {
        timer = undefined;
        const now = value();
        if (now !== undefined && isStoring) void write(key, now);
      };
      const storeSoon = (): void => {
        timer ??= setTimeout(store, pauseMs);
      };
      const end = source.subscribe(storeSoon);
      storeSoon();
      return () => {
        end();
        if (timer === undefined) return;
        clearTimeout(timer);
        store();
      };
    },
    start() {
      isStoring = true;
    },
    async clear() {
      isStoring = false;
      await storage?.delete(cacheName).catch(() => false);
    },
  };
}
