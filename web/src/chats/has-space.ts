import { mediaQuery } from '../store/media-query.ts';

/** The list and a chat stand beside each other. */
export const hasSpaceForTwo = mediaQuery('(width >= 75em)');
