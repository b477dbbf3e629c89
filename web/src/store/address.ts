/** The address of the page: read by screens, which draw again when it changes, and changed without loading the page again. */
import { useSyncExternalStore } from 'react';
import { signal, type Unsubscribe } from './cell.ts';

const moves = signal<null>();

let isListening = false;

/** Calls back after each change of the address: by `navigate`, and by the browser's way back and forward. */
export function onMove(then: () => void): Unsubscribe {
  // One listener for all: React draws what changes in one event together.
  if (!isListening) addEventListener('popstate', () => moves.emit(null));
  isListening = true;
  return moves.subscribe(then);
}

/** Opens a path of the app, which may have a query. `state` is kept with the entry of the browser's history. */
export function navigate(
  to: string,
  { replace = false, state = null }: { replace?: boolean; state?: unknown } = {},
): void {
  history[replace ? 'replaceState' : 'pushState'](state, '', to);
  moves.emit(null);
}

export const usePath = (): string => useSyncExternalStore(onMove, () => location.pathname);

/** The query with its question mark, or an empty text. */
export const useSearch = (): string => useSyncExternalStore(onMove, () => location.search);

/** What the address names on the page, without its '#'. */
export const useFragment = (): string => useSyncExternalStore(onMove, () => location.hash.slice(1));

/** The values of the path's placeholders, as in the address. */
export interface ScreenProps {
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** The values of a pattern's placeholders (`/chat/:uid`) in a path, as they are written there; null when it is another path. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const found = new RegExp(`^${pattern.replace(/:(\w+)/, '(?<$1>[^/]+)')}/?$`, 'i').exec(path);
  return found && { ...found.groups };
}
