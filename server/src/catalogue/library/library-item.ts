/**
 * One playable file of the operator. Its id depends only on its path in the folder, so rooms and caches survive a
 * restart, and nothing outside the folder can be named.
 */
import { sep } from 'node:path';
import { shortHash } from './short-hash.ts';
import type { Subtitles } from './subtitles.ts';
import { cleanTitle, type RoomKind, videoId, type VideoId } from '@tunemate/protocol';

/** Where an item's cover is: a file of its own, inside the media file, or nowhere. */
export type LibraryCover = { in: 'file'; path: string } | { in: 'media' } | { in: 'nowhere' };

/** The album that a file's tags name. */
export interface LibraryAlbum {
  name: string;
  /** Null when the tags name none for the album as a whole. */
  artist: string | null;
  year: number | null;
  /** Where the track stands on the album, discs included; 0 when the tags do not say. */
  place: number;
}

export interface LibraryItem {
  id: VideoId;
  title: string;
  /** Null when neither tags nor manifest name one. */
  artist: string | null;
  album: LibraryAlbum | null;
  /** From the library's folder, with forward slashes; empty for the folder itself. */
  folder: string;
  /** When the file was last changed, server time in ms. */
  modifiedMs: number;
  kind: 'audio' | 'video';
  /** Null when the file does not say. */
  durationSeconds: number | null;
  mime: string;
  /** Whether all browsers seek to the exact position. */
  seeksExactly: boolean;
  /** Absolute, with every symbolic link resolved. */
  path: string;
  cover: LibraryCover;
  /** Empty for everything but films. */
  subtitles: readonly Subtitles[];
}

/** Audio rooms see no films. */
export const isShownIn: Record<RoomKind, (item: Pick<LibraryItem, 'kind'>) => boolean> = {
  video: () => true,
  audio: ({ kind }) => kind === 'audio',
};

/** `lib_` and 16 hex digits of SHA-256 of the path relative to the library's folder, with forward slashes. */
export function libraryId(relativePath: string): VideoId {
  const place = relativePath.split(sep).join('/').normalize('NFC');
  return videoId.parse(`lib_${shortHash(place)}`);
}

/** The title under which an item plays: rooms have no field of their own for the artist. */
export function playedTitle({ title, artist }: Pick<LibraryItem, 'title' | 'artist'>): string {
  return artist === null ? title : cleanTitle(`${title} – ${artist}`, title);
}
