/** Blends of generated pairs of people: the share of each, artists that come again too soon, and reasons that are not true. */
import { seededRandom } from '@tunemate/testkit/seeded-ids';
import { blend, shareOf, type Taste } from '@tunemate/domain';

const apart = 8;

export interface Blends {
  pairs: number;
  /** Of these pairs; the others share too little. */
  blends: number;
  tracks: number;
  leastShare: number;
  mostShare: number;
  artistsTooSoon: number;
  falseReasons: number;
}

/** People with 5 to 300 tracks of 3 to 80 artists, of a common stock. */
export function measureBlends(pairs: number): Blends {
  const random = seededRandom(54);
  const below = (count: number): number => Math.floor(random() * count);
  const found: Blends = {
    pairs,
    blends: 0,
    tracks: 0,
    leastShare: 1,
    mostShare: 0,
    artistsTooSoon: 0,
    falseReasons: 0,
  };
  for (let pair = 0; pair < pairs; pair += 1) {
    const [artists, stock] = [3 + below(78), 20 + below(600)];
    const artistOf = new Map<string, string>();
    const tasteOf = (): Taste[] => {
      const ids = new Set(Array.from({ length: 5 + below(296) }, () => `lib_${String(below(stock))}`));
      return [...ids].map((trackId) => {
        const artist = artistOf.get(trackId) ?? `Artist ${String(below(artists))}`;
        artistOf.set(trackId, artist);
        return { trackId, artist, times: 1 + below(20), lastAtMs: below(1_000_000) };
      });
    };
    const [mine, theirs] = [tasteOf(), tasteOf()];
    const has = (taste: readonly Taste[], id: string) => taste.some(({ trackId }) => trackId === id);
    const queue = blend(mine, theirs, random);
    if (queue.length === 0) continue;
    found.blends += 1;
    found.tracks += queue.length;
    found.leastShare = Math.min(found.leastShare, shareOf(queue));
    found.mostShare = Math.max(found.mostShare, shareOf(queue));
    for (const [at, { trackId, of }] of queue.entries()) {
      const before = queue.slice(Math.max(0, at - apart + 1), at).map((one) => artistOf.get(one.trackId));
      if (before.includes(artistOf.get(trackId))) found.artistsTooSoon += 1;
      if (has(mine, trackId) !== (of !== 'theirs') || has(theirs, trackId) !== (of !== 'mine')) found.falseReasons += 1;
    }
  }
  return found;
}
