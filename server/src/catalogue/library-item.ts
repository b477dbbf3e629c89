/**
 * One playable file of the operator. Its id depends only on its path in the folder, so rooms and caches survive a
 * restart, and nothing outside the folder can be named.
 */
import { createHash } from 'node:crypto';
import { sep } from 'node:path';
import { videoId, type VideoId } from '@tunemate/protocol';

/** Where an item's cover is: a file of its own, inside the media file, or nowhere. */
export type LibraryCover = { in: 'file'; path: string } | { in: 'media' } | { in: 'nowhere' };

export interface LibraryItem {
  id: VideoId;
  title: string;
  /** Null when neither tags nor manifest name one. */
  artist: string | null;
  kind: 'audio' | 'video';
  /** Null when the file does not say. */
  durationSeconds: number | null;
  mime: string;
  /** Whether all browsers seek to the exact position. */
  seeksExactly: boolean;
  /** Absolute, with every symbolic link resolved. */
  path: string;
  cover: LibraryCover;
}

/** `lib_` and 16 hex digits of SHA-256 of the path relative to the library's folder, with forward slashes. */
export function libraryId(relativePath: string): VideoId {
  const place = relativePath.split(sep).join('/').normalize('NFC');
  return videoId.parse(`lib_${createHash('sha256').update(place).digest('hex').slice(0, 16)}`);
}
