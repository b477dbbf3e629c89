/**
 * Which tracks of the library go on from what a room plays: a score that is a sum of named parts, and the rules that
 * every choice follows. Pure: the same facts give the same order, so what a list shows is what will play.
 */
import type { SuggestedBecause } from '@tunemate/protocol';

/** What is known of a track of the library. */
export interface KnownTrack {
  readonly id: string;
  readonly title: string;
  readonly artists: readonly string[];
  readonly genres: readonly string[];
  readonly year: number | null;
  /** As recorded, in LUFS. */
  readonly lufs: number | null;
  /** In beats a minute; null where there is no steady beat, and while it is not measured. */
  readonly tempo: number | null;
}

/** A track that the room has played, or that will play before the first suggestion. */
export interface PlayedBefore {
  readonly track: KnownTrack;
  /** Server time in ms. */
  readonly atMs: number;
  /** Left before a good part of it was heard. */
  readonly isSkipped: boolean;
  /** Chosen by the rules of this file and not by a person: what people choose says where the music goes. */
  readonly isByHouse: boolean;
}

/** What the house knows of tracks. Each list may lack what is not known. */
export interface HouseFacts {
  /** How often a track was played after another here: by the id of the earlier one, then by that of the later. */
  readonly after: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** How often the people in the room have heard a track together, and when last. */
  readonly together: ReadonlyMap<string, { readonly times: number; readonly skipped: number; readonly lastMs: number }>;
  /** Who in the room wants it. */
  readonly votes: ReadonlyMap<string, { readonly name: string; readonly count: number }>;
  /** Of the music server, the most similar first. */
  readonly similar: readonly string[];
  readonly favourites: ReadonlySet<string>;
}

export interface SuggestingContext extends HouseFacts {
  /** The last one last; it ends with what plays. */
  readonly played: readonly PlayedBefore[];
  readonly nowMs: number;
  /** Of the room; decides between equals. */
  readonly seed: number;
  /** How many tracks the room has played: one choice in ten is a surprise. */
  readonly step: number;
  /** Parts of the score that don't count, to learn what each adds. */
  readonly without?: ReadonlySet<ScorePart>;
}

export type ScorePart = SuggestedBecause['because'] | 'skipped';

export interface Suggestion {
  readonly id: string;
  readonly because: SuggestedBecause;
}

/** A track that another takes the place of sooner was skipped; a shorter one before half of it was heard. */
const heardAfterMs = 45_000;

/** Whether a track was left before a good part of it was heard; never while nothing has followed it. */
export function isLeftEarly(atMs: number, nextAtMs: number | null, durationSeconds: number | null): boolean {
  if (nextAtMs === null) return false;
  const half = durationSeconds === null ? heardAfterMs : durationSeconds * 500;
  return nextAtMs - atMs < Math.min(heardAfterMs, half);
}

/** An artist plays once in so many tracks. */
export const artistOnceIn = 8;
export const restMs = 2 * 60 * 60 * 1000;
const monthMs = 30 * 24 * 60 * 60 * 1000;
const surpriseEvery = 10;
/** From one track to the next. */
const [mostTempoJump, mostLoudnessJump] = [0.25, 6];
/** So many of what people chose last say where the music goes, each less than the one after it. */
const anchorWeights = [1, 0.6, 0.4, 0.3, 0.2];
/** What came after the last one says more of what comes next than what came after those before it. */
const afterWeights = [1, 0.25, 0.1];
/** So often is half of often. */
const afterHalf = 3;
/** Every suggestion behind these is for a person to choose: the rules of what plays by itself do not hold for it. */
export const plannedAhead = 3;
/** At most so many times counts what happened often: one person can't make a track first by repeating it. */
const weightOf = {
  voted: 20,
  after: 8,
  similar: 2.5,
  artist: 1.2,
  together: 4,
  favourite: 0.6,
  genre: 1,
  years: 0.5,
  tempo: 0.45,
  calm: 0.5,
  rested: 0.35,
  library: 0.3,
} as const satisfies Partial<Record<ScorePart, number>>;
/** Of a track that was skipped, of another by its artist, and of another of its genre. */
const skippedWeights = { track: 3, artist: 1.5, genre: 0.4 };

/** Approaches 1 as `times` grows, and is a half at `half`. */
const saturating = (times: number, half: number): number => times / (times + half);

/** What a house plays every week counts more than what it played ten times; beyond 50 times nothing more. */
const growing = (times: number): number => Math.min(1, Math.log1p(times) / Math.log1p(50));

/** Which of these tracks come next, best first: the first three are what will play, in this order. */
export function suggestNext(candidates: readonly KnownTrack[], context: SuggestingContext, most: number): Suggestion[] {
  const current = context.played.at(-1)?.track.id;
  const scores = scored([...new Map(candidates.map((track) => [track.id, track])).values()], context);
  let left = scores.filter(({ track }) => track.id !== current);
  const chosen: Suggestion[] = [];
  let played = context.played;
  while (chosen.length < most && left.length > 0) {
    const isPlanned = chosen.length < plannedAhead;
    const isSurprise = isPlanned && (context.step + chosen.length) % surpriseEvery === surpriseEvery - 1;
    const next = bestOf(left, { ...context, played }, isPlanned, isSurprise);
    chosen.push({ id: next.track.id, because: next.isSurprise ? { because: 'surprise' } : next.because });
    left = left.filter((each) => each !== next.scored);
    const { track } = next;
    if (isPlanned) played = [...played, { track, atMs: context.nowMs, isSkipped: false, isByHouse: true }];
  }
  return chosen;
}

