/**
 * Reads the tags of a media file. A file whose tags can't be read, or that contains no audio, is no item.
 */
import { basename, extname } from 'node:path';
import { cleanTitle } from '@tunemate/protocol';
import { type IPicture, parseFile, selectCover } from 'music-metadata';
import type { FoundFile } from './folder-walk.ts';
import { type LibraryItem, libraryId } from './library-item.ts';
import { formatOf, seeksExactly } from './media-formats.ts';

/** Throws when the file is broken or contains nothing to play. */
export async function readTagged(file: FoundFile): Promise<LibraryItem> {
  const { common, format } = await parseFile(file.path, { duration: true });
  const durationSeconds = format.duration ?? null;
  if (format.container === undefined || (format.codec === undefined && format.hasAudio !== true)) {
    throw new Error('no audio track');
  }
  if (durationSeconds !== null && !(durationSeconds > 0)) throw new Error('no duration');
  const name = basename(file.path, extname(file.path));
  const artist = cleanTitle(common.artist ?? '', '');
  return {
    id: libraryId(file.relativePath),
    title: cleanTitle(common.title ?? '', cleanTitle(name.replaceAll('_', ' '), 'Untitled')),
    artist: artist === '' ? null : artist,
    ...formatOf(file.path, format.hasVideo === true),
    seeksExactly: seeksExactly(file.path, format.codec),
    durationSeconds,
    path: file.path,
    cover: selectCover(common.picture) === null ? { in: 'nowhere' } : { in: 'media' },
  };
}

/** The picture inside a media file, or null. */
export async function embeddedCover(path: string): Promise<IPicture | null> {
  const { common } = await parseFile(path);
  return selectCover(common.picture);
}
