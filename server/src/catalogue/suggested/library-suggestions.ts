/**
 * What the library suggests after a track. All of a large library is not ranked: what the house, the people in the room
 * and the music server know comes first, then tracks that share an artist or a genre, then a fair walk through the whole
 * library until enough follow every rule. Works in pieces, between which other requests are answered.
 */
import { setImmediate } from 'node:timers/promises';
import {
  fairWalk,
  type HouseFacts,
  type KnownTrack,
  type PlayedBefore,
  rulesBroken,
  type ScorePart,
  suggestNext,
  type SuggestingContext,
} from '@tunemate/domain';
import type { CatalogueItem, VideoId } from '@tunemate/protocol';
import type { LibraryItem } from '../library/library-item.ts';
import type { Taste } from '../sources/source.ts';

/** A track that the room has played, as it is stored. */
export interface HeardTrack {
  videoId: VideoId;
  title: string;
  atMs: number;
  isSkipped: boolean;
  isByHouse: boolean;
}

/** What is known of a room and of the people in it. */
export interface RoomFacts extends Pick<HouseFacts, 'after' | 'votes'> {
  /** The last one last. What plays may be missing. */
  played: readonly HeardTrack[];
  /** In the queue, still to come: played after what plays, and before any suggestion. */
  waiting: readonly VideoId[];
  /** What the people in the room have heard together most often. */
  often: readonly VideoId[];
  /** Of these tracks. */
  togetherOf(ids: readonly VideoId[]): Promise<HouseFacts['together']>;
  seed: number;
  step: number;
  nowMs: number;
}

interface SuggestionsDeps {
  list: () => readonly LibraryItem[];
  byId: (id: string) => LibraryItem | null;
  /** What was measured of a track, as far as it is known by now. */
  soundOf: (item: LibraryItem) => Pick<KnownTrack, 'lufs' | 'tempo'>;
  taste: Taste;
  without?: ReadonlySet<ScorePart>;
}

export interface LibrarySuggestion {
  item: LibraryItem;
  because: NonNullable<CatalogueItem['because']>;
}

/** Looked at for one list: of each artist and each genre of what plays, of the whole library, and of what is known. */
const [mostOfArtist, mostOfGenre, mostOfLibrary, mostKnown] = [24, 48, 96, 120];
/** So many anchors give artists and genres. */
const mostAnchors = 3;
/** Items between which other work goes on. */
const itemsAtOnce = 500;

export function librarySuggestions(deps: SuggestionsDeps) {
  const { byId, soundOf, taste } = deps;
  const placesOf = placesKept(deps.list);
  const { known, played } = knownTracks(byId, soundOf);

  /** The first `most` of these kinds, those of one kind before those of the next. */
  return async function suggest(
    kinds: readonly LibraryItem['kind'][],
    playing: VideoId | null,
    facts: RoomFacts,
    most: number,
  ): Promise<LibrarySuggestion[]> {
    const room = { ...facts, played: playedBefore(facts, playing, played) };
    const current = playing === null ? null : byId(playing);
    const similar = current === null ? [] : await taste.similarTo(current);
    const favourites = await taste.favourites();
    const found: LibrarySuggestion[] = [];
    for (const kind of kinds) {
      if (found.length >= most) break;
      const places = await placesOf(kind);
      await setImmediate();
      const items = await candidates(places, { room, facts, playing, similar, favourites });
      const tracks = items.map(known);
      const ids = items.map(({ id }) => id);
      // Statements and the ranking are pieces of their own.
      await setImmediate();
      const context = { ...room, similar, favourites, together: await facts.togetherOf(ids) };
      await setImmediate();
      const chosen = suggestNext(tracks, { ...context, ...(deps.without && { without: deps.without }) }, most);
      for (const { id, because } of chosen) {
        const item = byId(id);
        if (item !== null) found.push({ item, because });
      }
    }
    return found.slice(0, most);
  };

  async function candidates(
    { kind, items, ofArtist, ofGenre }: Places,
    { room, facts, playing, similar, favourites }: Looking,
  ): Promise<LibraryItem[]> {
    const found = new Set<LibraryItem>();
    const comes = new Set<string>([...facts.waiting, playing ?? '']);
    const add = (item: LibraryItem | null | undefined): void => {
      if (item?.kind === kind && !comes.has(item.id)) found.add(item);
    };
    const after = [...facts.after.values()].flatMap((next) => [...next.keys()]);
    for (const ids of [facts.votes.keys(), after, similar, facts.often, first(favourites, mostKnown)]) {
      for (const id of first(ids, mostKnown)) add(byId(id));
    }
    const broken = rulesBroken(room);
    const isFree = (item: LibraryItem) => broken(known(item)).rules === 0;
    const anchors = room.played.filter(({ isByHouse, isSkipped }) => !isByHouse && !isSkipped).slice(-mostAnchors);
    for (const { track } of anchors.length > 0 ? anchors : room.played.slice(-1)) {
      for (const artist of track.artists) sample(items, ofArtist.get(artist), mostOfArtist, room.seed).forEach(add);
      for (const genre of track.genres.slice(0, mostAnchors)) {
        sample(items, ofGenre.get(genre), mostOfGenre, room.seed, isFree).forEach(add);
      }
    }
    // What rests is better than nothing.
    for (const { track } of room.played) add(byId(track.id));
    let [free, looked] = [0, 0];
    for (const place of fairWalk(items.length, room.seed)) {
      const item = items[place];
      looked += 1;
      if (looked % itemsAtOnce === 0) await setImmediate();
      if (item === undefined) continue;
      const isOne = isFree(item);
      if (isOne || looked <= mostOfLibrary) add(item);
      if (isOne && (free += 1) >= mostOfLibrary) break;
    }
    return [...found];
  }
}

