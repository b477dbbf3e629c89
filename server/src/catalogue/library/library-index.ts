/**
 * The library put in order for looking through: groups by artist, album and folder, sorted as people read them. Pure;
 * made anew when the files have changed, for each kind of room.
 */
import type { LibraryGrouping, RoomKind, VideoId } from '@tunemate/protocol';
import { isShownIn, type LibraryItem } from './library-item.ts';
import { shortHash } from './short-hash.ts';

export interface GroupOfItems {
  id: string;
  /** Null for items that name no artist, and for the top folder. */
  name: string | null;
  artist: string | null;
  year: number | null;
  /** In the order of the group: of the album, of the artist's albums by year, or of the file names. */
  items: readonly LibraryItem[];
  /** An item whose cover stands for the group. */
  coverOf: VideoId | null;
}

export interface LibraryIndex {
  readonly groups: Readonly<Record<LibraryGrouping, readonly GroupOfItems[]>>;
  /** Where each first letter begins in a list of groups. */
  readonly letters: Readonly<Record<LibraryGrouping, readonly { letter: string; at: number }[]>>;
  /** The file changed last comes first. */
  readonly newest: readonly LibraryItem[];
  group(by: LibraryGrouping, id: string): GroupOfItems | null;
}

/** Accents and case make no difference, and 'Track 2' comes before 'Track 10'. */
const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Albums whose year is unknown come last. */
const lastYear = 10_000;

const inOrderOfAlbum = (a: LibraryItem, b: LibraryItem): number =>
  (a.album?.place ?? 0) - (b.album?.place ?? 0) || compare(a.title, b.title);
const byAlbums = (a: LibraryItem, b: LibraryItem): number =>
  (a.album?.year ?? lastYear) - (b.album?.year ?? lastYear) ||
  compare(a.album?.name ?? '', b.album?.name ?? '') ||
  inOrderOfAlbum(a, b);

interface Grouping {
  /** What the items of a group have in common; null for an item that belongs to no group. */
  key(item: LibraryItem): string | null;
  name(item: LibraryItem): string | null;
  sort(a: LibraryItem, b: LibraryItem): number;
}

const groupings: Record<LibraryGrouping, Grouping> = {
  artist: {
    key: ({ artist }) => artist?.toLowerCase() ?? '',
    name: ({ artist }) => artist,
    sort: byAlbums,
  },
  album: {
    // Two albums of one name are told apart by their artist, or by their folder when the tags name none.
    key: ({ album, folder }) => album && `${album.name}\n${album.artist ?? folder}`.toLowerCase(),
    name: ({ album }) => album?.name ?? null,
    sort: inOrderOfAlbum,
  },
  folder: { key: ({ folder }) => folder, name: ({ folder }) => folder || null, sort: () => 0 },
};

export function libraryIndex(all: readonly LibraryItem[], room: RoomKind): LibraryIndex {
  const items = all.filter(isShownIn[room]);
  const groups = {
    artist: grouped('artist', items),
    album: grouped('album', items),
    folder: grouped('folder', items),
  };
  return {
    groups,
    letters: { artist: lettersOf(groups.artist), album: lettersOf(groups.album), folder: lettersOf(groups.folder) },
    newest: items.toSorted((a, b) => b.modifiedMs - a.modifiedMs),
    group: (by, id) => groups[by].find((group) => group.id === id) ?? null,
  };
}

function grouped(by: LibraryGrouping, items: readonly LibraryItem[]): GroupOfItems[] {
  const { key, sort } = groupings[by];
  const found = new Map<string, LibraryItem[]>();
  for (const item of items) {
    const common = key(item);
    if (common === null) continue;
    const members = found.get(common);
    if (members) members.push(item);
    else found.set(common, [item]);
  }
  return [...found]
    .map(([common, members]) => groupOf(by, common, members.toSorted(sort)))
    .toSorted((a, b) => compare(a.name ?? '', b.name ?? '') || (a.id < b.id ? -1 : 1));
}

function groupOf(by: LibraryGrouping, common: string, items: readonly LibraryItem[]): GroupOfItems {
  const [first] = items;
  const isAlbum = by === 'album';
  return {
    id: shortHash(`${by}\n${common}`),
    name: first === undefined ? null : groupings[by].name(first),
    artist: isAlbum ? artistOf(items) : null,
    year: isAlbum ? (first?.album?.year ?? null) : null,
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
