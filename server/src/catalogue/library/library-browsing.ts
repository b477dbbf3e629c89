/**
 * Pages of the library's artists, albums, folders and tracks, from memory: nothing is read from disk. Lists are made in
 * pieces, between which other work goes on.
 */
import { thumbnailOf } from '@tunemate/domain';
import {
  type LibraryGroup,
  type LibraryGrouping,
  libraryGrouping,
  type LibraryOrder,
  type LibraryTrack,
  type LibraryView,
  limits,
  type MusicServer,
  type RoomKind,
  type Value,
  type VideoId,
} from '@tunemate/protocol';
import { inTurns, sortedInTurns, turns } from '../../system/in-turns.ts';
import { albumKeyOf, albumsUnder, mostUsed, placeOnAlbum, sameName } from './albums.ts';
import { isShownIn, type LibraryItem, playedTitle, shortHash } from './library-item.ts';
import type { MediaLibrary } from './media-library.ts';

interface GroupsShown {
  /** Only those groups that contain a track of this artist. */
  readonly artist?: string | undefined;
  readonly order?: LibraryOrder | undefined;
}

export interface LibraryBrowsing {
  /** Makes what the first look at a large library would wait for, in steps between which everything else goes on. */
  prepare(): Promise<void>;
  groups(room: RoomKind, by: LibraryGrouping, from: number, shown?: GroupsShown): Promise<Value<'library/groups'>>;
  /** A group that is gone contains nothing. */
  tracks(room: RoomKind, view: LibraryView, from: number): Promise<Value<'library/tracks'>>;
  subtitles(film: string): Value<'library/subtitles'>;
  lyrics(track: string): Promise<Value<'library/lyrics'>>;
}

export function libraryBrowsing(
  library: Pick<MediaLibrary, 'list' | 'search' | 'byId' | 'look' | 'sourceOf' | 'progress'>,
): LibraryBrowsing {
  const indexOf = indexKept(() => library.list());

  async function viewed(room: RoomKind, view: LibraryView): Promise<readonly LibraryItem[]> {
    if (view.type === 'group') return (await indexOf(room).group(view.by, view.id))?.items ?? [];
    if (view.type === 'newest') return await indexOf(room).newest();
    if (view.type === 'toBegin') return await indexOf(room).toBegin();
    return (await library.search(view.words, Number.POSITIVE_INFINITY)).filter(isShownIn[room]);
  }

  return {
    async prepare() {
      const made = library.list();
      for (const room of ['audio', 'video'] as const) {
        for (const by of libraryGrouping.options) {
          if (library.list() === made) await indexOf(room).letters(by);
        }
        if (library.list() === made) await indexOf(room).toBegin();
      }
    },
    async groups(room, by, from, { artist, order = 'name' } = {}) {
      library.look();
      const { items, groups, groupsByYear, letters, group } = indexOf(room);
      const ofArtist = artist === undefined ? null : new Set((await group('artist', artist))?.items);
      const all = await (order === 'year' ? groupsByYear(by) : groups(by));
      const listed = ofArtist === null ? all : all.filter((each) => each.items.some((item) => ofArtist.has(item)));
      const totals = {
        artist: (await groups('artist')).length,
        album: (await groups('album')).length,
        folder: (await groups('folder')).length,
        tracks: items.length,
      };
      const reading = library.progress();
      return {
        totals,
        groups: pageOf(listed, from).map(shownGroup),
        letters: ofArtist === null && order === 'name' ? [...(await letters(by))] : [],
        ...(reading && { reading }),
      };
    },
    async tracks(room, view, from) {
      const items = await viewed(room, view);
      // Those of one source stand together. Where all are of one, it says nothing to name its server.
      const [first, last] = [library.list()[0], library.list().at(-1)].map((item) => item && library.sourceOf(item));
      const serverOf = (item: LibraryItem) => (first === last ? null : library.sourceOf(item).server());
      return { total: items.length, tracks: pageOf(items, from).map((item) => shownTrack(item, serverOf(item))) };
    },
    subtitles: (film) => ({
      subtitles: (library.byId(film)?.subtitles ?? []).map(({ id, language, label }) => ({ id, language, label })),
    }),
    async lyrics(track) {
      const item = library.byId(track);
      return { lyrics: item === null ? null : await library.sourceOf(item).lyrics(item) };
    },
  };
}

/** The index of each kind of room, made when it is first asked for and again once the files have changed. */
function indexKept(list: () => readonly LibraryItem[]): (room: RoomKind) => LibraryIndex {
  let items: readonly LibraryItem[] = [];
  const kept = new Map<RoomKind, LibraryIndex>();
  return (room) => {
    const now = list();
    if (now !== items) kept.clear();
    items = now;
    const known = kept.get(room);
    if (known !== undefined) return known;
    // Without films both kinds of rooms see the same.
    const same = now.every(isShownIn.audio) ? [...kept.values()][0] : undefined;
    const index = same ?? libraryIndex(now, room);
    kept.set(room, index);
    return index;
  };
}

