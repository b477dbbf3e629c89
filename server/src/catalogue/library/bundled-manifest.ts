/**
 * Reads `library.json`, the list of the small library that comes with Tunemate, so that no tags are read at the start.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isInside } from './folder-walk.ts';
import { type LibraryItem, libraryId } from './library-item.ts';
import { seeksExactly } from './media-formats.ts';

/** Relative, below the manifest. */
const place = z.string().regex(/^(?:[\w-]+\/)*[\w-]+\.\w+$/);

const manifest = z.object({
  items: z.array(
    z.object({
      file: place,
      /** The id it was first published under: rooms and caches refer to it. */
      firstFile: place.optional(),
      title: z.string().min(1),
      artist: z.string().min(1),
      kind: z.enum(['audio', 'video']),
      durationSeconds: z.number().positive(),
      cover: place.endsWith('.png'),
      mime: z.string().regex(/^(?:audio|video)\/[\w.+-]+$/),
    }),
  ),
});

/** With every link resolved. Throws where there is nothing, or a link leads out of the folder. */
async function resolved(root: string, file: string): Promise<string> {
  const path = await realpath(join(root, file));
  if (!isInside(root, path)) throw new Error(`${file} of library.json leads out of its folder`);
  return path;
}

/** The manifest's items, or null when the folder has none. Throws when the manifest or one of its files is damaged. */
export async function readManifest(folder: string): Promise<LibraryItem[] | null> {
  let text: string;
  try {
    text = await readFile(join(folder, 'library.json'), 'utf8');
  } catch {
    return null;
  }
  const { items } = manifest.parse(JSON.parse(text));
  const root = await realpath(folder);
  return await Promise.all(
    items.map(async ({ file, firstFile = file, cover, ...item }): Promise<LibraryItem> => {
      const path = await resolved(root, file);
      const { mtimeMs } = await stat(path);
      return {
        ...item,
        album: null,
        folder: '',
        modifiedMs: mtimeMs,
        id: libraryId(firstFile),
        seeksExactly: seeksExactly(path, undefined),
        path,
        cover: { in: 'file', path: join(root, cover) },
        subtitles: [],
      };
    }),
  );
}