interface Scored {
  readonly track: KnownTrack;
  readonly score: number;
  readonly because: SuggestedBecause;
}

/** Of those that break the fewest rules the one with the highest score; of those that all rest, the one heard longest ago. */
function bestOf(left: readonly Scored[], context: SuggestingContext, isPlanned: boolean, isSurprise: boolean) {
  const broken = rulesBroken(context);
  const isNew = ({ track }: Scored) => !context.together.has(track.id) && !context.votes.has(track.id);
  const least = { rank: Number.POSITIVE_INFINITY, score: Number.NEGATIVE_INFINITY };
  let best: { scored: Scored; isSurprise: boolean } | null = null;
  for (const each of left) {
    const { rules, heardMs } = broken(each.track);
    const isHeardBefore = isSurprise && !isNew(each);
    const rank = (isPlanned ? rules : rules >= ruleRanks.rests ? ruleRanks.rests : 0) * 2 + (isHeardBefore ? 1 : 0);
    const score = rules >= ruleRanks.rests ? -heardMs : each.score;
    if (rank > least.rank || (rank === least.rank && score <= least.score)) continue;
    [least.rank, least.score] = [rank, score];
    best = { scored: each, isSurprise: isSurprise && !isHeardBefore && rules < ruleRanks.rests };
  }
  if (best === null) throw new Error('one of some tracks is best');
  const { track, because } = best.scored;
  return { ...best, track, because };
}

/** The rules in their order: one that is less important is broken before one that is more. */
const ruleRanks = { jumps: 1, repeatsArtist: 2, rests: 4 } as const;

/** 0 of a track that may play now; else what breaks, as a sum of `ruleRanks`. `heardMs` is when it was played last. */
export function rulesBroken({ played, nowMs }: Pick<SuggestingContext, 'played' | 'nowMs'>) {
  const heard = new Map(played.map(({ track, atMs }) => [track.id, atMs]));
  const artists = new Set(played.slice(1 - artistOnceIn).flatMap(({ track }) => track.artists));
  const before = played.at(-1)?.track;
  return (track: KnownTrack): { rules: number; heardMs: number } => {
    const heardMs = heard.get(track.id) ?? Number.NEGATIVE_INFINITY;
    const rests = nowMs - heardMs < restMs ? ruleRanks.rests : 0;
    const repeats = track.artists.some((artist) => artists.has(artist)) ? ruleRanks.repeatsArtist : 0;
    const jumps = before !== undefined && jumpsFrom(before, track) ? ruleRanks.jumps : 0;
    return { rules: rests + repeats + jumps, heardMs };
  };
}

function jumpsFrom(before: KnownTrack, track: KnownTrack): boolean {
  const isLouder = before.lufs !== null && track.lufs !== null && Math.abs(before.lufs - track.lufs) > mostLoudnessJump;
  return isLouder || tempoApart(before, track) > mostTempoJump;
}

/** As a part of the slower tempo; 0 where one is not known. Half and double go together, and are hard to tell apart. */
function tempoApart({ tempo: one }: KnownTrack, { tempo: other }: KnownTrack): number {
  if (one === null || other === null) return 0;
  const ratio = 2 ** (Math.abs(Math.log2(one / other)) % 1);
  return Math.min(ratio, 2 / ratio) - 1;
}

type Part = readonly [value: number, because: SuggestedBecause];

function scored(candidates: readonly KnownTrack[], context: SuggestingContext): Scored[] {
  const partsOf = partsIn(context);
  const counts = ({ because }: SuggestedBecause) => context.without?.has(because) !== true;
  const penaltyOf = context.without?.has('skipped') === true ? () => 0 : skipsIn(context);
  return candidates.map((track) => {
    let [score, largest]: [number, Part] = [0, [0, { because: 'library' }]];
    for (const part of partsOf(track)) {
      if (!counts(part[1])) continue;
      score += part[0];
      if (part[0] > largest[0]) largest = part;
    }
    return { track, score: score - penaltyOf(track), because: largest[1] };
  });
}

/** What people chose last, what plays last; without any, what plays. */
function anchorsOf({ played }: SuggestingContext): readonly (readonly [KnownTrack, number])[] {
  const chosen = played.filter(({ isByHouse, isSkipped }) => !isByHouse && !isSkipped);
  const last = (chosen.length > 0 ? chosen : played.slice(-1)).slice(-anchorWeights.length).toReversed();
  return last.map(({ track }, at) => [track, anchorWeights[at] ?? 0]);
}

