/**
 * The covers of library items. A cover inside a media file is read once and cached while the file stays the same and
 * the cache has space; two requests at once read it once.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Result } from '@tunemate/protocol';
import { accept, refuse } from '../ports.ts';
import type { LibraryItem } from './library-item.ts';
import { embeddedCover } from './tagged-file.ts';

const maxCoverBytes = 5 * 1024 * 1024;
const rememberedBytes = 32 * 1024 * 1024;
/** The size that the cache counts for a file without a cover. */
const entryBytes = 500;
const coverTypes = new Set(['image/png', 'image/jpeg', 'image/webp']);

export interface Cover {
  bytes: Buffer;
  mime: string;
  etag: string;
}

export interface Covers {
  /** An image type that can't run scripts. `mayLook` is asked before a file is read. */
  of(item: LibraryItem, mayLook: () => Promise<Result<unknown>>): Promise<Result<Cover>>;
}

export function createCovers(maxBytes = rememberedBytes): Covers {
  /** By file, version and size, the least recently used first. */
  const known = new Map<string, { found: Promise<Cover | null>; bytes: number }>();
  let bytesKnown = 0;

  function forget(key: string): void {
    bytesKnown -= known.get(key)?.bytes ?? 0;
    known.delete(key);
  }

  function remember(key: string, found: Promise<Cover | null>): void {
    const entry = { found, bytes: entryBytes };
    known.set(key, entry);
    bytesKnown += entry.bytes;
    void found.then((cover) => {
      if (known.get(key) !== entry) return;
      entry.bytes += cover?.bytes.length ?? 0;
      bytesKnown += cover?.bytes.length ?? 0;
      for (const oldest of known.keys()) {
        if (bytesKnown <= maxBytes) break;
        forget(oldest);
      }
    });
  }

  return {
    async of(item, mayLook) {
      const key = await versionOf(item);
      if (key === null) return refuse('access/not-found');
      const before = known.get(key);
      if (before) {
        known.delete(key);
        known.set(key, before);
      } else {
        const may = await mayLook();
        if (!may.ok) return may;
        if (!known.has(key)) remember(key, findCover(item));
      }
      const cover = await (known.get(key)?.found ?? findCover(item));
      return cover === null ? refuse('access/not-found') : accept(cover);
    },
  };
}

/** Null where there is no cover, or no file any more. */
async function versionOf({ cover, path }: LibraryItem): Promise<string | null> {
  if (cover.in === 'nowhere') return null;
  const place = cover.in === 'file' ? cover.path : path;
  const found = await stat(place).catch(() => null);
  return found && `${place}\n${String(found.size)}\n${String(found.mtimeMs)}`;
}

async function findCover({ cover, path }: LibraryItem): Promise<Cover | null> {
  try {
    if (cover.in === 'nowhere') return null;
    // The manifest's schema admits PNG only.
    if (cover.in === 'file') return describe(await readFile(cover.path), 'image/png');
    const picture = await embeddedCover(path);
    if (picture === null || picture.data.length > maxCoverBytes || !coverTypes.has(picture.format)) return null;
    return describe(Buffer.from(picture.data), picture.format);
  } catch {
    return null;
  }
}

function describe(bytes: Buffer, mime: string): Cover {
  return { bytes, mime, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}
