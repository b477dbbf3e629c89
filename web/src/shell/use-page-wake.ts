/** Calls back when the device may have slept or changed networks: the page became visible, online, or was restored. */
import { useEffect, useEffectEvent } from 'react';

export function usePageWake(onWake: () => void): void {
  const wake = useEffectEvent(onWake);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const listener = (): void => {
      if (document.visibilityState === 'visible') wake();
    };
    document.addEventListener('visibilitychange', listener, { signal });
    window.addEventListener('online', listener, { signal });
    window.addEventListener('pageshow', listener, { signal });
    return () => stopping.abort();
  }, []);
}
