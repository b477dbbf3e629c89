/**
 * The id of this tab. It survives a reload, but a duplicated tab gets its own: the id is in the tab's storage only
 * between the closing of the page and its next start.
 */
import type { TabId } from '@tunemate/protocol';
import type { LenientStorage } from '../store/lenient-storage.ts';

const key = 'tunemate/tab';
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Takes the id that this tab had before its reload, or makes one. */
export function claimTabId(storage: LenientStorage, newId: () => string): TabId {
  const kept = storage.getItem(key);
  storage.removeItem(key);
  // A UUID by the check above; the brand is made where the id is made.
  return (kept !== null && uuid.test(kept) ? kept : newId()) as TabId;
}

/** Stores the id for the next page in this tab. Call it when the page closes. */
export function leaveTabId(storage: LenientStorage, tabId: TabId): void {
  storage.setItem(key, tabId);
}
