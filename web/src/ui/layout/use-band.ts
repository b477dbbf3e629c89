/** Puts one ink on the page and on the phone's status bar, so the two join. */
import { useLayoutEffect } from 'react';
import { bandHex, type BandInk } from '../inks.ts';

/** Sets the page's band ink before the first paint. The next page sets its own; nothing is undone. */
export function useBand(ink: BandInk): void {
  useLayoutEffect(() => {
    document.documentElement.dataset['band'] = ink;
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', bandHex[ink]);
  }, [ink]);
}
