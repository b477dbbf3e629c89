/** A media query as a readable value. */
import type { Readable } from './cell.ts';

/** Whether `query` matches; false where there is no browser. */
export function mediaQuery(query: string): Readable<boolean> {
  if (typeof matchMedia !== 'function') return { get: () => false, subscribe: () => () => undefined };
  // Two lists: when `matches` is read between a change and its event, Chromium sends that list no event.
  const [read, heard] = [matchMedia(query), matchMedia(query)];
  return {
    get: () => read.matches,
    subscribe(onChange) {
      heard.addEventListener('change', onChange);
      return () => heard.removeEventListener('change', onChange);
    },
  };
}
