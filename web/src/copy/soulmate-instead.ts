import type { Instead } from './errors.ts';

/** When asking or accepting: the other person has a soulmate meanwhile, or their account was deleted. */
export const soulmateInstead: Instead = {
  'soulmate/taken': 'They already have a soulmate.',
  'soulmate/self-taken': 'You already have a soulmate.',
  'access/not-found': 'This request is no longer open.',
};
