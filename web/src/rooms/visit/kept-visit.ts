/**
 * Brings the visit back after a reload. What is visited stands in the tab's storage only while the page is hidden or
 * gone, so that a duplicate of an open tab does not play the same music again.
 */
import type { Cell, Unsubscribe } from '../../store/cell.ts';
import type { LenientStorage } from '../../store/lenient-storage.ts';
import { roomKindFacts } from '../room-kinds.ts';
import type { Visit } from './visit.ts';

const key = 'tunemate/visit';

/** Takes up the visit that this user left in this tab, if there is one, and stores the current one when the page hides. */
export function keepVisit(
  visit: Cell<Visit | null>,
  ports: { readonly uid: string; readonly storage: LenientStorage; readonly window: Window },
): Unsubscribe {
  const { uid, storage, window } = ports;
  const { document } = window;
  const stopping = new AbortController();
  const { signal } = stopping;
  const leave = (): void => {
    const now = visit.get();
    if (now === null) storage.removeItem(key);
    else storage.setItem(key, `${uid} ${now.kind} ${encodeURIComponent(now.code)}`);
  };

  const left = read(storage.getItem(key), uid);
  storage.removeItem(key);
  if (left !== null) visit.update((now) => now ?? left);
  window.addEventListener('pagehide', leave, { signal });
  window.addEventListener('pageshow', () => storage.removeItem(key), { signal });
  document.addEventListener(
    'visibilitychange',
    () => (document.visibilityState === 'hidden' ? leave() : storage.removeItem(key)),
    { signal },
  );
  return () => stopping.abort();
}

function read(stored: string | null, uid: string): Visit | null {
  const [owner, kind, code] = (stored ?? '').split(' ');
  if (owner !== uid || !isRoomKind(kind) || code === undefined) return null;
  try {
    return { kind, code: decodeURIComponent(code), room: null };
  } catch {
    return null;
  }
}

const isRoomKind = (kind = ''): kind is Visit['kind'] => Object.hasOwn(roomKindFacts, kind);
