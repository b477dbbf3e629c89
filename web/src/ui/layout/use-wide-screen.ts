/** The one breakpoint, for the few places where CSS alone cannot move things. */
import { useSyncExternalStore } from 'react';

const query = typeof matchMedia === 'function' ? matchMedia('(min-width: 769px)') : null;

function subscribe(onChange: () => void): () => void {
  query?.addEventListener('change', onChange);
  return () => query?.removeEventListener('change', onChange);
}

/** True from 769 px up. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => query?.matches ?? true,
    () => true,
  );
}
