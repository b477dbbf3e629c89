/**
 * What a search and a suggestion answer: items of the library first, then those of the video service when there is a
 * key. When the video service fails the host still gets an answer; the failure is only logged.
 */
import { isLinkAlone, parseVideoReferences, thumbnailOf, type VideoReference } from '@tunemate/domain';
import {
  type CatalogueAnswer,
  type CatalogueItem,
  isLibraryId,
  isMediaLink,
  limits,
  type RoomKind,
  type TrackCard,
  type Value,
  type VideoId,
} from '@tunemate/protocol';
import type { Handlers } from '../access/subjects.ts';
import type { RoomRef } from '../storage/schema.ts';
import { accept, type Log } from '../system/ports.ts';
import type { LibraryBrowsing } from './library/library-browsing.ts';
import { isShownIn, type LibraryItem, playedTitle } from './library/library-item.ts';
import { mediaLinks, type MediaLinks } from './sources/links/media-links.ts';
import type { MediaLibrary } from './library/media-library.ts';
import type { librarySuggestions, RoomFacts } from './suggested/library-suggestions.ts';
import type { Payer } from './sources/youtube/search-shares.ts';
import type { VideoCalls } from './sources/youtube/video-calls.ts';
import type { FoundVideo, VideoSource } from './sources/youtube/youtube-source.ts';

interface CatalogueDeps {
  library: Pick<MediaLibrary, 'search' | 'samples' | 'byId' | 'isListed'>;
  /** What of the library may play next. */
  suggestions: ReturnType<typeof librarySuggestions>;
  /** To the video service; null without a key. */
  calls: VideoCalls | null;
  /** By default no host's. */
  links?: Pick<MediaLinks, 'read' | 'isNoFilm'>;
  log: Pick<Log, 'info'>;
}

interface CatalogueService {
  search(kind: RoomKind, query: string, payer: Payer): Promise<CatalogueAnswer>;
  /** What may play next; from the library alone when nothing plays. The room is asked for its facts only then. */
  suggest(
    kind: RoomKind,
    playing: VideoId | null,
    payer: Payer,
    factsOf: () => Promise<RoomFacts>,
  ): Promise<CatalogueAnswer>;
  /** What messages name. Look-ups are counted apart from those of the person's rooms: others choose what they send. */
  cards(ids: readonly VideoId[], payer: Payer): Promise<TrackCard[]>;
}

/** How each kind of room searches: which library items it shows, which call it makes, its fallback when that fails. */
interface SearchProfile {
  shows(items: LibraryItem[]): LibraryItem[];
  /** The kinds of items that it suggests, in the order in which it shows them. */
  kinds: readonly LibraryItem['kind'][];
  ask(source: VideoSource, query: string): Promise<FoundVideo[]>;
  fallback: 'samples' | 'library';
  /** Whether suggestions may ask the video service: audio rooms have them. */
  hasRelated: boolean;
}
const profiles = {
  video: {
    shows: (items) => {
      const { video = [], audio = [] } = Object.groupBy(items, ({ kind }) => kind);
      return [...video, ...audio];
    },
    kinds: ['video', 'audio'],
    ask: (source, query) => source.searchVideos(query),
    fallback: 'library',
    hasRelated: false,
  },
  audio: {
    shows: (items) => items.filter(isShownIn.audio),
    kinds: ['audio'],
    ask: (source, query) => source.searchAudio(query),
    fallback: 'samples',
    hasRelated: true,
  },
} satisfies Record<RoomKind, SearchProfile>;

const shown = 5;
/** Of a list that its reader can turn over. */
const suggested = 18;

function libraryEntry(item: LibraryItem): CatalogueItem {
  const { id, durationSeconds, cover } = item;
  return {
    videoId: id,
    title: playedTitle(item),
    thumbnail: cover.in === 'nowhere' ? null : thumbnailOf(id),
    durationSeconds,
    source: 'library',
  };
}

function videoEntry({ videoId, title, thumbnail }: FoundVideo): CatalogueItem {
  return { videoId, title, thumbnail, durationSeconds: null, source: 'youtube' };
}

