/**
 * The covers of library items. A cover inside a media file is read once and cached while the file stays the same and
 * the cache has space; two requests at once read it once.
 */
import { createHash } from 'node:crypto';
import type { Result } from '@tunemate/protocol';
import { accept, Failure, refuse } from '../../system/ports.ts';
import { coverOfFile } from '../sources/files/files-source.ts';
import type { FoundCover, Source } from '../sources/source.ts';
import { maxCoverBytes } from './album-pictures.ts';
import type { LibraryItem } from './library-item.ts';

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

export function createCovers(
  maxBytes = rememberedBytes,
  makeSmaller: MakeSmaller | null = null,
  coverOf: Source['cover'] = coverOfFile,
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
      const found = await coverOf(item);
      if (found === null) return refuse('access/not-found');
      const { version } = found;
      let entry = known.get(version);
      if (entry) {
        known.delete(version);
        known.set(version, entry);
      } else {
        const may = await mayLook();
        if (!may.ok) return may;
        entry = known.get(version) ?? remember(version, readCover(found, makeSmaller));
      }
      const cover = await entry.found;
      return cover === null ? refuse('access/not-found') : accept(cover);
    },
  };
}

async function readCover({ read }: FoundCover, makeSmaller: MakeSmaller | null): Promise<Cover | null> {
  try {
    const picture = await read();
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

function describe(bytes: Buffer, mime: string): Cover {
  return { bytes, mime, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}