const pageOf = <T>(all: readonly T[], from: number): T[] => all.slice(from, from + limits.libraryPage);

function shownGroup({ items, coverOf, ...shown }: GroupOfItems): LibraryGroup {
  const thumbnail = coverOf === null ? null : thumbnailOf(coverOf);
  return { ...shown, tracks: items.length, thumbnail };
}

function shownTrack(item: LibraryItem, server: MusicServer | null): LibraryTrack {
  const { id, title, artist, album, durationSeconds, cover } = item;
  return {
    videoId: id,
    title: playedTitle(item),
    durationSeconds,
    thumbnail: cover.in === 'nowhere' ? null : thumbnailOf(id),
    name: title,
    artist,
    album: album?.name ?? null,
    server,
    isFilm: item.kind === 'video',
  };
}

// The index of the library is pure, and made anew when the files have been read again.

interface GroupOfItems {
  id: string;
  /** Null for items that name no artist, and for the top folder. */
  name: string | null;
  artist: string | null;
  year: number | null;
  /** Of an artist; null for albums and folders. */
  albums: number | null;
  /** Of an album whose tracks all have a length. */
  durationSeconds: number | null;
  /** In the order of the group: of the album, of the artist's albums by year, or of the file names. */
  items: readonly LibraryItem[];
  /** An item whose cover stands for the group. */
  coverOf: VideoId | null;
}

interface LibraryIndex {
  items: readonly LibraryItem[];
  groups(by: LibraryGrouping): Promise<readonly GroupOfItems[]>;
  /** The newest first, of one year by name; those without a year last. */
  groupsByYear(by: LibraryGrouping): Promise<readonly GroupOfItems[]>;
  /** Where each first letter begins in a list of groups. */
  letters(by: LibraryGrouping): Promise<readonly { letter: string; at: number }[]>;
  /** The file changed last comes first. */
  newest(): Promise<readonly LibraryItem[]>;
  /** The same, with films first. */
  toBegin(): Promise<readonly LibraryItem[]>;
  group(by: LibraryGrouping, id: string): Promise<GroupOfItems | null>;
}

/** Accents and case make no difference, and 'Track 2' comes before 'Track 10'. */
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
// Most names that are compared are of one album or artist.
const compare = (a: string, b: string): number => (a === b ? 0 : collator.compare(a, b));

/** Albums whose year is unknown come last. */
const lastYear = 10_000;

const inOrderOfAlbum = (a: LibraryItem, b: LibraryItem): number =>
  placeOnAlbum(a) - placeOnAlbum(b) || compare(a.title, b.title);
const byAlbums = (a: LibraryItem, b: LibraryItem): number =>
  (a.album?.year ?? lastYear) - (b.album?.year ?? lastYear) ||
  compare(a.album?.name ?? '', b.album?.name ?? '') ||
  inOrderOfAlbum(a, b);

interface Grouping {
  /** What items have in common, and what it is called. */
  groups(items: readonly LibraryItem[]): Promise<{ key: string; name: string | null; items: readonly LibraryItem[] }[]>;
  sort(a: LibraryItem, b: LibraryItem): number;
}

const groupings: Record<LibraryGrouping, Grouping> = {
  artist: {
    groups: byArtists,
    sort: byAlbums,
  },
  album: {
    groups: byAlbumKeys,
    sort: inOrderOfAlbum,
  },
  folder: {
    groups: async (items) =>
      [...(await byKey(items, ({ folder }) => [folder]))].map(([key, own]) => ({ key, name: key || null, items: own })),
    sort: () => 0,
  },
};

/** By each of their keys; an item that has one key twice is there once. */
async function byKey(
  items: readonly LibraryItem[],
  keysOf: (item: LibraryItem) => readonly string[],
): Promise<Map<string, LibraryItem[]>> {
  const found = new Map<string, LibraryItem[]>();
  for await (const some of inTurns(items)) {
    for (const item of some) {
      for (const key of keysOf(item)) {
        const own = found.get(key);
        if (own === undefined) found.set(key, [item]);
        else if (own.at(-1) !== item) own.push(item);
      }
    }
  }
  return found;
}

const artistsOf = ({ artists }: LibraryItem): readonly string[] => (artists.length === 0 ? [''] : artists);

/** An artist is called as most tracks have it; of two spellings on one track the first counts. */
async function byArtists(items: readonly LibraryItem[]) {
  const found = await byKey(items, (item) => artistsOf(item).map(sameName));
  return await eachInPieces(found, ([key, own]) => {
    const names = own.map((item) => artistsOf(item).find((name) => sameName(name) === key) ?? '');
    return [{ key, name: mostUsed(names) || null, items: own }];
  });
}