export function catalogueService(deps: CatalogueDeps): CatalogueService {
  const { library, suggestions, calls, links = mediaLinks([]) } = deps;

  return {
    async search(kind, query, payer) {
      const typed = query.trim();
      const status = calls === null ? 'library-only' : 'ok';
      if (typed === '') return { status, items: [] };
      const linked = links.read(kind, typed);
      if (linked !== null) return { status: linked.isRefused ? 'host-not-allowed' : status, items: linked.items };
      const references = parseVideoReferences(typed);
      const named = references === null ? null : await allNamed(calls, references, payer);
      if (named !== null && named.items.length > 0) return { ...named, status: named.status ?? status };
      if (references === null && links.isNoFilm(kind, typed)) return { status: 'no-film', items: [] };
      if (references === null && isLinkAlone(typed)) return { status, items: [] };
      if (calls === null) return { status, items: await matching(library, profiles[kind], typed) };
      return await searchBoth(deps, calls, { kind, query: typed, payer });
    },

    async suggest(kind, playing, payer, factsOf) {
      const profile: SearchProfile = profiles[kind];
      const own = async () => {
        const found = await suggestions(profile.kinds, playing, await factsOf(), suggested);
        return found.map(({ item, because }) => ({ ...libraryEntry(item), because }));
      };
      if (calls === null || playing === null || isLibraryId(playing) || isMediaLink(playing) || !profile.hasRelated) {
        return { status: calls === null ? 'library-only' : 'ok', items: await own() };
      }
      try {
        const related = (await calls.related(playing, payer)).map(videoEntry);
        return { status: 'ok', items: related.length > 0 ? related : await own() };
      } catch (error) {
        const usedUp = calls.noteFailure(error, 'catalogue.suggest-failed');
        return { status: usedUp === null ? 'library-only' : `${usedUp}-used-up`, items: await own() };
      }
    },

    async cards(ids, payer) {
      // No message names a film by its id alone.
      const videos = ids.filter((id) => !isLibraryId(id) && !isMediaLink(id));
      const named = await videosNamed(calls, [...new Set(videos)], payer, 'card');
      const missing = library.isListed() ? 'gone' : 'unknown';
      return ids.map((id) =>
        isLibraryId(id) ? libraryCard(id, library.byId(id), missing) : videoCard(id, named.get(id)),
      );
    },
  };
}

const blankCard = { isFilm: false, title: '', artist: null, album: null, durationSeconds: null, thumbnail: null };

function libraryCard(id: VideoId, item: LibraryItem | null, missing: 'unknown' | 'gone'): TrackCard {
  if (item === null) return { videoId: id, state: missing, ...blankCard };
  const { title, artist, album, durationSeconds, cover, kind } = item;
  const thumbnail = cover.in === 'nowhere' ? null : thumbnailOf(id);
  const isFilm = kind === 'video';
  return { videoId: id, state: 'here', isFilm, title, artist, album: album?.name ?? null, durationSeconds, thumbnail };
}

/** Without a picture: one on YouTube's host would say to YouTube who reads the message. */
function videoCard(id: VideoId, found: CatalogueItem | undefined): TrackCard {
  if (found === undefined) return { videoId: id, state: 'gone', ...blankCard };
  // A video that was not looked up is called by its id.
  if (found.title === id) return { videoId: id, state: 'unknown', ...blankCard };
  return { videoId: id, state: 'here', ...blankCard, title: found.title };
}

const firstShown = (profile: SearchProfile, items: LibraryItem[]): CatalogueItem[] =>
  profile.shows(items).slice(0, shown).map(libraryEntry);

const matching = async (
  library: CatalogueDeps['library'],
  profile: SearchProfile,
  query: string,
): Promise<CatalogueItem[]> => firstShown(profile, await library.search(query, Number.POSITIVE_INFINITY));

/** What pasted links name, in their order and each video once; a playlist in place of its link. */
async function allNamed(
  calls: VideoCalls | null,
  references: readonly VideoReference[],
  payer: Payer,
): Promise<{ status: 'playlist-needs-key' | null; items: CatalogueItem[] }> {
  const named = await Promise.all(
    references.map(async (reference) => {
      const { playlist } = reference;
      const listed = calls === null || playlist === null ? [] : await playlistNamed(calls, playlist, payer);
      return { ...reference, listed };
    }),
  );
  const alone = named.flatMap(({ video, listed }) => (video === null || listed.length > 0 ? [] : [video]));
  const videos = await videosNamed(calls, [...new Set(alone)], payer);
  const found = named.map(({ video, listed, startSeconds }) => {
    if (listed.length > 0) return listed;
    const item = video === null ? undefined : videos.get(video);
    return item === undefined ? [] : [startSeconds === undefined ? item : { ...item, startSeconds }];
  });
  const isCut = calls === null && references.some(({ playlist }) => playlist !== null);
  const items = new Map(found.flat().map((item) => [item.videoId, item]));
  return { status: isCut ? 'playlist-needs-key' : null, items: [...items.values()].slice(0, limits.playlistItems) };
}

/** Nothing when the playlist is unknown or the service fails; then the video of the link is what is left. */
async function playlistNamed(calls: VideoCalls, id: string, payer: Payer): Promise<CatalogueItem[]> {
  try {
    return (await calls.playlist(id, payer)).map(videoEntry);
  } catch (error) {
    calls.noteFailure(error, 'catalogue.look-up-failed');
    return [];
  }
}

