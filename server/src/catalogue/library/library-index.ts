/**
 * The artists, albums, genres and folders of a list, made anew when its files have been read again, in pieces between which other
 * work goes on. What has no film in it is kept once for all rooms. Pure.
 */
import type { LibraryGrouping as AnyGrouping, RoomKind, VideoId } from '@tunemate/protocol';
import { inTurns, sortedInTurns, turns } from '../../system/in-turns.ts';
import { albumKeyOf, albumsUnder, mostUsed, placeOnAlbum, sameName } from './albums.ts';
import { isShownIn, type LibraryItem, shortHash } from './library-item.ts';

/** By what the items say themselves; playlists are their source's. */
export type LibraryGrouping = Exclude<AnyGrouping, 'playlist'>;

/** What pages are taken from. */
export interface Listed<T = LibraryItem> {
  readonly length: number;
  slice(from: number, to: number): readonly T[];
}

export interface GroupOfItems {
  id: string;
  /** Null for items that name no artist or genre, and for the top folder. */
  name: string | null;
  /** Of an artist; null for everything else. */
  albums: number | null;
  /** In the order of the group: of the album, of the artist's albums by year, or of the file names. */
  items: readonly LibraryItem[];
}

export interface LibraryIndex {
  items: readonly LibraryItem[];
  groups(by: LibraryGrouping): Promise<readonly GroupOfItems[]>;
  /** The newest first, of one year by name; those without a year last. */
  groupsByYear(by: LibraryGrouping): Promise<readonly GroupOfItems[]>;
  /** Where each first letter begins in a list of groups. */
  letters(by: LibraryGrouping): Promise<readonly { letter: string; at: number }[]>;
  /** The file changed last comes first. */
  newest(): Promise<readonly LibraryItem[]>;
  /** The same, with films first. */
  toBegin(): Promise<Listed>;
  group(by: LibraryGrouping, id: string): Promise<GroupOfItems | null>;
}

/** The index of each kind of room, made when it is first asked for and again once the files have changed. */
export function indexesKept(list: () => readonly LibraryItem[]): (room: RoomKind) => LibraryIndex {
  let made = indexesOf([]);
  return (room) => {
    const now = list();
    if (now !== made.video.items) made = indexesOf(now);
    return made[room];
  };
}

function indexesOf(all: readonly LibraryItem[]): Record<RoomKind, LibraryIndex> {
  const films = all.filter(({ kind }) => kind === 'video');
  // Without films both kinds of rooms see the same.
  const items = films.length === 0 ? all : all.filter(isShownIn.audio);
  const ofAll = (by: LibraryGrouping) => grouped(by, all);
  if (films.length === 0) {
    const index = libraryIndex(items, ofAll);
    return { audio: index, video: index };
  }
  const video = libraryIndex(all, ofAll, async () => behind(await newestOf(films), await audio.newest()));
  const audio: LibraryIndex = libraryIndex(items, async (by) =>
    withoutFilms(by, { films, items, groups: await video.groups(by) }),
  );
  return { audio, video };
}

/** `toBegin` is left out where there are no films. */
function libraryIndex(
  items: readonly LibraryItem[],
  groupsOf: (by: LibraryGrouping) => Promise<readonly GroupOfItems[]>,
  toBegin?: LibraryIndex['toBegin'],
): LibraryIndex {
  const made = new Map<string, Promise<unknown>>();
  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const now = make();
    made.set(name, now);
    return now;
  };
  const groups = (by: LibraryGrouping): Promise<readonly GroupOfItems[]> =>
    once(by, async () => {
      const found = await groupsOf(by);
      if (by === 'artist') return counted(found, await groups('album'));
      // Where no item names a genre, there are none.
      return by === 'genre' && found.every(({ name }) => name === null) ? [] : found;
    });
  const newest = () => once('newest', () => newestOf(items));
  const years = (by: LibraryGrouping) => (a: GroupOfItems, b: GroupOfItems) =>
    (yearOf(by, b.items) ?? 0) - (yearOf(by, a.items) ?? 0);
  return {
    ...{ items, groups, newest },
    groupsByYear: (by) => once(`${by} by year`, async () => sortedInTurns(await groups(by), years(by))),
    letters: (by) => once(`letters ${by}`, async () => lettersOf(await groups(by))),
    toBegin: () => (toBegin === undefined ? newest() : once('toBegin', toBegin)),
    group: async (by, id) => (await groups(by)).find((group) => group.id === id) ?? null,
  };
}

