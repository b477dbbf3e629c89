/**
 * Randomness that a seed decides, for code that takes its ids and dice as ports.
 * The same seed gives the same run on every machine. Never for secrets.
 */
import type { Ids } from '../../server/src/system/ports.ts';

/** Numbers from 0 up to but not 1, decided by `seed` (the mulberry32 generator, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base64Url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The server's port for ids, with values of the real forms and lengths. */
export function seededIds(seed = 1): Ids {
  const random = seededRandom(seed);
  const word = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
  return {
    newId: () => word(base62, 22),
    newToken: () => word(base64Url, 43),
    newRoomCode: () => word('0123456789ABCDEF', 6),
  };
}