/** The videos that addresses or ids name, without those that the video service does not know. */
async function videosNamed(
  calls: VideoCalls | null,
  ids: readonly VideoId[],
  payer: Payer,
  purpose: 'lookUp' | 'card' = 'lookUp',
): Promise<Map<VideoId, CatalogueItem>> {
  const named = new Map(ids.map((id) => [id, videoEntry({ videoId: id, title: id, thumbnail: thumbnailOf(id) })]));
  if (calls === null) return named;
  const learn = (id: VideoId, details: FoundVideo | null) =>
    details === null ? named.delete(id) : named.set(id, videoEntry(details));
  const unknown: VideoId[] = [];
  for (const id of ids) {
    const kept = await calls.recalled(id, payer, purpose);
    if (kept === null) unknown.push(id);
    else learn(id, kept.answer);
  }
  if (unknown.length === 0) return named;
  try {
    const found = await calls.details(unknown, payer, purpose);
    unknown.forEach((id, index) => learn(id, found[index] ?? null));
  } catch (error) {
    // They are shown by their ids.
    calls.noteFailure(error, 'catalogue.look-up-failed');
  }
  return named;
}

async function searchBoth(
  { library, log }: CatalogueDeps,
  calls: VideoCalls,
  { kind, query, payer }: { kind: RoomKind; query: string; payer: Payer },
): Promise<CatalogueAnswer> {
  const profile: SearchProfile = profiles[kind];
  const own = await matching(library, profile, query);
  try {
    const found = await calls.search({ kind, query, payer }, (source) => profile.ask(source, query));
    return { status: 'ok', items: [...own, ...found.map(videoEntry)] };
  } catch (error) {
    const samples = profile.fallback === 'samples' ? library.samples().map(libraryEntry) : [];
    const usedUp = calls.noteFailure(error, 'catalogue.search-failed');
    if (usedUp !== null) {
      log.info({ kind, usedUp }, 'catalogue.budget-used-up');
      return { status: `${usedUp}-used-up`, items: own.length > 0 ? own : samples };
    }
    return samples.length > 0 ? { status: 'samples', items: samples } : { status: 'library-only', items: own };
  }
}

/** What rooms need of the catalogue. It never fails: a failed search is an answer too. */
export interface RoomCatalogue extends CatalogueService {
  browsing: LibraryBrowsing;
  loudnessOf(track: VideoId): Promise<Value<'library/loudness'>>;
  /** Makes a copy turned down by so many tenths of a decibel, if this is the track's own gain. */
  wantEven(track: VideoId, gain: number): Promise<void>;
}

/** What requests about the catalogue need to know of rooms. */
interface RoomsAsked {
  factsOf: (room: RoomRef) => Promise<RoomFacts>;
  /** Whether a track is in the queue of a room. */
  isQueued: (room: RoomRef, track: VideoId) => Promise<boolean>;
}

export function catalogueHandlers(catalogue: RoomCatalogue, { factsOf, isQueued }: RoomsAsked) {
  return {
    // Calls to an outside service count against the host's limit, for requests of guests too.
    'catalogue/search': ({ read, caller: asker }, { query }) =>
      read(async ({ room }) => accept(await catalogue.search(room.kind, query, { host: room.host, asker }))),
    'catalogue/suggest': ({ read, caller: asker }, { videoId }) =>
      read(async ({ room }) => {
        const payer = { host: room.host, asker };
        return accept(await catalogue.suggest(room.kind, videoId, payer, () => factsOf(room)));
      }),
    'catalogue/cards': async (asker, { videoIds }) =>
      accept({ cards: await catalogue.cards(videoIds, { host: asker.uid, asker }) }),
    'library/groups': ({ read }, { by, from, artist, order, source }) =>
      read(async ({ room }) => accept(await catalogue.browsing.groups(room.kind, by, from, { artist, order, source }))),
    'library/tracks': ({ read }, { view, from, source }) =>
      read(async ({ room }) => accept(await catalogue.browsing.tracks(room.kind, view, from, source))),
    'library/subtitles': ({ read }, { videoId }) => read(() => accept(catalogue.browsing.subtitles(videoId))),
    'library/loudness': ({ read }, { videoId }) => read(async () => accept(await catalogue.loudnessOf(videoId))),
    'library/evenCopy': ({ read }, { videoId, gain }) =>
      read(async ({ room: { kind, roomId } }) => {
        // Of what a room plays, and not of a whole library.
        if (await isQueued({ kind, roomId }, videoId)) await catalogue.wantEven(videoId, gain);
        return accept({});
      }),
    'library/lyrics': ({ read }, { videoId }) => read(async () => accept(await catalogue.browsing.lyrics(videoId))),
  } satisfies Partial<Handlers>;
}