const newestOf = (items: readonly LibraryItem[]) => sortedInTurns(items, (a, b) => b.modifiedMs - a.modifiedMs);

const behind = <T>(first: readonly T[], second: readonly T[]): Listed<T> => ({
  length: first.length + second.length,
  slice(from, to) {
    const [at, end] = [from, to].map((place) => Math.max(0, place - first.length));
    return first.slice(from, to).concat(second.slice(at, end));
  },
});

/** Accents and case make no difference, and 'Track 2' comes before 'Track 10'. */
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
// Most names that are compared are of one album or artist.
const compare = (a: string, b: string): number => (a === b ? 0 : collator.compare(a, b));
export const byName = (a: GroupOfItems, b: GroupOfItems): number =>
  compare(a.name ?? '', b.name ?? '') || (a.id < b.id ? -1 : 1);
const namelessLast = (a: GroupOfItems, b: GroupOfItems): number =>
  Number(a.name === null) - Number(b.name === null) || byName(a, b);

/** Albums whose year is unknown come last. */
const lastYear = 10_000;

const inOrderOfAlbum = (a: LibraryItem, b: LibraryItem): number =>
  placeOnAlbum(a) - placeOnAlbum(b) || compare(a.title, b.title);
const byAlbums = (a: LibraryItem, b: LibraryItem): number =>
  (a.album?.year ?? lastYear) - (b.album?.year ?? lastYear) ||
  compare(a.album?.name ?? '', b.album?.name ?? '') ||
  inOrderOfAlbum(a, b);

interface NamedItems {
  key: string;
  name: string | null;
  items: readonly LibraryItem[];
}

interface Grouping {
  /** What items have in common: each key once. */
  keysOf(): (item: LibraryItem) => readonly string[];
  /** The groups of all items of a key, and what they are called. */
  named(key: string, items: readonly LibraryItem[]): readonly NamedItems[];
  sort(a: LibraryItem, b: LibraryItem): number;
  keyOf(group: GroupOfItems): string;
  /** Of the groups themselves. */
  inOrder(a: GroupOfItems, b: GroupOfItems): number;
}

type NamesOf = (item: LibraryItem) => readonly string[];

const artistsOf: NamesOf = ({ artists }) => artists;
const genresOf: NamesOf = ({ genres }) => genres;

const groupings: Record<LibraryGrouping, Grouping> = {
  artist: {
    ...underNames(artistsOf),
    sort: byAlbums,
    inOrder: byName,
  },
  album: {
    keysOf: () => (item) => (item.album === null ? [] : [albumKeyOf(item)]),
    named: albumsUnder,
    sort: inOrderOfAlbum,
    keyOf: ({ items: [first] }) => (first === undefined ? '' : albumKeyOf(first)),
    inOrder: byName,
  },
  genre: {
    ...underNames(genresOf),
    sort: (a, b) => compare(a.artist ?? '', b.artist ?? '') || byAlbums(a, b),
    inOrder: namelessLast,
  },
  folder: {
    keysOf:
      () =>
      ({ folder }) => [folder],
    named: (key, items) => [{ key, name: key || null, items }],
    sort: () => 0,
    keyOf: ({ name }) => name ?? '',
    inOrder: byName,
  },
};

export const groupingsOfItems = Object.keys(groupings) as readonly LibraryGrouping[];

/** By each of the names that an item has, whatever their spelling; the empty one where it has none. */
function underNames(namesOf: NamesOf): Pick<Grouping, 'keysOf' | 'named' | 'keyOf'> {
  return {
    keysOf: () => keysUnder(namesOf),
    named: (key, items) => [{ key, name: mostUsed(spellingsOf(namesOf, key, items)) || null, items }],
    keyOf: ({ name }) => sameName(name ?? ''),
  };
}

/** What `of` makes of the names of an item. The tracks of an album have one list of them. */
function ofNames<T>(namesOf: NamesOf, of: (names: readonly string[]) => T): (item: LibraryItem) => T {
  const known = new Map<readonly string[], T>();
  return (item) => {
    const names = namesOf(item);
    const before = known.get(names);
    if (before !== undefined) return before;
    const made = of(names.length === 0 ? [''] : names);
    known.set(names, made);
    return made;
  };
}

const keysUnder = (namesOf: NamesOf) => ofNames(namesOf, (names) => [...new Set(names.map(sameName))]);

