/**
 * Whether the user looks at the page: it is visible, has the focus, and was used since it was opened, by a press or by
 * the tap on a push message. Another site can open any address of ours and give it the focus, but it can't press.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { onTapRecord, takeTapRecord } from './tap-records.ts';

const presses = ['keydown', 'pointerdown', 'pointerup', 'touchend'] as const;

function subscribe(onChange: () => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  document.addEventListener('visibilitychange', onChange, { signal });
  addEventListener('focus', onChange, { signal });
  addEventListener('blur', onChange, { signal });
  for (const press of presses) addEventListener(press, onChange, { signal, capture: true });
  return () => stopping.abort();
}

const isInSight = (): boolean => document.visibilityState === 'visible' && document.hasFocus();
const isUsed = (): boolean => navigator.userActivation.hasBeenActive;

export function useWatching(): boolean {
  const [isTapped, setTapped] = useState(false);
  useEffect(() => {
    const look = async () => (await takeTapRecord(location.pathname)) && setTapped(true);
    void look();
    return onTapRecord(() => void look());
  }, []);
  const isThere = useSyncExternalStore(subscribe, isInSight);
  return useSyncExternalStore(subscribe, isUsed) || isTapped ? isThere : false;
}
