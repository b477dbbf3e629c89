/** Full screen, picture in picture, and keeping the screen on. */
import { useEffect, useSyncExternalStore } from 'react';
import { cell } from '../../store/cell.ts';
import { mediaQuery } from '../../store/media-query.ts';
import { useReadable } from '../../store/use-readable.ts';
import type { PagePlayer } from '../players/page-player.ts';
import { t } from '../../language/t.ts';

export const hasFullScreen = document.fullscreenEnabled;

/** A phone on its side. Where text is made larger, the page scrolls as a whole instead. */
export const onItsSide = mediaQuery('(width >= 40em) and (height <= 27em)');

/** On its side, after the user has pressed the key that leaves the picture; until the phone is turned back. */
const isSmallOnSide = cell(false);

/** No effect where the browser refuses, for example in a frame. */
export function toggleFullScreen(): void {
  const room = document.querySelector<HTMLElement>('main:not([data-away] *)')?.parentElement;
  const isFull = room?.dataset['full'] !== undefined;
  isSmallOnSide.set(isFull && onItsSide.get());
  const isAsked = document.fullscreenElement !== null;
  const done = isAsked ? document.exitFullscreen() : !isFull && hasFullScreen && room?.requestFullscreen();
  if (done) done.catch(() => undefined);
}

/** `hasPicture`: a film is shown, which fills the window of a phone on its side without a key. */
export function useIsFullScreen(hasPicture: boolean): boolean {
  const isAsked = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  const isOnSide = useReadable(onItsSide);
  const isSmall = useReadable(isSmallOnSide);
  useEffect(() => {
    if (!isOnSide) isSmallOnSide.set(false);
  }, [isOnSide]);
  // The next room fills the window again.
  useEffect(() => () => isSmallOnSide.set(false), []);
  return isAsked || (hasPicture && isOnSide && !isSmall);
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange);
  return () => document.removeEventListener('fullscreenchange', onChange);
}

/** Ends when another screen covers the room. */
export function useFullScreenEnds(isShown: boolean): void {
  useEffect(() => {
    if (!isShown || !hasFullScreen) return undefined;
    return () => {
      if (document.fullscreenElement !== null) toggleFullScreen();
    };
  }, [isShown]);
}

export const pictureWindowLabel = t`Picture in picture`;

/** Moves the picture of a film into its own window, or back. No effect where the browser refuses. */
export async function togglePictureWindow({ element }: PagePlayer): Promise<void> {
  const video = element.querySelector<HTMLVideoElement>('video:not([hidden])');
  try {
    if (document.pictureInPictureElement !== null) await document.exitPictureInPicture();
    else await video?.requestPictureInPicture();
  } catch {
    // Nothing has changed.
  }
}

/** Keeps the screen on while `isWanted` and the page is visible, unless the browser refuses. */
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
