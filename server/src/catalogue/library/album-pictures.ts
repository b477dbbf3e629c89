/**
 * Decides which picture beside the files of an album is its cover, and which bytes are a picture that can be shown. What
 * is not shown is never promised to a page.
 */
import { basename, dirname, extname, sep } from 'node:path';
import { openStill } from '../media/still-there.ts';
import type { FoundFile, LibraryItem } from './library-item.ts';

/** Larger pictures are made smaller before they are sent. */
export const maxCoverBytes = 5 * 1024 * 1024;
/** What is made smaller is read whole. */
const maxReadBytes = 32 * 1024 * 1024;
/** Image types that can't run scripts. */
const coverTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** Whether a picture can be sent, as it is or made smaller. */
export const isShowable = (mime: string, bytes: number): boolean =>
  coverTypes.has(mime) && bytes <= (mime === 'image/gif' ? maxCoverBytes : maxReadBytes);

/** The better the name, the earlier. */
const names = ['cover', 'folder', 'front', 'album', 'albumart', 'albumartsmall', 'artwork', 'thumb'];
const extensions = new Set(['.jpg', '.jpeg', '.jpe', '.jfif', '.png', '.webp', '.gif']);
/** Discs of an album have the cover of the folder above. */
const disc = /^(?:cd|disc|disk|dvd|side|vinyl)[\s._-]*(?:\d{1,2}|[a-d])$/iu;

const rankOf = (path: string): number => names.indexOf(basename(path, extname(path)).trim().toLowerCase());

/** Whether a file may be the cover of the album that it lies beside. */
export const isAlbumPicture = (path: string): boolean =>
  extensions.has(extname(path).toLowerCase()) && rankOf(path) >= 0;

/** The type by the first bytes, whatever the name says; null for what is no picture that is shown. */
export function pictureType(head: Uint8Array): string | null {
  const text = Buffer.from(head.subarray(0, 12)).toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (text.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (/^GIF8[79]a/u.test(text)) return 'image/gif';
  return text.startsWith('RIFF') && text.endsWith('WEBP') ? 'image/webp' : null;
}

/** The items, those without a cover inside with the picture beside them. `onUnfit` gets what can't be shown. */
export async function withAlbumPictures<T extends { item: LibraryItem; relativePath: string }>(
  found: readonly T[],
  pictures: readonly FoundFile[],
  onUnfit: (relativePath: string) => void,
): Promise<T[]> {
  const best = new Map<string, FoundFile>();
  for (const picture of pictures.toSorted((a, b) => rankOf(a.relativePath) - rankOf(b.relativePath))) {
    const folder = dirname(picture.relativePath);
    if (best.has(folder)) continue;
    if (await isShown(picture)) best.set(folder, picture);
    else onUnfit(picture.relativePath);
  }
  return found.map((each) => {
    if (each.item.cover.in !== 'nowhere') return each;
    const folder = dirname(each.relativePath);
    const isDisc = disc.test(folder.split(sep).at(-1) ?? '');
    const picture = best.get(folder) ?? (isDisc ? best.get(dirname(folder)) : undefined);
    return picture === undefined
      ? each
      : { ...each, item: { ...each.item, cover: { in: 'file', path: picture.path } } };
  });
}

async function isShown({ path, size }: FoundFile): Promise<boolean> {
  const file = await openStill(path);
  try {
    const head = Buffer.alloc(12);
    await file?.read(head, 0, head.length, 0);
    return isShowable(pictureType(head) ?? '', size);
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}

/** The whole of a picture's file; null for one that is not shown. */
export async function readPicture(path: string): Promise<{ bytes: Buffer; mime: string } | null> {
  const file = await openStill(path);
  try {
    if (file === null || (await file.stat()).size > maxReadBytes) return null;
    const bytes = await file.readFile();
    const mime = pictureType(bytes);
    return mime === null || !isShowable(mime, bytes.length) ? null : { bytes, mime };
  } finally {
    await file?.close();
  }
}
