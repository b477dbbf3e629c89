/** Sets one ink for the page and the phone's status bar. */
import { useLayoutEffect } from 'react';
import { bandHex, type BandInk } from '../inks.ts';

/** Applied before the first paint. The next page sets its own; nothing is undone. */
export function useBand(ink: BandInk): void {
  useLayoutEffect(() => {
    document.documentElement.dataset['band'] = ink;
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', bandHex[ink]);
  }, [ink]);
}
