/**
 * The covers of library items. A cover inside a media file is read once and cached while the file stays the same and
 * the cache has space; two requests at once read it once.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Result } from '@tunemate/protocol';
import { accept, refuse } from '../../system/ports.ts';
import { readPicture } from './album-pictures.ts';
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

export function createCovers(maxBytes = rememberedBytes): Covers {
  /** By file, version and size, the least recently used first. */
  const known = new Map<string, Entry>();
  let bytesKnown = 0;

  function remember(key: string, found: Promise<Cover | null>): Entry {
    const entry = { found, bytes: entryBytes };
    known.set(key, entry);
    bytesKnown += entry.bytes;
    void found.then((cover) => {
      // Others may have taken its place while it was read.
      if (known.get(key) !== entry) return;
      const coverBytes = cover === null ? 0 : cover.bytes.length;
      entry.bytes += coverBytes;
      bytesKnown += coverBytes;
      forgetOldest();
    });
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
      const key = source && (await versionOf(source.path));
      if (source === null || key === null) return refuse('access/not-found');
      let entry = known.get(key);
      if (entry) {
        known.delete(key);
        known.set(key, entry);
      } else {
        const may = await mayLook();
        if (!may.ok) return may;
        entry = known.get(key) ?? remember(key, readCover(source));
      }
      const cover = await entry.found;
      return cover === null ? refuse('access/not-found') : accept(cover);
    },
  };
}

interface Source {
  path: string;
  /** False for a media file that has the cover inside. */
  isPicture: boolean;
}

function sourceOf({ cover, path }: LibraryItem): Source | null {
  if (cover.in === 'nowhere') return null;
  return cover.in === 'media' ? { path, isPicture: false } : { path: cover.path, isPicture: true };
}

/** Null where there is no file any more, or a link in its place. */
async function versionOf(path: string): Promise<string | null> {
  if (!(await leadsNowhereElse(path))) return null;
  const found = await stat(path).catch(() => null);
  return found && `${path}\n${String(found.size)}\n${String(found.mtimeMs)}`;
}

async function readCover({ path, isPicture }: Source): Promise<Cover | null> {
  try {
    if (isPicture) {
      const picture = await readPicture(path);
      return picture && describe(picture.bytes, picture.mime);
    }
    const picture = await embeddedCover(path);
    return picture && describe(Buffer.from(picture.data), picture.format);
  } catch {
    return null;
  }
}

function describe(bytes: Buffer, mime: string): Cover {
  return { bytes, mime, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}
