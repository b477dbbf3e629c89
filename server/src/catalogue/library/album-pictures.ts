/**
 * Decides which picture beside the files of an album is its cover, which belongs to one film or track alone, and which
 * bytes are a picture that can be shown. What is not shown is never promised to a page.
 */
import { basename, dirname, extname, sep } from 'node:path';
import { openStill } from '../media/still-there.ts';
import { inTurns, sortedInTurns } from '../../system/in-turns.ts';
import { alike, type FoundFile, type LibraryItem, plainItem, withoutExtension } from './library-item.ts';

/** Larger pictures are made smaller before they are sent. */
export const maxCoverBytes = 5 * 1024 * 1024;
/** What is made smaller is read whole. */
export const maxReadBytes = 32 * 1024 * 1024;
/** Image types that can't run scripts. */
const coverTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** Whether a picture can be sent, as it is or made smaller. */
export const isShowable = (mime: string, bytes: number): boolean =>
  coverTypes.has(mime) && bytes <= (mime === 'image/gif' ? maxCoverBytes : maxReadBytes);

/** The better the name, the earlier. */
const names = ['cover', 'folder', 'front', 'album', 'albumart', 'poster', 'artwork', 'thumb', 'albumartsmall'];
/** What programs and people of other languages call it. */
const inOtherWords = new Set([
  ...['hülle', 'portada', 'capa', 'pochette', 'jaquette', 'copertina', 'okładka', 'kapak', 'обложка', 'обкладинка'],
  ...['カバー', 'ジャケット', '封面', '表紙', '커버', 'غلاف', 'कवर'],
]);
const extensions = new Set(['.jpg', '.jpeg', '.jpe', '.jfif', '.png', '.webp', '.gif']);
/** Discs of an album have the cover of the folder above. */
const disc = /^(?:cd|disc|disk|dvd|side|vinyl)[\s._-]*(?:\d{1,2}|[a-d])$/iu;
/** Folders of pictures inside that of the album. */
const ofPictures = /^(?:art(?:work)?|covers?|scans)$/iu;

/** `Cover (1)`, `Front Cover`, `AlbumArt_{5F3A…}_Large`: each by the plain name it stands for. */
function rankOf(path: string): number {
  const plain = withoutExtension(basename(path)).toLowerCase();
  const name = plain
    .replace(/_\{[\da-f-]+\}_?(?:large)?/u, '')
    .replace(/[\s._-]*\(?\d{0,2}\)?$/u, '')
    .replaceAll(/[\s_-]/gu, '')
    .normalize('NFC');
  const isCover = /^(?:front|album)cover$|^coverfront$/u.test(name) || inOtherWords.has(name);
  const rank = names.indexOf(isCover ? 'cover' : name);
  return rank < 0 && endsAsCover.test(plain) ? names.length : rank;
}

/** `Artist - Album - Front`, `Album (Cover)` */
const endsAsCover = /[^a-z](?:front|cover)\)?$/u;

export const isPicture = (path: string): boolean => extensions.has(extname(path).toLowerCase());
/** Whether a picture's name says that it is the cover of what it lies beside. */
export const isNamedAsCover = (path: string): boolean => rankOf(path) >= 0;

/** The type by the first bytes, whatever the name says; null for what is no picture that is shown. */
export function pictureType(head: Uint8Array): string | null {
  const text = Buffer.from(head.subarray(0, 12)).toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (text.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (/^GIF8[79]a/u.test(text)) return 'image/gif';
  return text.startsWith('RIFF') && text.endsWith('WEBP') ? 'image/webp' : null;
}

/**
 * The items, those without a cover inside with the picture that has their name, or is named as the cover of their folder.
 * `onUnfit` gets pictures named as a cover that can't be shown.
 */
export async function withAlbumPictures<T extends { item: LibraryItem; relativePath: string }>(
  found: readonly T[],
  pictures: readonly FoundFile[],
  onUnfit: (relativePath: string) => void,
): Promise<T[]> {
  const best = new Map<string, FoundFile>();
  const own = new Map<string, FoundFile>();
  const named: { picture: FoundFile; rank: number }[] = [];
  for await (const some of inTurns(pictures)) {
    for (const picture of some) {
      // `Film.jpg` and `Film-poster.jpg` are of `Film.mp4`.
      own.set(alike(withoutExtension(picture.relativePath)), picture);
      const rank = rankOf(picture.relativePath);
      if (rank >= 0) named.push({ picture, rank });
    }
  }
  for (const { picture } of await sortedInTurns(named, (a, b) => a.rank - b.rank)) {
    const folder = albumOf(picture.relativePath);
    if (best.has(folder)) continue;
    if (await isShown(picture)) best.set(folder, picture);
    else onUnfit(picture.relativePath);
  }
  const shown: T[] = [];
  for await (const some of inTurns(found)) shown.push(...(await Promise.all(some.map(withPicture))));
  return shown;

  async function withPicture(each: T): Promise<T> {
    if (each.item.cover.in !== 'nowhere') return each;
    const name = alike(withoutExtension(each.relativePath));
    for (const suffix of ['', '-poster', '.poster', '-cover', '.cover', '-thumb', '.thumb']) {
      const picture = own.get(name + suffix);
      if (picture !== undefined && (await isShown(picture))) return showing(each, picture);
    }
    const folder = dirname(each.relativePath);
    const isDisc = disc.test(folder.split(sep).at(-1) ?? '');
    const picture = best.get(folder) ?? (isDisc ? best.get(dirname(folder)) : undefined);
    return picture === undefined ? each : showing(each, picture);
  }
}

const showing = <T extends { item: LibraryItem }>(each: T, { path }: FoundFile): T => ({
  ...each,
  item: { ...plainItem(each.item), cover: { in: 'file', path } },
});

/** The folder that a picture is the cover of. */
function albumOf(path: string): string {
  const folder = dirname(path);
  return ofPictures.test(basename(folder)) ? dirname(folder) : folder;
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
    return pictureIn(await file.readFile());
  } finally {
    await file?.close();
  }
}

/** Null when these bytes are no picture that is shown. */
export function pictureIn(bytes: Buffer): { bytes: Buffer; mime: string } | null {
  const mime = pictureType(bytes);
  return mime === null || !isShowable(mime, bytes.length) ? null : { bytes, mime };
}
