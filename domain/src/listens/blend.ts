/**
 * A queue of two tastes: what both heard, and what one of them did, evenly, with the reason at each track. No artist is
 * there twice within eight tracks. Pure.
 */

/** What one person heard of a track. */
export interface Taste {
  readonly trackId: string;
  /** Null where it is unknown: then the track is its own. */
  readonly artist: string | null;
  readonly times: number;
  readonly lastAtMs: number;
}

export interface Blended {
  readonly trackId: string;
  readonly of: 'both' | 'mine' | 'theirs';
}

const mostBlended = 20;
/** So many tracks in a row are of different artists. */
const apart = 8;
/** The least and the most of it that is one person's; a track of both is half of each. */
const leastShare = 0.4;

interface Candidate extends Blended {
  readonly artist: string;
  readonly weight: number;
}

/** The most heard come first, with chance. Empty where one of the two has too little. */
export function blend(mine: readonly Taste[], theirs: readonly Taste[], random: () => number): Blended[] {
  const left = candidates(mine, theirs, random);
  const queue: Candidate[] = [];
  while (queue.length < mostBlended) {
    const next = nextOf(left, queue);
    if (next === null) break;
    left.splice(left.indexOf(next), 1);
    queue.push(next);
  }
  while (queue.length > 0 && !isEven(queue)) queue.pop();
  return queue.map(({ trackId, of }) => ({ trackId, of }));
}

function candidates(mine: readonly Taste[], theirs: readonly Taste[], random: () => number): Candidate[] {
  const others = new Map(theirs.map((taste) => [taste.trackId, taste]));
  const own = new Set(mine.map(({ trackId }) => trackId));
  const all = [
    ...mine.map((taste) => {
      const shared = others.get(taste.trackId);
      return { taste, times: taste.times + (shared?.times ?? 0), of: shared ? ('both' as const) : ('mine' as const) };
    }),
    ...theirs.flatMap((taste) =>
      own.has(taste.trackId) ? [] : [{ taste, times: taste.times, of: 'theirs' as const }],
    ),
  ];
  return all
    .map(({ taste: { trackId, artist }, times, of }) => ({
      ...{ trackId, of, artist: artist?.toLowerCase() ?? trackId },
      weight: random() ** (1 / (1 + times)),
    }))
    .toSorted((a, b) => b.weight - a.weight || (a.trackId < b.trackId ? -1 : 1));
}

/** The first that fits: of the person whose share is behind, else of both. */
function nextOf(left: readonly Candidate[], queue: readonly Candidate[]): Candidate | null {
  const recent = new Set(queue.slice(1 - apart).map(({ artist }) => artist));
  const fits = left.filter(({ artist }) => !recent.has(artist));
  const ahead = leadOf(queue);
  const wanted = queue.length % 3 === 0 ? ['both'] : ahead > 0 ? ['theirs'] : ahead < 0 ? ['mine'] : ['mine', 'theirs'];
  return (
    fits.find(({ of }) => wanted.includes(of)) ??
    fits.find(({ of }) => of === 'both' || (ahead > 0 ? of === 'theirs' : ahead < 0 ? of === 'mine' : true)) ??
    null
  );
}

const leadOf = (queue: readonly Blended[]): number =>
  queue.reduce((lead, { of }) => lead + (of === 'mine' ? 1 : of === 'theirs' ? -1 : 0), 0);

/** My share of it: a track of both is half of it. */
export const shareOf = (queue: readonly Blended[]): number => 0.5 + leadOf(queue) / (2 * queue.length);

const isEven = (queue: readonly Blended[]): boolean => shareOf(queue) >= leastShare && shareOf(queue) <= 1 - leastShare;
