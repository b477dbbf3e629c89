/** Where the list and a chat stand beside each other, and how. Style sheets have no place for it: both screens are loaded late. */
import { mediaQuery } from '../store/media-query.ts';

export const hasSpaceForTwo = mediaQuery('(width >= 75em)');

export const paneStyle = {
  position: 'sticky',
  top: 0,
  height: 'calc(100dvh - var(--bar-below, 0px))',
  padding: '16px',
  overflow: 'auto',
  background: 'var(--sheet)',
  '--title': '1.75rem',
} as const;

export const twoStyle = { display: 'grid', gridTemplateColumns: '372px minmax(0, 1fr)' } as const;
