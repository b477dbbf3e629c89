import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blend, shareOf, type Taste } from './blend.ts';

const taste = fc.record({
  trackId: fc.integer({ min: 0, max: 120 }).map((n) => `lib_${String(n)}`),
  times: fc.integer({ min: 1, max: 20 }),
  lastAtMs: fc.integer({ min: 0, max: 1_000_000 }),
});
/** A track has one artist, whoever heard it. */
const artistOf = (trackId: string): string | null => {
  const n = Number(trackId.slice(4));
  return n % 11 === 0 ? null : `Artist ${String(n % 30)}`;
};
const tastes = fc
  .uniqueArray(taste, { selector: ({ trackId }) => trackId, maxLength: 60 })
  .map((all): Taste[] => all.map((one) => ({ ...one, artist: artistOf(one.trackId) })));
/** Numbers that look like chance. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

test('each person has 40 to 60 % of a blend, no artist is there twice within eight, and each reason is true', () => {
  fc.assert(
    fc.property(tastes, tastes, fc.integer({ min: 1, max: 1_000_000 }), (mine, theirs, seed) => {
      const queue = blend(mine, theirs, chance(seed));
      const [me, them] = [mine, theirs].map((all) => new Set(all.map(({ trackId }) => trackId)));
      if (queue.length > 0) {
        expect(shareOf(queue)).toBeGreaterThanOrEqual(0.4);
        expect(shareOf(queue)).toBeLessThanOrEqual(0.6);
      }
      expect(new Set(queue.map(({ trackId }) => trackId)).size).toBe(queue.length);
      for (const [index, { trackId, of }] of queue.entries()) {
        expect([me?.has(trackId), them?.has(trackId)]).toEqual([of !== 'theirs', of !== 'mine']);
        const before = queue.slice(Math.max(0, index - 7), index).map((one) => artistOf(one.trackId));
        const artist = artistOf(trackId);
        if (artist !== null) expect(before).not.toContain(artist);
      }
    }),
    { numRuns: 1000 },
  );
});

test('two people with a handful of artists each have a blend of twenty', () => {
  const of = (start: number): Taste[] =>
    Array.from({ length: 20 }, (_, n) => {
      const trackId = `lib_${String(start + n)}`;
      return { trackId, artist: `Artist ${String(start + n)}`, times: 1, lastAtMs: n };
    });
  expect(blend(of(0), of(40), chance(7))).toHaveLength(20);
  expect(blend(of(0), of(10), chance(7)).filter(({ of: whose }) => whose === 'both').length).toBeGreaterThan(5);
  expect(blend(of(0), [], chance(7))).toEqual([]);
});
