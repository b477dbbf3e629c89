/** Taps on push messages, of which the worker stores a record for the page that it opens. */
import { isFreshTap } from '../store/taps.ts';

/** Written by `public/worker.js`. */
const recordsName = 'tunemate-taps';

/** True once for each tap on a message that leads to this address, within a minute. */
export async function takeTapRecord(link: string): Promise<boolean> {
  try {
    // Missing on plain http.
    const records = await (globalThis as { caches?: CacheStorage }).caches?.open(recordsName);
    const record = await records?.match(link);
    // Of two pages that find the record, one deletes it.
    if (!record || !(await records?.delete(link))) return false;
    return isFreshTap(Number(await record.text()), Date.now());
  } catch {
    // No storage in a private window: the user presses the button of the form.
    return false;
  }
}

/** Calls back when the worker stores a tap while a page shows the address already. */
export function onTapRecord(listener: () => void): () => void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  serviceWorker?.addEventListener('message', listener);
  return () => serviceWorker?.removeEventListener('message', listener);
}
