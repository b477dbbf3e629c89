/**
 * Stores what was read from each file of the media folder and what lies beside it, so that a start lists it at once and
 * reads only files that have changed: reading the length of one long recording takes minutes. All processes of one
 * database share it; those that see the same folder store the same.
 */
import { stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { videoId } from '@tunemate/protocol';
import { z } from 'zod';
import type { Db } from '../../../storage/schema.ts';
import { inPages, pageSize } from '../../../storage/pages.ts';
import { builtOnce, chunked, padded } from '../../../storage/queries.ts';
import { isInside } from './folder-walk.ts';
import { type FoundFile, type LibraryItem, shortHash } from '../../library/library-item.ts';

/** Raised whenever a file is read into something else: what an older version stored is then read again. */
const readerVersion = 11;

/** What was read from one version of one file. */
export interface KnownFile {
  /** From the folder, with the separators of this system. */
  place: string;
  /** Of the bytes and of the reader, and the number of the file. */
  version: string;
  /** As JSON. */
  found: string;
  /** A hash of the version and of the file's name; null in rows of older versions of the server. */
  file: string | null;
  /** The pictures and words that belong to it, as JSON; null where there are none. */
  beside: string | null;
}

export interface KnownFiles {
  count(): Promise<number>;
  /** In the order of places. */
  recall(): AsyncIterable<KnownFile>;
  /** Those at these places. */
  at(places: readonly string[]): Promise<readonly KnownFile[]>;
  /** One with this hash, wherever it is. */
  moved(file: string): Promise<KnownFile | null>;
  /** In place of what was stored for the same places; what lies beside them stays. */
  keep(files: readonly Omit<KnownFile, 'beside'>[]): Promise<void>;
  keepBeside(files: readonly Pick<KnownFile, 'place' | 'beside'>[]): Promise<void>;
  forget(places: readonly string[]): Promise<void>;
}

/** The same while nothing about the file or its reading has changed, wherever its folder is mounted. */
export function versionOf({ size, modifiedMs }: Pick<FoundFile, 'size' | 'modifiedMs'>): string {
  return [readerVersion, size, modifiedMs].join(' ');
}

/** With the number that a disk gives the file, whatever its name: by it a file is known that was moved. */
export const storedVersionOf = (file: Pick<FoundFile, 'size' | 'modifiedMs' | 'inode'>): string =>
  `${versionOf(file)} ${String(file.inode)}`;

/** Older versions of the server stored the file's absolute path instead of the number, or nothing. */
export const versionOfStored = (stored: string): string => stored.split(' ', 3).join(' ');

/** One file under each of its places: files that are moved keep their names as a rule, and a title may come from it. */
export const fileOf = (stored: string, place: string): string => shortHash(`${stored}\n${basename(place)}`);

/** What the reader of files stores, as far as a damaged row could stop a start. */
const item = z.object({
  ...{ id: videoId, title: z.string(), artist: z.string().nullable() },
  ...{ artists: z.array(z.string()), genres: z.array(z.string()), folder: z.string(), mime: z.string() },
  album: z
    .object({
      name: z.string(),
      artist: z.string().nullable(),
      year: z.number().nullable(),
      place: z.number(),
    })
    .nullable(),
  ...{ modifiedMs: z.number(), kind: z.enum(['audio', 'video']), durationSeconds: z.number().nullable() },
  streams: z.object({ picture: z.string().nullable(), sound: z.string().nullable() }).nullable(),
  ...{ seeksExactly: z.boolean(), playsEverywhere: z.boolean(), path: z.string() },
  cover: z.object({ in: z.enum(['media', 'nowhere']) }),
  // Rows of an earlier reader have none, and are read again for their version.
  lyrics: z.object({ in: z.enum(['media', 'nowhere']) }).default({ in: 'nowhere' }),
  loudness: z
    .object({ track: z.number().nullable(), album: z.number().nullable() })
    .default({ track: null, album: null }),
  subtitles: z.array(z.never()),
});
const skipped = z.object({
  reason: z.string(),
  ...{ detail: z.string().exactOptional(), isSilent: z.boolean().exactOptional() },
});

/** What a row holds: a track, or why the file is none. Null for a row that can't be read. */
export function readFound(found: string): z.infer<typeof item> | z.infer<typeof skipped> | null {
  try {
    const value: unknown = JSON.parse(found);
    return item.safeParse(value).data ?? skipped.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}

/** What lies beside a file: paths from the folder, links resolved. */
const beside = z.object({
  cover: z.string().exactOptional(),
  lyrics: z.string().exactOptional(),
  subtitles: z
    .array(
      z.object({ id: z.string(), language: z.string().nullable(), label: z.string().nullable(), path: z.string() }),
    )
    .exactOptional(),
});

/** What is stored of the files beside an item; null where there are none. `root` is the folder, links resolved. */
export function besideOf({ cover, lyrics, subtitles }: LibraryItem, root: string): string | null {
  const found: z.infer<typeof beside> = {
    ...(cover.in === 'file' && { cover: relative(root, cover.path) }),
    ...(lyrics.in === 'file' && { lyrics: relative(root, lyrics.path) }),
    ...(subtitles.length > 0 && {
      subtitles: subtitles.map(({ path, ...each }) => ({ ...each, path: relative(root, path) })),
    }),
  };
  return Object.keys(found).length === 0 ? null : JSON.stringify(found);
}

/** The track of a row as it is listed in the folder `root`; null for a file that is none, and for a damaged row. */
export function listedOf(row: KnownFile, root: string): LibraryItem | null {
  const found = readFound(row.found);
  if (found === null || 'reason' in found) return null;
  const path = isInside(root, found.path) ? found.path : join(root, row.place);
  const { cover, lyrics, subtitles } = (row.beside !== null && readBeside(row.beside)) || {};
  return {
    ...found,
    path,
    ...(cover !== undefined && { cover: { in: 'file', path: join(root, cover) } }),
    ...(lyrics !== undefined && { lyrics: { in: 'file', path: join(root, lyrics) } }),
    ...(subtitles && { subtitles: subtitles.map((each) => ({ ...each, path: join(root, each.path) })) }),
  };
}

function readBeside(text: string): z.infer<typeof beside> | null {
  try {
    return beside.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Looked for on the disk before rows are believed. */
const mostLookedFor = 20;

/**
 * The tracks that are known of the folder, with what puts them in its order; none where no file of the first rows is on the
 * disk as it was: the rows are of another folder then, or the disk is not mounted.
 */
export async function* recalledItems(
  files: Pick<KnownFiles, 'recall'>,
  root: string,
): AsyncGenerator<{ item: LibraryItem; order: string }> {
  const first: KnownFile[] = [];
  let isThere = false;
  for await (const row of files.recall()) {
    if (!isThere) {
      if (listedOf(row, root) === null) continue;
      first.push(row);
      isThere = await isAsStored(row, root);
      if (!isThere && first.length === mostLookedFor) return;
      if (!isThere) continue;
    }
    for (const known of first.length > 0 ? first.splice(0) : [row]) {
      const item = listedOf(known, root);
      if (item !== null) yield { item, order: orderOfWalk(known.place) };
    }
  }
}

async function isAsStored({ place, version }: KnownFile, root: string): Promise<boolean> {
  const found = await stat(join(root, place)).catch(() => null);
  const [, size, modifiedMs] = version.split(' ');
  return found !== null && String(found.size) === size && String(found.mtimeMs) === modifiedMs;
}

/** Folders are walked through by their names: `a/x` comes before `a b/x`. */
const orderOfWalk = (place: string): string => place.replaceAll(sep, '\0');

/** Rows of one statement: SQLite prepares each number of rows once. */
const rowsAtOnce = 50;

const rowsAfter = builtOnce((db, place: string) =>
  db.selectFrom('library_files').selectAll().where('place', '>', place).orderBy('place').limit(pageSize),
);
const movedFile = builtOnce((db, file: string) =>
  db.selectFrom('library_files').selectAll().where('file', '=', file).limit(1),
);

export function storedFiles(db: Db): KnownFiles {
  return {
    async count() {
      const query = db.selectFrom('library_files').select(({ fn }) => fn.countAll<number | string>().as('files'));
      return Number((await query.executeTakeFirstOrThrow()).files);
    },
    recall: () => inPages((last: KnownFile | null) => rowsAfter(db, last?.place ?? '')),
    at: async (places) =>
      places.length === 0
        ? []
        : await db.selectFrom('library_files').selectAll().where('place', 'in', padded(places)).execute(),
    moved: async (file) => (await movedFile(db, file))[0] ?? null,
    async keep(files) {
      for (const rows of chunked(files, rowsAtOnce)) {
        await db
          .insertInto('library_files')
          .values(rows)
          .onConflict((conflict) =>
            conflict.column('place').doUpdateSet((eb) => ({
              version: eb.ref('excluded.version'),
              found: eb.ref('excluded.found'),
              file: eb.ref('excluded.file'),
            })),
          )
          .execute();
        // SQLite is synchronous: other requests are served in between.
        await setImmediate();
      }
    },
    async keepBeside(files) {
      for (let from = 0; from < files.length;) {
        const { beside: found } = files[from] as (typeof files)[number];
        let to = from + 1;
        // Those of an album, which stand together, have one cover.
        while (to < files.length && to - from < rowsAtOnce && files[to]?.beside === found) to += 1;
        const places = files.slice(from, to).map(({ place }) => place);
        await db.updateTable('library_files').set({ beside: found }).where('place', 'in', padded(places)).execute();
        await setImmediate();
        from = to;
      }
    },
    async forget(places) {
      for (const part of chunked(places, rowsAtOnce)) {
        await db.deleteFrom('library_files').where('place', 'in', part).execute();
        await setImmediate();
      }
    },
  };
}

/** For a library without a database: what this process has read. */
export function filesInMemory(): KnownFiles {
  const rows = new Map<string, KnownFile>();
  const all = () => [...rows.values()];
  return {
    count: () => Promise.resolve(rows.size),
    async *recall() {
      yield* all();
    },
    at: (places) => Promise.resolve(places.flatMap((place) => rows.get(place) ?? [])),
    moved: (file) => Promise.resolve(all().find((row) => row.file === file) ?? null),
    keep(files) {
      for (const file of files) rows.set(file.place, { beside: rows.get(file.place)?.beside ?? null, ...file });
      return Promise.resolve();
    },
    keepBeside(files) {
      for (const { place, beside: found } of files) {
        const row = rows.get(place);
        if (row) rows.set(place, { ...row, beside: found });
      }
      return Promise.resolve();
    },
    forget(places) {
      for (const place of places) rows.delete(place);
      return Promise.resolve();
    },
  };
}
