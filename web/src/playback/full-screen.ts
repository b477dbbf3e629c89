/** Full screen for the stage of a room: the picture with its deck. A browser without it has no button for it. */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

export const hasFullScreen = document.fullscreenEnabled;

/** The browser may refuse, for example in a frame: then nothing changes. */
export function toggleFullScreen(): void {
  const stage = document.querySelector('main:not([data-away] *)');
  const done = document.fullscreenElement === null ? stage?.requestFullscreen() : document.exitFullscreen();
  done?.catch(() => undefined);
}

export function useIsFullScreen(): boolean {
  return useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange);
  return () => document.removeEventListener('fullscreenchange', onChange);
}

/** The key `f` and a double click on the picture, as in other players; never while somebody types. */
export function useFullScreenShortcuts(isShown: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]') !== null;
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.repeat;
    if (event.key !== 'f' || isTyping || isOther || document.querySelector('dialog[open]') !== null) return;
    toggleFullScreen();
  });
  useEffect(() => {
    if (!isShown || !hasFullScreen) return undefined;
    const shown = new AbortController();
    window.addEventListener('keydown', onKey, { signal: shown.signal });
    return () => {
      shown.abort();
      // Another screen stands before the room now.
      if (document.fullscreenElement !== null) toggleFullScreen();
    };
  }, [isShown]);
}
