/**
 * The name of this tab. It survives a reload, yet a duplicated tab gets its own: the name lies in session storage only
 * between the moment the page goes and the moment it is back.
 */
import type { TabId } from '@tunemate/protocol';

const key = 'tunemate/tab';
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Takes up the name this tab had before its reload, or makes one. */
export function claimTabId(storage: Storage, newId: () => string): TabId {
  const kept = readAndRemove(storage);
  // A UUID by the check above; the brand is made where the id is made.
  return (kept !== null && uuid.test(kept) ? kept : newId()) as TabId;
}

/** Leaves the name for the page that follows in this tab. Call it when the page goes. */
export function leaveTabId(storage: Storage, tabId: TabId): void {
  try {
    storage.setItem(key, tabId);
  } catch {
    // Storage is full or forbidden: the reloaded page is then another tab, which costs one 'Take over'.
  }
}

function readAndRemove(storage: Storage): string | null {
  try {
    const kept = storage.getItem(key);
    storage.removeItem(key);
    return kept;
  } catch {
    // Storage is forbidden.
    return null;
  }
}
