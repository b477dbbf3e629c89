/**
 * The covers of library items. A cover inside a media file is read once and cached while the file stays the same and
 * the cache has space; two requests at once read it once.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Result } from '@tunemate/protocol';
import { accept, Failure, refuse } from '../../system/ports.ts';
import { maxCoverBytes, pictureIn, readPicture } from './album-pictures.ts';
import type { LibraryItem } from './library-item.ts';
import { leadsNowhereElse } from '../media/still-there.ts';
import { embeddedCover } from './tags.ts';

const rememberedBytes = 32 * 1024 * 1024;
/** The size that the cache counts for a file without a cover. */
const entryBytes = 500;

export interface Cover {
  bytes: Buffer;
  mime: string;
  etag: string;
}

export interface Covers {
  /** An image type that can't run scripts. `mayLook` is asked before a file is read. */
  of(item: LibraryItem, mayLook: () => Promise<Result<unknown>>): Promise<Result<Cover>>;
}

interface Entry {
  found: Promise<Cover | null>;
  bytes: number;
}

/** A smaller WebP of an untrusted picture, made in a process of its own; null for one that it can't read. */
export type MakeSmaller = (bytes: Uint8Array) => Promise<Uint8Array | null>;

/** Asks the music server for a picture. */
interface RemotePictures {
  cover(id: string): Promise<Result<Buffer>>;
}

export function createCovers(
  maxBytes = rememberedBytes,
  makeSmaller: MakeSmaller | null = null,
  remote: RemotePictures | null = null,
): Covers {
  /** By file, version and size, the least recently used first. */
  const known = new Map<string, Entry>();
  let bytesKnown = 0;

  function remember(key: string, found: Promise<Cover | null>): Entry {
    const entry = { found, bytes: entryBytes };
    known.set(key, entry);
    bytesKnown += entry.bytes;
    void found.then(
      (cover) => {
        // Others may have taken its place while it was read.
        if (known.get(key) !== entry) return;
        const coverBytes = cover === null ? 0 : cover.bytes.length;
        entry.bytes += coverBytes;
        bytesKnown += coverBytes;
        forgetOldest();
      },
      // It could not be tried now: the next request tries again.
      () => {
        if (known.get(key) === entry && known.delete(key)) bytesKnown -= entry.bytes;
      },
    );
    return entry;
  }

  function forgetOldest(): void {
    for (const [key, { bytes }] of known) {
      if (bytesKnown <= maxBytes) return;
      known.delete(key);
      bytesKnown -= bytes;
    }
  }

  return {
    async of(item, mayLook) {
      const source = sourceOf(item);
      const key =
        source &&
        (source.in === 'remote' ? `remote\n${source.id}\n${String(hourNow())}` : await versionOf(source.path));
      if (source === null || key === null) return refuse('access/not-found');
      let entry = known.get(key);
      if (entry) {
        known.delete(key);
        known.set(key, entry);
      } else {
        const may = await mayLook();
        if (!may.ok) return may;
        entry = known.get(key) ?? remember(key, readCover(source, makeSmaller, remote));
      }
      const cover = await entry.found;
      return cover === null ? refuse('access/not-found') : accept(cover);
    },
  };
}

/** A music server does not say when a picture has changed, so it is asked again. */
const hourNow = (): number => Math.floor(Date.now() / 3_600_000);

type Source = { in: 'picture'; path: string } | { in: 'media'; path: string } | { in: 'remote'; id: string };

function sourceOf({ cover, path }: LibraryItem): Source | null {
  if (cover.in === 'nowhere') return null;
  if (cover.in === 'remote') return cover;
  return cover.in === 'media' ? { in: 'media', path } : { in: 'picture', path: cover.path };
}

/** Null where there is no file any more, or a link in its place. */
async function versionOf(path: string): Promise<string | null> {
  if (!(await leadsNowhereElse(path))) return null;
  const found = await stat(path).catch(() => null);
  return found && `${path}\n${String(found.size)}\n${String(found.mtimeMs)}`;
}

async function readCover(
  source: Source,
  makeSmaller: MakeSmaller | null,
  remote: RemotePictures | null,
): Promise<Cover | null> {
  try {
    const picture = await pictureOf(source, remote);
    if (picture === null) return null;
    if (picture.bytes.length <= maxCoverBytes) return describe(picture.bytes, picture.mime);
    const smaller = (await makeSmaller?.(picture.bytes)) ?? null;
    return smaller && describe(Buffer.from(smaller), 'image/webp');
  } catch (error) {
    // Too many pictures wait, or the server ends: this says nothing of the cover.
    if (error instanceof Failure) throw error;
    return null;
  }
}

async function pictureOf(
  source: Source,
  remote: RemotePictures | null,
): Promise<{ bytes: Buffer; mime: string } | null> {
  if (source.in === 'picture') return await readPicture(source.path);
  if (source.in === 'media') return await pictureInside(source.path);
  const answer = (await remote?.cover(source.id)) ?? refuse('access/not-found');
  if (answer.ok) return pictureIn(answer.value);
  if (answer.error.code === 'access/not-found') return null;
  throw new Failure(answer.error.code, 'catalogue.subsonic-failed');
}

async function pictureInside(path: string): Promise<{ bytes: Buffer; mime: string } | null> {
  const picture = await embeddedCover(path);
  return picture && { bytes: Buffer.from(picture.data), mime: picture.format };
}

function describe(bytes: Buffer, mime: string): Cover {
  return { bytes, mime, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}
