/** Keeps the screen on while it is wanted and the page is visible. A browser that can't, or won't, lets it go dark. */
import { useEffect } from 'react';

export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return undefined;
    const wanting = new AbortController();
    const { signal } = wanting;
    // The browser drops a lock when the page is hidden.
    const take = (): void => {
      if (document.visibilityState === 'visible') void keepAwake(signal);
    };
    document.addEventListener('visibilitychange', take, { signal });
    take();
    return () => wanting.abort();
  }, [isWanted]);
}

async function keepAwake(signal: AbortSignal): Promise<void> {
  try {
    const lock = await navigator.wakeLock.request('screen');
    if (signal.aborted) await lock.release();
    else signal.addEventListener('abort', () => void lock.release());
  } catch {
    // Refused, for example because the battery is low.
  }
}
