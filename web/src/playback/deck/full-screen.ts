/** Full screen for a room: the picture, with plates of what else is needed. A browser without it has no button for it. */
import { useEffect, useSyncExternalStore } from 'react';

export const hasFullScreen = document.fullscreenEnabled;

/** The browser may refuse, for example in a frame: then nothing changes. */
export function toggleFullScreen(): void {
  const room = document.querySelector('main:not([data-away] *)')?.parentElement;
  const done = document.fullscreenElement === null ? room?.requestFullscreen() : document.exitFullscreen();
  done?.catch(() => undefined);
}

export function useIsFullScreen(): boolean {
  return useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange);
  return () => document.removeEventListener('fullscreenchange', onChange);
}

/** Ends when another screen stands before the room. */
export function useFullScreenEnds(isShown: boolean): void {
  useEffect(() => {
    if (!isShown || !hasFullScreen) return undefined;
    return () => {
      if (document.fullscreenElement !== null) toggleFullScreen();
    };
  }, [isShown]);
}
