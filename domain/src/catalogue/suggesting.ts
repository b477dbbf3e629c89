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

export type ScorePart = SuggestedBecause['because'] | 'skipped' | 'again';

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
/** Of a track that the room has just played; nothing once so much time has passed. */
const [againWeight, againMs] = [4, 12 * 60 * 60 * 1000];
/** Of a track that the room has heard after the same one: one order of an evening is not played twice. */
const sameOrderWeight = 4;
/** After so many tracks a track has another place in the shuffle; each changes its place at another time. */
const shuffledAfter = 64;
/** Of tracks that all rest, such a share of them may come before one that was heard longer ago. */
const mostEarlier = 0.5;

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
  let { played, step } = context;
  while (chosen.length < Math.min(most, plannedAhead) && left.length > 0) {
    const { track, because } = nextToPlay(left, { ...context, played, step });
    chosen.push({ id: track.id, because });
    left = left.filter((each) => each.track !== track);
    played = [...played, { track, atMs: context.nowMs, isSkipped: false, isByHouse: true }];
    step += 1;
  }
  if (chosen.length === most) return chosen;
  const behind = placed(left, { ...context, played, step }).map((each) => ({ ...each, isResting: rests(each.rules) }));
  behind.sort((a, b) => Number(a.isResting) - Number(b.isResting) || b.value - a.value);
  return [...chosen, ...behind.slice(0, most - chosen.length).map(({ track, because }) => ({ id: track.id, because }))];
}

interface Scored {
  readonly track: KnownTrack;
  /** Without its place in the shuffle. */
  readonly score: number;
  readonly largest: Part;
}

interface Placed extends Suggestion {
  readonly track: KnownTrack;
  /** What breaks when it plays now. */
  readonly rules: number;
  /** Of those that break the same, the one with the highest value comes next. */
  readonly value: number;
}

const rests = (rules: number): boolean => rules >= ruleRanks.rests;

/** What each of them is worth as the next one; of those that rest, the one that was heard long ago is worth most. */
function placed(left: readonly Scored[], context: SuggestingContext): Placed[] {
  const { played, seed, step, without } = context;
  const rulesOf = rulesBroken(context);
  const broken = left.map(({ track }) => rulesOf(track));
  const turnOf = turnsOf(left, broken, context);
  const followers = without?.has('again') === true ? new Set<string>() : followersIn(played);
  const shuffle = without?.has('library') === true ? 0 : weightOf.library;
  return left.map(({ track, score, largest: [largest, because] }, at) => {
    const { id } = track;
    const { rules } = broken[at] as (typeof broken)[number];
    const isSameOrder = followers.has(id);
    if (rests(rules)) {
      return { id, track, rules, because, value: -turnOf(id) - (isSameOrder ? played.length : 0) };
    }
    const place = shuffle === 0 ? 0 : shuffle * placeAt(seed, id, step);
    const value = score + place - (isSameOrder ? sameOrderWeight : 0);
    return { id, track, rules, value, because: place > largest ? { because: 'library' } : because };
  });
}

/** Of those that break the fewest rules the one that is worth most; a surprise is one that the people here don't know. */
function nextToPlay(left: readonly Scored[], context: SuggestingContext): Pick<Placed, 'track' | 'because'> {
  const isSurprise = context.step % surpriseEvery === surpriseEvery - 1;
  const heard = new Set(context.played.map(({ track }) => track.id));
  const isNew = (id: string) => !context.together.has(id) && !context.votes.has(id) && !heard.has(id);
  let best: Placed | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const each of placed(left, context)) {
    const rank = each.rules * 2 + (isSurprise && !isNew(each.id) ? 1 : 0);
    if (best !== null && (rank > least || (rank === least && each.value <= best.value))) continue;
    [best, least] = [each, rank];
  }
  if (best === null) throw new Error('one of some tracks is best');
  const isIt = isSurprise && isNew(best.id) && !rests(best.rules);
  return { track: best.track, because: isIt ? { because: 'surprise' } : best.because };
}

/** What the room has heard right after the track that it heard last. */
function followersIn(played: readonly PlayedBefore[]): ReadonlySet<string> {
  const last = played.at(-1)?.track.id;
  return new Set(played.flatMap(({ track }, at) => (at > 0 && played[at - 1]?.track.id === last ? [track.id] : [])));
}

/** When each of those that rest comes again: as long ago as it was heard, and in another order each time. */
function turnsOf(
  all: readonly Scored[],
  broken: readonly { rules: number; heardMs: number }[],
  { played, seed }: SuggestingContext,
): (id: string) => number {
  const heard = new Set(played.map(({ track }) => track.id)).size;
  const resting = all.flatMap(({ track: { id } }, at) => {
    const { rules, heardMs } = broken[at] as (typeof broken)[number];
    return rests(rules) ? [{ id, heardMs }] : [];
  });
  resting.sort((a, b) => a.heardMs - b.heardMs);
  const turns = new Map(
    resting.map(({ id, heardMs }, at) => [id, at + mostEarlier * heard * fraction(seedOf(String(heardMs), seed), id)]),
  );
  return (id) => turns.get(id) ?? 0;
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
  const nothing = () => 0;
  const skippedOf = context.without?.has('skipped') === true ? nothing : skipsIn(context);
  const againOf = context.without?.has('again') === true ? nothing : againIn(context);
  return candidates.map((track) => {
    let [score, largest]: [number, Part] = [0, [0, { because: 'library' }]];
    for (const part of partsOf(track)) {
      if (!counts(part[1])) continue;
      score += part[0];
      if (part[0] > largest[0]) largest = part;
    }
    return { track, score: score - skippedOf(track) - againOf(track), largest };
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

/** What a score loses because the room has played the track: the less the longer ago. */
function againIn({ played, nowMs }: SuggestingContext): (track: KnownTrack) => number {
  const heard = new Map(played.map(({ track, atMs }) => [track.id, atMs]));
  return ({ id }) => {
    const heardMs = heard.get(id);
    return heardMs === undefined ? 0 : againWeight * Math.max(0, 1 - Math.max(0, nowMs - heardMs) / againMs);
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

/** From 0 to 1, another one after some tracks: without it the best tracks of an evening come again in their order. */
function placeAt(seed: number, id: string, step: number): number {
  const times = Math.floor((step + (seedOf(id, seed) % shuffledAfter)) / shuffledAfter);
  return fraction(seed + Math.imul(times, 0x9e_37_79_b1), id);
}

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
