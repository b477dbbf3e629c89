/**
 * One playable file of the operator. Its id depends only on its path in the folder, or on its id at its source, so
 * rooms and caches survive a restart, and nothing outside of them can be named.
 */
import { createHash } from 'node:crypto';
import { extname, sep } from 'node:path';
import { cleanTitle, type RoomKind, videoId, type VideoId } from '@tunemate/protocol';
import type { Log } from '../../system/ports.ts';
import type { MeasuredTrack } from '../media/measured.ts';

/**
 * Where an item's cover is: a file of its own, a frame taken from the film, inside the media file, at its source under
 * the source's id, or nowhere.
 */
export type LibraryCover =
  | { in: 'file' | 'frame'; path: string }
  | { in: 'source'; id: string }
  | { in: 'media' }
  | { in: 'nowhere' };

/** Where a source has a track that is no file of this machine. */
export interface AtSource {
  source: string;
  /** The source's own. */
  id: string;
  /** Null when the source does not say. */
  bytes: number | null;
}

/** Where the words of a track are: in a file of their own, in the tags of the media file, or nowhere. */
type LibraryLyrics = { in: 'file'; path: string } | { in: 'media' } | { in: 'nowhere' };

/** The album that a file's tags name. */
export interface LibraryAlbum {
  name: string;
  /** Null when the tags name none for the album as a whole. */
  artist: string | null;
  year: number | null;
  /** Where the track stands on the album, discs included; 0 when the tags do not say. */
  place: number;
}

/** A file of subtitles beside a film. */
export interface Subtitles {
  /** 16 hex digits of SHA-256 of the file's path in the folder. */
  id: string;
  /** BCP 47; null when the file's name does not end in one. */
  language: string | null;
  /** What stands between the film's name and the extension, when it is no language. */
  label: string | null;
  /** Absolute, with every symbolic link resolved. */
  path: string;
}

/** MIME types with a codec, as browsers are asked whether they play them; null for a film without that part. */
export interface FilmStreams {
  picture: string | null;
  sound: string | null;
}

export interface LibraryItem {
  id: VideoId;
  title: string;
  /** As shown, all of several; null when neither tags nor manifest name one. */
  artist: string | null;
  /** Each artist by itself. */
  artists: readonly string[];
  genres: readonly string[];
  album: LibraryAlbum | null;
  /** From the library's folder, with forward slashes; empty for the folder itself. */
  folder: string;
  /** When the file was last changed, server time in ms. */
  modifiedMs: number;
  kind: 'audio' | 'video';
  /** Null when the file does not say. */
  durationSeconds: number | null;
  mime: string;
  /** Of a film as far as known, so that pages can ask their browser; null for a track. */
  streams: FilmStreams | null;
  /** Whether all browsers seek to the exact position. */
  seeksExactly: boolean;
  /** False for a track whose codec some browsers lack; of films `streams` says more. */
  playsEverywhere: boolean;
  /** Absolute, with every symbolic link resolved; empty for a track that is no file of this machine. */
  path: string;
  cover: LibraryCover;
  /** Empty for everything but films. */
  subtitles: readonly Subtitles[];
  lyrics: LibraryLyrics;
  /** Left out for a file of the folder. */
  at?: AtSource;
  /**
   * As the tags say of the recording, in LUFS; null where they say nothing. `measured` is left out unless the folder's list
   * says what ffmpeg would find.
   */
  loudness: { track: number | null; album: number | null; measured?: Pick<MeasuredTrack, 'peaks' | 'tempo'> };
}

/** A copy of its own: most facts of a listed item are not its own properties, and `...` leaves them out. */
export function plainItem(item: LibraryItem): LibraryItem {
  const { id, title, artist, artists, genres, album, folder, modifiedMs, kind, durationSeconds, mime, streams } = item;
  const { seeksExactly, playsEverywhere, path, cover, subtitles, lyrics, at, loudness } = item;
  return {
    ...{ id, title, artist, artists, genres, album, folder, modifiedMs, kind, durationSeconds, mime, streams },
    ...{ seeksExactly, playsEverywhere, path, cover, subtitles, lyrics, loudness },
    ...(at && { at }),
  };
}

/** More discs and tracks than an album has; the disc counts first in the place of a track. */
export const tracksOfDisc = 10_000;

