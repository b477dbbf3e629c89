/**
 * Events of the page and the device that matter to the connection: the page is hidden for good or restored, the device
 * woke up, the network is back.
 */
import type { Unsubscribe } from '../store/cell.ts';

const tickMs = 5000;
/** A timer this late means that the device slept; busy pages and throttled tabs stay well below. */
const sleptMs = 90_000;

export interface PageLife {
  readonly onGone: () => void;
  /** Back from the browser's page cache after onGone. */
  readonly onBack: () => void;
  /** The connection may have been lost, or reconnecting may succeed now. */
  readonly onWake: () => void;
}

/** Watches the page until the answer is called. */
export function watchPage(window: Window, life: PageLife): Unsubscribe {
  const stopping = new AbortController();
  const { signal } = stopping;
  let lastTickMs = Date.now();

  window.addEventListener('pagehide', () => life.onGone(), { signal });
  window.addEventListener('pageshow', (event) => event.persisted && life.onBack(), { signal });
  window.addEventListener('online', () => life.onWake(), { signal });
  window.addEventListener('offline', () => life.onWake(), { signal });
  window.document.addEventListener(
    'visibilitychange',
    () => window.document.visibilityState === 'visible' && life.onWake(),
    { signal },
  );
  const ticking = setInterval(() => {
    const nowMs = Date.now();
    if (nowMs - lastTickMs > tickMs + sleptMs) life.onWake();
    lastTickMs = nowMs;
  }, tickMs);
  signal.addEventListener('abort', () => clearInterval(ticking));

  return () => stopping.abort();
}
