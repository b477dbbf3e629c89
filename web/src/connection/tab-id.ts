/**
 * The name of this tab. It survives a reload, yet a duplicated tab gets its own: the name lies in the tab's storage only
 * between the moment the page goes and the moment it is back.
 */
import type { TabId } from '@tunemate/protocol';
import type { LenientStorage } from '../store/lenient-storage.ts';

const key = 'tunemate/tab';
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Takes up the name this tab had before its reload, or makes one. */
export function claimTabId(storage: LenientStorage, newId: () => string): TabId {
  const kept = storage.getItem(key);
  storage.removeItem(key);
  // A UUID by the check above; the brand is made where the id is made.
  return (kept !== null && uuid.test(kept) ? kept : newId()) as TabId;
}

/** Leaves the name for the page that follows in this tab. Call it when the page goes. */
export function leaveTabId(storage: LenientStorage, tabId: TabId): void {
  storage.setItem(key, tabId);
}
