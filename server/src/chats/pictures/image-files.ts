/**
 * The files of chat images: two per picture, in one folder that all processes of the installation share.
 */
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../system/ports.ts';
import type { Image } from './image-worker.ts';

export type ImageSize = 'full' | 'preview';

export type ImageFiles = ReturnType<typeof imageFiles>;

const filesPerPage = 500;

/** `folder` is made when first needed. */
export function imageFiles(folder: string) {
  /** Absolute path of a WebP file. `imageId` must come from the database. */
  const pathOf = (imageId: string, size: ImageSize) => join(folder, `${imageId}.${size}.webp`);

  /** Writes the file atomically. */
  async function write(path: string, bytes: Uint8Array): Promise<void> {
    const part = `${path}.part`;
    const file = await open(part, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  }

  /** A file that was deleted meanwhile counts as touched. */
  async function wasTouched(name: string, sinceMs: number): Promise<boolean> {
    const found = await stat(join(folder, name)).catch(() => null);
    return found === null || found.mtimeMs >= sinceMs;
  }

  return {
    pathOf,
    async save(imageId: string, image: Image) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await write(pathOf(imageId, 'full'), image.full);
        await write(pathOf(imageId, 'preview'), image.preview);
      } catch (error) {
        const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
        throw new Failure(isFull ? 'server/storage-full' : 'server/unavailable', 'image.not-saved', error);
      }
    },
    async remove(imageIds: readonly string[]) {
      for (const imageId of imageIds) {
        for (const size of ['full', 'preview'] as const) {
          await rm(pathOf(imageId, size), { force: true });
          await rm(`${pathOf(imageId, size)}.part`, { force: true });
        }
      }
    },
    /** The images of all files not touched since `beforeMs`, a page at a time; an image may occur twice. */
    async *untouchedSince(beforeMs: number) {
      const entries = await opendir(folder).catch(() => null);
      if (entries === null) return;
      let found: string[] = [];
      for await (const { name } of entries) {
        const imageId = /^([0-9A-Za-z]+)\.(?:full|preview)\.webp(?:\.part)?$/.exec(name)?.[1];
        if (imageId === undefined || (await wasTouched(name, beforeMs))) continue;
        found.push(imageId);
        if (found.length < filesPerPage) continue;
        yield found;
        found = [];
      }
      yield found;
    },
  };
}