/** Audio rooms see no films. */
export const isShownIn: Record<RoomKind, (item: Pick<LibraryItem, 'kind'>) => boolean> = {
  video: () => true,
  audio: ({ kind }) => kind === 'audio',
};

/** `lib_` and 16 hex digits of SHA-256 of the path relative to the library's folder, with forward slashes. */
export function libraryId(relativePath: string): VideoId {
  const place = relativePath.split(sep).join('/').normalize('NFC');
  // Joined and not concatenated: V8 would keep the parts of each id.
  return videoId.parse(['lib_', shortHash(place)].join(''));
}

/** The title under which an item plays: rooms have no field of their own for the artist. */
export function playedTitle({ title, artist }: Pick<LibraryItem, 'title' | 'artist'>): string {
  return artist === null ? title : cleanTitle(`${title} – ${artist}`, title);
}

/** A file of the operator's folder. */
export interface FoundFile {
  /** From the folder, as the operator sees it. */
  relativePath: string;
  /** Absolute, links resolved. */
  path: string;
  size: number;
  modifiedMs: number;
  /** Stays the same when the file gets another name or folder on its disk. */
  inode: number;
}

// Which files count as playable, and what they are called on the wire.
/** MIME types by extension; the second is for files of that container with a video track. */
const formats: Readonly<Record<string, { audio: string; video?: string }>> = {
  '.mp3': { audio: 'audio/mpeg' },
  '.m4a': { audio: 'audio/mp4' },
  '.m4b': { audio: 'audio/mp4' },
  '.ogg': { audio: 'audio/ogg' },
  '.oga': { audio: 'audio/ogg' },
  '.opus': { audio: 'audio/ogg' },
  '.flac': { audio: 'audio/flac' },
  '.wav': { audio: 'audio/wav' },
  '.mp4': { audio: 'audio/mp4', video: 'video/mp4' },
  '.m4v': { audio: 'audio/mp4', video: 'video/mp4' },
  '.webm': { audio: 'audio/webm', video: 'video/webm' },
  '.weba': { audio: 'audio/webm' },
};

/** Containers in which browsers seek to the exact sample; measured, like the figures below. */
const exact = new Set(['.m4a', '.m4b', '.mp4', '.m4v', '.flac', '.wav']);

/**
 * Whether all browsers seek to the exact position. In MP3 and Ogg they are off by 7 to 260 ms, differently in each
 * engine, so late joiners hear an echo; in WebM only Opus is exact.
 */
export function seeksExactly(path: string, codec: string | undefined): boolean {
  const extension = extname(path).toLowerCase();
  return exact.has(extension) || (/^\.web[ma]$/u.test(extension) && codec?.toLowerCase().includes('opus') === true);
}

/** Codecs of tracks that only some browsers have. */
const rare = /^<?(?:alac|ac-?[34]|ec-?3|e-?ac-?3|dts[a-z]?|mlpa)\b/i;
export const playsEverywhere = (codec: string | undefined): boolean => !rare.test(codec ?? '');

export function isMediaFile(path: string): boolean {
  return Object.hasOwn(formats, extname(path).toLowerCase());
}

/** The type of a media file, by its extension and whether it has a video track. */
export function formatOf(path: string, hasVideo: boolean): { kind: 'audio' | 'video'; mime: string } {
  const format = formats[extname(path).toLowerCase()];
  if (format === undefined) throw new Error(`not a media file: ${path}`);
  return hasVideo && format.video !== undefined
    ? { kind: 'video', mime: format.video }
    : { kind: 'audio', mime: format.audio };
}

// Names for what has none that fits an address: the same after a restart, and impossible to guess a path from.
/** 16 hex digits of SHA-256. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest().toString('hex', 0, 8);

/** Where a path is without the ending of its name. */
export const withoutExtension = (path: string): string => path.slice(0, path.length - extname(path).length);

/** Systems differ in how they write accents and what parts folders, and people in capitals. */
export const alike = (path: string): string => path.split(sep).join('/').normalize('NFC').toLowerCase();

const fewerAdvice =
  'Is each of its disks mounted, and may the account of this server see all of its folders? What was deleted needs nothing.';
/** A tenth of a list, and ten of it, do not go without a word: a disk below the folder may be away, or a right. */
export function noteFewer(log: Pick<Log, 'warn'>, event: string, before: number, now: number): void {
  const gone = before - now;
  if (gone >= 10 && gone * 10 >= before && now > 0) log.warn({ before, now, advice: fewerAdvice }, event);
}
