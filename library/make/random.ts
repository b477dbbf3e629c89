/**
 * Seeded random numbers (mulberry32), so that every run of the generator prints the same library.
 * Math.random must not be used anywhere in library/make.
 */

/** The next number, uniform in [0, 1). */
export type Random = () => number;

/** A generator that repeats itself for the same seed (any 32-bit integer). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Uniform in [-1, 1): the raw material of every noise. */
export function noise(random: Random): number {
  return random() * 2 - 1;
}
