/** The breakpoints, for the few places where CSS alone cannot move things. */
import { useSyncExternalStore } from 'react';

/** To 768 px, to 1099, to 1599, and beyond. */
export type WindowWidth = 'phone' | 'slim' | 'wide' | 'broad';

const hasQueries = typeof matchMedia === 'function';
const steps = [
  { width: 'broad', query: hasQueries ? matchMedia('(min-width: 1600px)') : null },
  { width: 'wide', query: hasQueries ? matchMedia('(min-width: 1100px)') : null },
  { width: 'slim', query: hasQueries ? matchMedia('(min-width: 769px)') : null },
] as const;

function subscribe(onChange: () => void): () => void {
  for (const { query } of steps) query?.addEventListener('change', onChange);
  return () => {
    for (const { query } of steps) query?.removeEventListener('change', onChange);
  };
}

function widthNow(): WindowWidth {
  if (!hasQueries) return 'wide';
  return steps.find(({ query }) => query?.matches)?.width ?? 'phone';
}

export function useWindowWidth(): WindowWidth {
  return useSyncExternalStore(subscribe, widthNow, () => 'wide');
}

/** True from 769 px up. */
export function useWideScreen(): boolean {
  return useWindowWidth() !== 'phone';
}
