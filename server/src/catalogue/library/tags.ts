/**
 * Reads the tags of a media file. A file whose tags can't be read, or that contains no audio, is no item.
 */
import { basename, dirname, extname, sep } from 'node:path';
import { cleanTitle } from '@tunemate/protocol';
import { type ICommonTagsResult, type IPicture, parseFile, selectCover } from 'music-metadata';
import {
  formatOf,
  type FoundFile,
  type LibraryAlbum,
  libraryId,
  type LibraryItem,
  seeksExactly,
} from './library-item.ts';

/** Throws when the file is broken or contains nothing to play. */
export async function readTagged(file: FoundFile): Promise<LibraryItem> {
  const { common, format } = await parseFile(file.path, { duration: true });
  const durationSeconds = format.duration ?? null;
  if (format.container === undefined || (format.codec === undefined && format.hasAudio !== true)) {
    throw new Error('no audio track');
  }
  if (durationSeconds !== null && !(durationSeconds > 0)) throw new Error('no duration');
  const name = basename(file.path, extname(file.path));
  return {
    id: libraryId(file.relativePath),
    title: cleanTitle(common.title ?? '', cleanTitle(name.replaceAll('_', ' '), 'Untitled')),
    artist: named(common.artist),
    album: albumOf(common),
    folder: folderOf(file.relativePath),
    modifiedMs: file.modifiedMs,
    ...formatOf(file.path, format.hasVideo === true),
    seeksExactly: seeksExactly(file.path, format.codec),
    durationSeconds,
    path: file.path,
    cover: selectCover(common.picture) === null ? { in: 'nowhere' } : { in: 'media' },
    subtitles: [],
  };
}

const named = (text: string | undefined): string | null => cleanTitle(text ?? '', '') || null;

/** More discs and tracks than an album has; the disc counts first. */
const tracksOfDisc = 10_000;

function albumOf({ album, albumartist, year, disk, track }: ICommonTagsResult): LibraryAlbum | null {
  const name = named(album);
  if (name === null) return null;
  const place = (disk.no ?? 0) * tracksOfDisc + (track.no ?? 0);
  return { name, artist: named(albumartist), year: year ?? null, place };
}

function folderOf(relativePath: string): string {
  const folder = dirname(relativePath).split(sep).join('/');
  return folder === './' ? '' : folder;
}

/** The picture inside a media file, or null. */
export async function embeddedCover(path: string): Promise<IPicture | null> {
  const { common } = await parseFile(path);
  return selectCover(common.picture);
}
