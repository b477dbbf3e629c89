/**
 * Keeps the tracks of a library in memory: what those of an album have in common is kept once, and a track that has not
 * changed stays the same object, also when its file is looked at again. Lists are made in pieces, between which other work
 * goes on.
 */
import { basename, extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { inTurns } from '../in-turns.ts';
import type { LibraryItem } from './library-item.ts';
import { searchedPart } from './relevance.ts';

const nowhere = { in: 'nowhere' } as const;
const inMedia = { in: 'media' } as const;
const unknownLoudness = { track: null, album: null } as const;
const none: readonly never[] = [];

/** Values that are equal, each once. */
function pool<T>() {
  const known = new Map<string, T>();
  return (key: string, make: () => T): T => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make();
    known.set(key, made);
    return made;
  };
}

/** What tracks have in common, of one reading. */
export function sharedParts(before: (id: string) => LibraryItem | null) {
  const [texts, lists] = [pool<string>(), pool<readonly string[]>()];
  const [paths, searched] = [pool<LibraryItem['cover']>(), pool<string>()];
  const text = <T extends string | null>(value: T): T => (value === null ? value : (texts(value, () => value) as T));
  const list = (values: readonly string[]) =>
    values.length === 0 ? none : lists(values.join('\n'), () => values.map(text));

  return {
    /** The same item, of parts that others have too. */
    share(item: LibraryItem): LibraryItem {
      const known = before(item.id);
      const { album, cover, lyrics, loudness } = item;
      return {
        id: known?.id ?? item.id,
        title: known?.title === item.title ? known.title : item.title,
        artist: text(item.artist),
        artists: list(item.artists),
        genres: list(item.genres),
        album: album && { name: text(album.name), artist: text(album.artist), year: album.year, place: album.place },
        folder: text(item.folder),
        modifiedMs: item.modifiedMs,
        kind: item.kind === 'audio' ? 'audio' : 'video',
        durationSeconds: item.durationSeconds,
        mime: text(item.mime),
        streams: item.streams,
        seeksExactly: item.seeksExactly,
        playsEverywhere: item.playsEverywhere,
        path: known?.path === item.path ? known.path : item.path,
        cover:
          cover.in === 'file'
            ? paths(cover.path, () => cover)
            : cover.in === 'media'
              ? inMedia
              : cover.in === 'nowhere'
                ? nowhere
                : cover,
        subtitles: item.subtitles.length === 0 ? none : item.subtitles,
        lyrics: lyrics.in === 'file' ? lyrics : lyrics.in === 'media' ? inMedia : nowhere,
        loudness: loudness.track === null && loudness.album === null ? unknownLoudness : loudness,
      };
    },
    /** With what is searched of it: its title, its artists, what stands around them, and the name of its file. */
    withTexts(item: LibraryItem): LibraryItem {
      const { title, artist, artists, album, genres, folder, path } = item;
      const names = [artist ?? '', ...artists.filter((name) => name !== artist)];
      const around = [album?.name ?? '', album?.artist ?? '', ...genres, folder.replaceAll('/', ' ')];
      const titleText = searchedPart([title]);
      const fileText = searchedPart([basename(path, extname(path))], []);
      return {
        ...item,
        searched: [
          titleText,
          searched(['artist', ...names].join('\n'), () => searchedPart(names, artists)),
          searched(['around', ...around].join('\n'), () => searchedPart(around, album === null ? [] : [album.name])),
          fileText === titleText ? titleText : fileText,
        ],
      };
    },
  };
}

/** Items in their order, and where each is. */
export interface KeptList {
  items: readonly LibraryItem[];
  byId(id: string): LibraryItem | null;
}

export function keptList(items: readonly LibraryItem[], places = placesOf(items)): KeptList {
  return { items, byId: (id) => items[places.get(id) ?? -1] ?? null };
}

function placesOf(items: readonly LibraryItem[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, { id }] of items.entries()) if (!places.has(id)) places.set(id, place);
  return places;
}

/** The list of what was found; the one before where nothing has changed. */
export async function listOf(found: readonly LibraryItem[], before: KeptList): Promise<KeptList> {
  const { share, withTexts } = sharedParts(before.byId);
  const items: LibraryItem[] = [];
  const places = new Map<string, number>();
  let isSame = found.length === before.items.length;
  for await (const some of inTurns(found)) {
    for (const item of some) {
      const known = before.byId(item.id);
      const kept = known !== null && isAs(known, item) ? known : withTexts(share(item));
      isSame &&= kept === before.items[items.length];
      if (!places.has(kept.id)) places.set(kept.id, items.length);
      items.push(kept);
    }
  }
  return isSame ? before : keptList(items, places);
}

/** But for what is searched, which follows from the rest. */
const isAs = (known: LibraryItem, item: LibraryItem): boolean =>
  isDeepStrictEqual({ ...known, searched: none }, { ...item, searched: none });
