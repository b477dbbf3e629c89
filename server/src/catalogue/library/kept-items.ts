/**
 * Keeps the tracks of a library in memory: what those of an album have in common is kept once, and a track that has not
 * changed stays the same object, also when its file is looked at again. Lists are made in turns, between which other work
 * goes on.
 */
import { basename, dirname, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { VideoId } from '@tunemate/protocol';
import { inTurns, sortedInTurns, turns } from '../../system/in-turns.ts';
import { growingList, type KeptList } from './kept-list.ts';
import { type LibraryAlbum, type LibraryItem, plainItem } from './library-item.ts';
import { ownCopy } from './searched-words.ts';

export const nowhere = { in: 'nowhere' } as const;
const inMedia = { in: 'media' } as const;
export const unknownLoudness = { track: null, album: null } as const;
export const none: readonly never[] = [];

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

/** Texts, and lists of texts, that are equal: each once. */
export function pooledTexts() {
  const [texts, lists] = [pool<string>(), pool<readonly string[]>()];
  const text = <T extends string | null>(value: T): T => (value === null ? value : (texts(value, () => value) as T));
  return {
    text,
    list: (values: readonly string[]): readonly string[] =>
      values.length === 0 ? none : lists(values.join('\n'), () => values.map(text)),
  };
}

/** What the tracks of an album have in common: kept in memory once. */
export interface Common extends Pick<
  LibraryItem,
  | 'artist'
  | 'artists'
  | 'genres'
  | 'folder'
  | 'kind'
  | 'mime'
  | 'streams'
  | 'seeksExactly'
  | 'playsEverywhere'
  | 'cover'
  | 'subtitles'
> {
  album: Omit<LibraryAlbum, 'place'> | null;
}

/** A list has 100,000 of these, so each holds its own facts alone. */
export class TrackOfAlbum<Shared extends Common = Common> {
  readonly place: number;
  readonly common: Shared;

  constructor(common: Shared, place: number) {
    this.place = place;
    this.common = common;
  }

  get artist() {
    return this.common.artist;
  }
  get artists() {
    return this.common.artists;
  }
  get genres() {
    return this.common.genres;
  }
  get album(): LibraryAlbum | null {
    return this.common.album && { ...this.common.album, place: this.place };
  }
  get folder() {
    return this.common.folder;
  }
  get kind() {
    return this.common.kind;
  }
  get mime() {
    return this.common.mime;
  }
  get streams() {
    return this.common.streams;
  }
  get seeksExactly() {
    return this.common.seeksExactly;
  }
  get playsEverywhere() {
    return this.common.playsEverywhere;
  }
  get cover() {
    return this.common.cover;
  }
  get subtitles() {
    return this.common.subtitles;
  }
}

interface CommonOfFiles extends Common {
  /** Absolute, links resolved. */
  directory: string;
}

class KeptTrack extends TrackOfAlbum<CommonOfFiles> implements LibraryItem {
  readonly id: VideoId;
  readonly title: string;
  readonly durationSeconds: number | null;
  readonly modifiedMs: number;
  readonly lyrics: LibraryItem['lyrics'];
  readonly loudness: LibraryItem['loudness'];
  readonly file: string;

  constructor(item: LibraryItem, common: CommonOfFiles) {
    super(common, item.album?.place ?? 0);
    this.id = item.id;
    this.title = item.title;
    this.durationSeconds = item.durationSeconds;
    this.modifiedMs = item.modifiedMs;
    this.lyrics = item.lyrics.in === 'nowhere' ? nowhere : item.lyrics.in === 'media' ? inMedia : item.lyrics;
    const { track, album } = item.loudness;
    this.loudness = track === null && album === null ? unknownLoudness : item.loudness;
    this.file = ownCopy(basename(item.path));
  }

  get path() {
    const { directory } = this.common;
    return directory.endsWith(sep) ? directory + this.file : directory + sep + this.file;
  }
}

/** Gives tracks the form in which lists keep them. `before` is the list until now: a track that is the same stays the object that it was. */
export function keeper(before: Pick<KeptList, 'byId'>): (item: LibraryItem) => LibraryItem {
  const [{ text, list }, commons] = [pooledTexts(), pool<CommonOfFiles>()];
  return (item) => {
    if (item instanceof KeptTrack) return item;
    const known = before.byId(item.id);
    if (known !== null && isAs(known, item)) return known;
    const { artist, artists, genres, folder, kind, mime, streams, seeksExactly, playsEverywhere, subtitles } = item;
    const common: CommonOfFiles = {
      ...{ artist: text(artist), artists: list(artists), genres: list(genres), folder: text(folder) },
      album: item.album && { name: text(item.album.name), artist: text(item.album.artist), year: item.album.year },
      ...{ kind: kind === 'audio' ? 'audio' : 'video', mime: text(mime), streams, seeksExactly, playsEverywhere },
      ...{ cover: coverOf(item.cover), subtitles: subtitles.length === 0 ? none : subtitles },
      directory: text(dirname(item.path)),
    };
    return new KeptTrack(
      item,
      commons(JSON.stringify(common), () => common),
    );
  };
}

const coverOf = (cover: LibraryItem['cover']): LibraryItem['cover'] =>
  cover.in === 'media' ? inMedia : cover.in === 'nowhere' ? nowhere : cover;

/** But for what only tracks of other sources have, which are kept in their own form. */
function isAs(known: LibraryItem, item: LibraryItem): boolean {
  if (known === item) return true;
  return (
    known.modifiedMs === item.modifiedMs &&
    known.title === item.title &&
    isDeepStrictEqual(plainItem(known), plainItem(item))
  );
}

/** The list of what is made of what was found; the one before where nothing has changed. */
export async function listOf(
  found: readonly LibraryItem[],
  before: KeptList,
  made: Recalling['made'] = (item) => item,
): Promise<KeptList> {
  const keep = keeper(before);
  const list = growingList();
  let isSame = found.length === before.items.length;
  for await (const some of inTurns(found)) {
    for (const item of some) {
      const kept = keep(made(item));
      isSame &&= kept === before.items[list.items.length];
      list.push(kept);
    }
  }
  return isSame ? before : list;
}

/** A start waits so long for all that is known of a source; what is missing then is listed meanwhile. */
export const knownPatienceMs = 250;

/** So many tracks are listed at first of those that were known, and more whenever their number has grown by this factor. */
const [firstShown, showGrowth] = [1000, 2];

export interface Recalling {
  /** What is listed of a track. */
  made(item: LibraryItem): LibraryItem;
  show(list: KeptList): void;
}

/** Lists tracks that were known while they come, and in their order once all are there. */
export async function recalledList(
  known: AsyncIterable<{ item: LibraryItem; order: string }>,
  { made, show }: Recalling,
): Promise<KeptList> {
  const keep = keeper({ byId: () => null });
  const found = growingList();
  /** Of each in turn. */
  const orders: string[] = [];
  let shown = firstShown / showGrowth;
  const turn = turns();
  for await (const { item, order } of known) {
    if (turn.isDue()) await turn.give();
    const kept = keep(made(item));
    if (found.byId(kept.id) !== null) continue;
    found.push(kept);
    orders.push(order);
    if (orders.length < shown * showGrowth) continue;
    shown = orders.length;
    show(found.soFar());
  }
  const orderAt = (at: number): string => orders[at] ?? '';
  const places = Array.from(orders, (_, at) => at);
  const sorted = await sortedInTurns(places, (a, b) =>
    orderAt(a) < orderAt(b) ? -1 : Number(orderAt(a) > orderAt(b)),
  );
  const list = growingList();
  for await (const some of inTurns(sorted)) for (const at of some) list.push(found.items[at] as LibraryItem);
  return list;
}