function knownTracks(byId: SuggestionsDeps['byId'], soundOf: SuggestionsDeps['soundOf']) {
  const known = (item: LibraryItem): KnownTrack => {
    const { lufs, tempo } = soundOf(item);
    const [artists, genres] = [artistsOf(item), item.genres.map(folded)];
    return { id: item.id, title: item.title, artists, genres, year: item.album?.year ?? null, lufs, tempo };
  };
  /** A video, or a file that is gone: it still plays, and leaves nothing to compare. */
  const played = (id: VideoId, title: string): KnownTrack => {
    const item = byId(id);
    if (item !== null) return known(item);
    return { id, title, artists: [], genres: [], year: null, lufs: null, tempo: null };
  };
  return { known, played };
}

/** What was played, what plays, and what is still to come in the queue. */
function playedBefore(
  { played, waiting, nowMs }: RoomFacts,
  playing: VideoId | null,
  trackOf: (id: VideoId, title: string) => KnownTrack,
): PlayedBefore[] {
  const heard = played.map(({ videoId, title, ...when }) => ({ track: trackOf(videoId, title), ...when }));
  const now = { atMs: nowMs, isSkipped: false };
  const isNew = playing !== null && played.at(-1)?.videoId !== playing;
  const current = isNew ? [{ track: trackOf(playing, ''), ...now, isByHouse: false }] : [];
  return [...heard, ...current, ...waiting.map((id) => ({ track: trackOf(id, ''), ...now, isByHouse: true }))];
}

interface Looking extends Pick<SuggestingContext, 'similar' | 'favourites'> {
  room: Pick<SuggestingContext, 'played' | 'nowMs' | 'seed'>;
  facts: RoomFacts;
  playing: VideoId | null;
}

function* first<T>(all: Iterable<T>, most: number): Generator<T, void> {
  let left = most;
  for (const each of all) {
    if (left === 0) return;
    left -= 1;
    yield each;
  }
}

/** Some of these places, from all over the library. */
function sample(
  items: readonly LibraryItem[],
  places: readonly number[] = [],
  most: number,
  seed: number,
  isWanted: (item: LibraryItem) => boolean = () => true,
): LibraryItem[] {
  const found: LibraryItem[] = [];
  let looked = 0;
  for (const at of fairWalk(places.length, seed)) {
    const item = items[places[at] ?? -1];
    looked += 1;
    if (item !== undefined && isWanted(item)) found.push(item);
    if (found.length >= most || looked >= itemsAtOnce) break;
  }
  return found;
}

/** Tags name one artist in capitals here and not there. */
const folded = (name: string): string => name.trim().toLowerCase();

/** Without artists of its own a track is its album's. An album of several artists names none in common. */
function artistsOf({ artists, album }: LibraryItem): string[] {
  const named = artists.length > 0 ? artists : [album?.artist ?? ''];
  return [...new Set(named.map(folded))].filter((name) => name !== '');
}

/** The items of one kind, and where those of each artist and of each genre are among them. */
interface Places {
  kind: LibraryItem['kind'];
  items: readonly LibraryItem[];
  ofArtist: ReadonlyMap<string, readonly number[]>;
  ofGenre: ReadonlyMap<string, readonly number[]>;
}

/** Made again once the library has changed, in pieces. */
function placesKept(list: () => readonly LibraryItem[]) {
  let made: { of: readonly LibraryItem[]; places: Promise<Map<LibraryItem['kind'], Places>> } | null = null;
  return async (kind: LibraryItem['kind']): Promise<Places> => {
    const items = list();
    if (made?.of !== items) made = { of: items, places: placesIn(items) };
    const places = (await made.places).get(kind);
    return places ?? { kind, items: [], ofArtist: new Map(), ofGenre: new Map() };
  };
}

async function placesIn(all: readonly LibraryItem[]): Promise<Map<LibraryItem['kind'], Places>> {
  const kinds = new Map(
    (['audio', 'video'] as const).map((kind) => {
      const places = { kind, items: [] as LibraryItem[], ofArtist: newPlaces(), ofGenre: newPlaces() };
      return [kind, places] as const;
    }),
  );
  for (const [at, item] of all.entries()) {
    if (at % itemsAtOnce === itemsAtOnce - 1) await setImmediate();
    const places = kinds.get(item.kind);
    if (places === undefined) continue;
    const place = places.items.push(item) - 1;
    for (const artist of artistsOf(item)) put(places.ofArtist, artist, place);
    for (const genre of new Set(item.genres.map(folded))) put(places.ofGenre, genre, place);
  }
  return kinds;
}

const newPlaces = (): Map<string, number[]> => new Map();

function put(places: Map<string, number[]>, key: string, place: number): void {
  const own = places.get(key);
  if (own) own.push(place);
  else places.set(key, [place]);
}
