/**
 * Ids that this page makes: of requests, so that the server applies a repeated one once, and of the tab. A reload keeps
 * the tab's id; a duplicated tab gets its own, because the id is stored only from the closing of a page to its next start.
 */
import type { ClientId, TabId } from '@tunemate/protocol';
import type { LenientStorage } from '../store/lenient-storage.ts';

/** A random UUID. `crypto.randomUUID` is missing on plain-http pages of a local network. */
export function newUuid(source: Pick<Crypto, 'getRandomValues'> = crypto): string {
  const bytes = source.getRandomValues(new Uint8Array(16));
  // RFC 9562 §5.4: version 4, variant 10.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function newClientId(): ClientId {
  return newUuid() as ClientId;
}

const tabKey = 'tunemate/tab';
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Takes the id that this tab had before its reload, or makes one. */
export function claimTabId(storage: LenientStorage, newId: () => string): TabId {
  const kept = storage.getItem(tabKey);
  storage.removeItem(tabKey);
  // A UUID by the check above; the brand is made where the id is made.
  return (kept !== null && uuid.test(kept) ? kept : newId()) as TabId;
}

/** Stores the id for the next page in this tab. Call it when the page closes. */
export function leaveTabId(storage: LenientStorage, tabId: TabId): void {
  storage.setItem(tabKey, tabId);
}