/** Every part of the score of a track. */
function partsIn(context: SuggestingContext): (track: KnownTrack) => Part[] {
  const anchors = anchorsOf(context);
  const current = anchors[0]?.[0];
  const similarAt = new Map(context.similar.map((id, at) => [id, 1 - at / context.similar.length]));
  return (track) => {
    const { id } = track;
    const together = context.together.get(id);
    const votes = context.votes.get(id);
    const parts: Part[] = [afterPart(track, anchors, context)];
    if (votes) parts.push([weightOf.voted * saturating(votes.count, 0.5), { because: 'voted', name: votes.name }]);
    parts.push([weightOf.similar * (similarAt.get(id) ?? 0), { because: 'similar' }]);
    const shared = anchors.find(([anchor]) => anchor.artists.some((artist) => track.artists.includes(artist)));
    if (shared) parts.push([weightOf.artist * shared[1], { because: 'artist', year: track.year }]);
    if (together) {
      parts.push([weightOf.together * growing(together.times), { because: 'together' }]);
      if (context.nowMs - together.lastMs > monthMs) parts.push([weightOf.rested, { because: 'rested' }]);
    }
    if (context.favourites.has(id)) parts.push([weightOf.favourite, { because: 'favourite' }]);
    parts.push([weightOf.genre * genresShared(track, anchors), { because: 'genre' }]);
    if (current) parts.push(...soundParts(track, current));
    parts.push([weightOf.library * fraction(context.seed, id), { because: 'library' }]);
    return parts;
  };
}

function afterPart({ id }: KnownTrack, anchors: ReturnType<typeof anchorsOf>, { after }: SuggestingContext): Part {
  let [sum, most, title] = [0, 0, ''];
  for (const [place, [anchor]] of anchors.entries()) {
    const value = (afterWeights[place] ?? 0) * saturating(after.get(anchor.id)?.get(id) ?? 0, afterHalf);
    sum += value;
    if (value > most) [most, title] = [value, anchor.title];
  }
  return [weightOf.after * Math.min(1, sum), { because: 'after', title }];
}

/** Of the genres of a track and of what people chose last, how many are common to both; 1 where all are. */
function genresShared({ genres }: KnownTrack, anchors: ReturnType<typeof anchorsOf>): number {
  if (genres.length === 0) return 0;
  let [sum, weights] = [0, 0];
  for (const [anchor, weight] of anchors) {
    const common = anchor.genres.filter((genre) => genres.includes(genre)).length;
    sum += (weight * common) / Math.max(1, new Set([...genres, ...anchor.genres]).size);
    weights += weight;
  }
  return weights === 0 ? 0 : sum / weights;
}

/** Below these a track is calm. */
const [calmLufs, calmTempo] = [-16, 96];
const isCalm = ({ lufs, tempo }: KnownTrack): boolean =>
  lufs !== null && lufs <= calmLufs && (tempo === null || tempo <= calmTempo);

function soundParts(track: KnownTrack, current: KnownTrack): Part[] {
  const parts: Part[] = [];
  if (track.year !== null && current.year !== null) {
    parts.push([weightOf.years * Math.max(0, 1 - Math.abs(track.year - current.year) / 10), { because: 'years' }]);
  }
  if (track.tempo !== null && current.tempo !== null) {
    const near = Math.max(0, 1 - tempoApart(track, current) / mostTempoJump);
    parts.push([weightOf.tempo * near, { because: 'tempo' }]);
  }
  if (isCalm(track) && isCalm(current)) parts.push([weightOf.calm, { because: 'calm' }]);
  return parts;
}

/** What a score loses by what was skipped: in this room, and by the people in it before. */
function skipsIn({ played, together }: SuggestingContext): (track: KnownTrack) => number {
  const skipped = played.filter(({ isSkipped }) => isSkipped).map(({ track }) => track);
  const ids = new Set(skipped.map(({ id }) => id));
  const artists = new Set(skipped.flatMap((track) => track.artists));
  const genres = new Set(skipped.flatMap((track) => track.genres));
  return (track) => {
    const before = together.get(track.id);
    const often = before === undefined ? 0 : saturating(before.skipped, 1);
    const ofTrack = ids.has(track.id) ? 1 : often;
    const ofArtist = track.artists.some((artist) => artists.has(artist)) ? skippedWeights.artist : 0;
    const ofGenre = track.genres.some((genre) => genres.has(genre)) ? skippedWeights.genre : 0;
    return skippedWeights.track * ofTrack + ofArtist + ofGenre;
  };
}

/** 32 bits of FNV-1a, mixed so that names that differ by a letter lie apart. */
export function seedOf(text: string, seed = 0x81_1c_9d_c5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const fraction = (seed: number, id: string): number => seedOf(id, seed) / 2 ** 32;

/**
 * All whole numbers below `count`, each once, in an order that only `seed` decides: a shuffle of a library of any size
 * that keeps nothing in memory.
 */
export function* fairWalk(count: number, seed: number): Generator<number, void> {
  if (count <= 0) return;
  let step = 1 + (seedOf('step', seed) % count);
  while (commonDivisor(step, count) !== 1) step += 1;
  let at = seedOf('from', seed) % count;
  for (let left = count; left > 0; left -= 1) {
    yield at;
    at = (at + step) % count;
  }
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