async function byAlbumKeys(items: readonly LibraryItem[]) {
  const found = await byKey(items, (item) => (item.album === null ? [] : [albumKeyOf(item)]));
  return await eachInPieces(found, ([key, own]) => albumsUnder(key, own));
}

/** What `work` makes of each group. */
async function eachInPieces<Made>(
  groups: ReadonlyMap<string, readonly LibraryItem[]>,
  work: (group: readonly [string, readonly LibraryItem[]]) => readonly Made[],
): Promise<Made[]> {
  const made: Made[] = [];
  const turn = turns();
  for (const group of groups) {
    made.push(...work(group));
    if (turn.isDue()) await turn.give();
  }
  return made;
}

function libraryIndex(all: readonly LibraryItem[], room: RoomKind): LibraryIndex {
  const items = all.filter(isShownIn[room]);
  const made = new Map<string, Promise<unknown>>();
  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const now = make();
    made.set(name, now);
    return now;
  };
  const groups = (by: LibraryGrouping): Promise<GroupOfItems[]> =>
    once(by, async () => grouped(by, items, by === 'artist' ? await albumsByArtist(await groups('album')) : null));
  const newest = () => once('newest', () => sortedInTurns(items, (a, b) => b.modifiedMs - a.modifiedMs));
  return {
    ...{ items, groups, newest },
    groupsByYear: (by) =>
      once(`${by} by year`, async () => sortedInTurns(await groups(by), (a, b) => (b.year ?? 0) - (a.year ?? 0))),
    letters: (by) => once(`letters ${by}`, async () => lettersOf(await groups(by))),
    toBegin: () =>
      once('toBegin', async () => {
        const { video = [], audio = [] } = Object.groupBy(await newest(), ({ kind }) => kind);
        return [...video, ...audio];
      }),
    group: async (by, id) => (await groups(by)).find((group) => group.id === id) ?? null,
  };
}

/** On how many albums each artist is, by what their spellings have in common. */
async function albumsByArtist(albums: readonly GroupOfItems[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for await (const some of inTurns(albums)) {
    for (const { items } of some) {
      for (const key of new Set(items.flatMap(artistsOf).map(sameName))) found.set(key, (found.get(key) ?? 0) + 1);
    }
  }
  return found;
}

/** `albums` are those of each artist; null unless artists are listed. */
async function grouped(
  by: LibraryGrouping,
  items: readonly LibraryItem[],
  albums: ReadonlyMap<string, number> | null,
): Promise<GroupOfItems[]> {
  const { groups, sort } = groupings[by];
  const made: GroupOfItems[] = [];
  const turn = turns();
  for (const { key, name, items: members } of await groups(items)) {
    const own = groupOf(by, key, await sortedInTurns(members, sort), name);
    made.push(albums === null ? own : { ...own, albums: albums.get(key) ?? 0 });
    if (turn.isDue()) await turn.give();
  }
  return await sortedInTurns(made, (a, b) => compare(a.name ?? '', b.name ?? '') || (a.id < b.id ? -1 : 1));
}

function groupOf(by: LibraryGrouping, key: string, items: readonly LibraryItem[], name: string | null): GroupOfItems {
  const [first] = items;
  const isAlbum = by === 'album';
  return {
    id: shortHash(`${by}\n${key}`),
    name,
    artist: isAlbum ? artistOf(items) : null,
    year: isAlbum ? (first?.album?.year ?? null) : null,
    albums: null,
    durationSeconds: isAlbum ? lengthOf(items) : null,
    items,
    coverOf: items.find(({ cover }) => cover.in !== 'nowhere')?.id ?? null,
  };
}

/** Whom an album is by: whom its tags name, or the one artist of all its tracks; null for a compilation. */
function artistOf(items: readonly LibraryItem[]): string | null {
  const [first] = items;
  if (first === undefined) return null;
  if (first.album?.artist) return first.album.artist;
  return items.every(({ artist }) => artist === first.artist) ? first.artist : null;
}

/** Of all together; null while the length of one is unknown. */
function lengthOf(items: readonly LibraryItem[]): number | null {
  let sum = 0;
  for (const { durationSeconds } of items) {
    if (durationSeconds === null) return null;
    sum += durationSeconds;
  }
  return sum;
}

function lettersOf(groups: readonly GroupOfItems[]): { letter: string; at: number }[] {
  const letters: { letter: string; at: number }[] = [];
  for (const [at, { name }] of groups.entries()) {
    const letter = letterOf(name ?? '');
    if (!letters.some((known) => known.letter === letter)) letters.push({ letter, at });
  }
  return letters;
}

function letterOf(name: string): string {
  const [first = ''] = name.normalize('NFKD');
  return /\p{L}/u.test(first) ? first.toUpperCase() : '#';
}