/** A group is called as most tracks have it; of two spellings on one track the first counts. */
const spellingsOf = (namesOf: NamesOf, key: string, items: readonly LibraryItem[]): string[] =>
  items.map(ofNames(namesOf, (names) => names.find((name) => sameName(name) === key) ?? ''));

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
        else own.push(item);
      }
    }
  }
  return found;
}

/** All groups of these items in their order; of `wanted` alone where it is given. */
async function grouped(
  by: LibraryGrouping,
  items: readonly LibraryItem[],
  wanted?: ReadonlySet<string>,
): Promise<readonly GroupOfItems[]> {
  const { keysOf, named, sort, inOrder } = groupings[by];
  const made: GroupOfItems[] = [];
  const turn = turns();
  for (const [key, members] of await byKey(items, keysOf())) {
    if (wanted?.has(key) === false) continue;
    for (const each of named(key, members)) {
      const id = shortHash(`${by}\n${each.key}`);
      made.push({ id, name: each.name, albums: null, items: await sortedInTurns(each.items, sort) });
      if (turn.isDue()) await turn.give();
    }
  }
  return await sortedInTurns(made, inOrder);
}

/** The groups of `items`, which are those of `groups` without the films: what has no film in it stays the same object. */
async function withoutFilms(
  by: LibraryGrouping,
  { films, items, groups }: Record<'films' | 'items', readonly LibraryItem[]> & { groups: readonly GroupOfItems[] },
): Promise<readonly GroupOfItems[]> {
  const { keysOf, keyOf, inOrder } = groupings[by];
  const keys = new Set(films.flatMap(keysOf()));
  if (keys.size === 0) return groups;
  const [same, beside]: [GroupOfItems[], Set<LibraryItem>] = [[], new Set()];
  for await (const some of inTurns(groups)) {
    for (const group of some) {
      if (!keys.has(keyOf(group))) same.push(group);
      else for (const item of group.items) beside.add(item);
    }
  }
  const left = await grouped(
    by,
    items.filter((item) => beside.has(item)),
    keys,
  );
  return await sortedInTurns(same.concat(left), inOrder);
}

/** Artists with the number of their albums. */
async function counted(
  artists: readonly GroupOfItems[],
  albums: readonly GroupOfItems[],
): Promise<readonly GroupOfItems[]> {
  const keysOf = keysUnder(artistsOf);
  const count = new Map<string, number>();
  for await (const some of inTurns(albums)) {
    for (const { items } of some) {
      for (const key of new Set(items.flatMap((item) => keysOf(item)))) count.set(key, (count.get(key) ?? 0) + 1);
    }
  }
  const made: GroupOfItems[] = [];
  for await (const some of inTurns(artists)) {
    for (const artist of some) {
      const own = count.get(groupings.artist.keyOf(artist)) ?? 0;
      made.push(own === artist.albums ? artist : { ...artist, albums: own });
    }
  }
  return made;
}

export const yearOf = (by: AnyGrouping, [first]: readonly LibraryItem[]): number | null =>
  by === 'album' ? (first?.album?.year ?? null) : null;

/** An item whose cover stands for all. */
export const coverOf = (items: readonly LibraryItem[]): VideoId | null =>
  items.find(({ cover }) => cover.in !== 'nowhere')?.id ?? null;

/** Whom an album is by: whom its tags name, or the one artist of all its tracks; null for a compilation. */
export function artistOf(items: readonly LibraryItem[]): string | null {
  const [first] = items;
  if (first === undefined) return null;
  if (first.album?.artist) return first.album.artist;
  return items.every(({ artist }) => artist === first.artist) ? first.artist : null;
}

/** Of all together; null while the length of one is unknown. */
export function lengthOf(items: readonly LibraryItem[]): number | null {
  let sum = 0;
  for (const { durationSeconds } of items) {
    if (durationSeconds === null) return null;
    sum += durationSeconds;
  }
  return sum;
}

async function lettersOf(groups: readonly GroupOfItems[]): Promise<{ letter: string; at: number }[]> {
  const places = new Map<string, number>();
  let at = 0;
  for await (const some of inTurns(groups)) {
    for (const { name } of some) {
      const letter = letterOf(name ?? '');
      if (!places.has(letter)) places.set(letter, at);
      at += 1;
    }
  }
  return [...places].map(([letter, first]) => ({ letter, at: first }));
}

function letterOf(name: string): string {
  const [first = ''] = name.normalize('NFKD');
  return /\p{L}/u.test(first) ? first.toUpperCase() : '#';
}
