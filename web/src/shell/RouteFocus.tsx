/** What a browser does by itself when a page is loaded, done for a screen that came without a load. */
import { useEffect } from 'react';

/** The path of the screen that came last; null before the first, which keeps the browser's own start. */
let lastPath: string | null = null;

/**
 * Stand it after the screen, inside its Suspense: it acts when the screen has come. Focus goes to the heading, so that
 * screen readers say where one is.
 */
export function RouteFocus({ path }: { path: string }) {
  useEffect(() => {
    const isFirst = lastPath === null || lastPath === path;
    lastPath = path;
    if (isFirst) return;
    window.scrollTo(0, 0);
    if (document.querySelector('dialog[open]') !== null) return;
    const target = document.querySelector<HTMLElement>('h1') ?? document.querySelector('main');
    if (target === null) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [path]);
  return null;
}
