/** Moves the focus to a new screen, as a browser does by itself when a page is loaded. */
import { useEffect } from 'react';
import { focusHeading } from '../ui/lost-focus.ts';

/** The path of the last screen; null before the first, whose focus the browser sets. */
let lastPath: string | null = null;

/**
 * Place it after the screen, inside its Suspense: it runs when the screen is mounted. The heading gets the focus, so
 * that screen readers announce the screen.
 */
export function RouteFocus({ path }: { path: string }) {
  useEffect(() => {
    const isFirst = lastPath === null || lastPath === path;
    lastPath = path;
    if (isFirst) return;
    window.scrollTo(0, 0);
    if (document.querySelector('dialog[open]') !== null) return;
    focusHeading();
  }, [path]);
  return null;
}
