import type { Instead } from './errors.ts';

/** When asking or accepting: the one who asked has meanwhile found somebody, or is gone. */
export const soulmateInstead: Instead = {
  'soulmate/taken': 'They already have a soulmate.',
  'soulmate/self-taken': 'You already have a soulmate.',
  'access/not-found': 'This request is no longer open.',
};
