/** The breakpoints, for the few places where CSS alone cannot move things. */
import { mediaQuery } from '../../store/media-query.ts';
import { useReadable } from '../../store/use-readable.ts';

/** To 768 px, to 1099, to 1599, and beyond. */
export type WindowWidth = 'phone' | 'slim' | 'wide' | 'broad';

const from769 = mediaQuery('(width > 48em)');
const from1100 = mediaQuery('(width >= 68.75em)');
const from1600 = mediaQuery('(width >= 100em)');

export function useWindowWidth(): WindowWidth {
  const [isSlim, isWide, isBroad] = [useReadable(from769), useReadable(from1100), useReadable(from1600)];
  if (isBroad) return 'broad';
  if (isWide) return 'wide';
  return isSlim ? 'slim' : 'phone';
}

const upright = mediaQuery('(48em < width < 68.75em) and (orientation: portrait)');

/** A tablet that is held upright: a room has two columns below its picture. */
export function useUprightTablet(): boolean {
  return useReadable(upright);
}

/** True from 769 px up. */
export function useWideScreen(): boolean {
  return useReadable(from769);
}
