/** In which kinds of room the user met a tunemate, in words. */
import type { Tunemate } from '@tunemate/protocol';
import { tunemateCopy } from './tunemate-words.ts';

export function placeOf(metIn: Tunemate['metIn']): string {
  const [first] = metIn;
  return metIn.length > 1 || first === undefined ? tunemateCopy.metIn.both : tunemateCopy.metIn[first];
}
