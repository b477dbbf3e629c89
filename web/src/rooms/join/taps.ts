/**
 * Remembers that the user tapped an invitation, so that the join screen asks at once. It is in the memory of this page,
 * or for a push message in a record that the worker stored. An address never says it: any site can open an address.
 */
import type { Uid } from '@tunemate/protocol';

/** Written by `public/worker.js`. */
const recordsName = 'tunemate-taps';
const lastsMs = 60_000;

export interface Taps {
  /** The user tapped a link to this address on a screen of ours. */
  begin(link: string, uid: Uid): void;
  /** True once for each tap, within a minute and for the same user. */
  take(link: string, uid: Uid): boolean;
  /** The same for a tap on a push message. */
  takeRecord(link: string): Promise<boolean>;
  /** Calls back when the worker stores a tap while a page shows the address already. */
  onRecord(listener: () => void): () => void;
}

interface TapsBrowser {
  readonly caches?: CacheStorage;
  readonly navigator: { readonly serviceWorker?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> };
}

export function createTaps(browser: TapsBrowser, nowMs: () => number): Taps {
  let tap: { link: string; uid: Uid; atMs: number } | null = null;
  const isFresh = (atMs: number) => nowMs() - atMs >= 0 && nowMs() - atMs < lastsMs;

  return {
    begin(link, uid) {
      tap = { link, uid, atMs: nowMs() };
    },
    take(link, uid) {
      const taken = tap;
      tap = null;
      return taken !== null && taken.link === link && taken.uid === uid && isFresh(taken.atMs);
    },
    async takeRecord(link) {
      try {
        const records = await browser.caches?.open(recordsName);
        const record = await records?.match(link);
        // Of two pages that find the record, one deletes it.
        if (!record || !(await records?.delete(link))) return false;
        return isFresh(Number(await record.text()));
      } catch {
        // No storage on plain http or in a private window: the user presses the button of the form.
        return false;
      }
    },
    onRecord(listener) {
      const { serviceWorker } = browser.navigator;
      serviceWorker?.addEventListener('message', listener);
      return () => serviceWorker?.removeEventListener('message', listener);
    },
  };
}
