/**
 * Stores what was read from each file of the media folder, so that a start reads only files that have changed: reading
 * the length of one long recording takes minutes. All processes of one database share it.
 */
import { setImmediate } from 'node:timers/promises';
import { videoId } from '@tunemate/protocol';
import { z } from 'zod';
import type { Db } from '../../storage/schema.ts';
import { inPages, pageSize } from '../../storage/pages.ts';
import { chunked } from '../../storage/queries.ts';
import type { FoundFile } from './library-item.ts';

/** Raised whenever a file is read into something else: what an older version stored is then read again. */
const readerVersion = 10;

/** What was read from one version of one file. */
export interface KnownFile {
  /** From the folder, with the separators of this system. */
  place: string;
  /** Of the bytes and of the reader, and the number of the file. */
  version: string;
  /** As JSON. */
  found: string;
}

export interface KnownFiles {
  /** In the order of places. */
  recall(): AsyncIterable<KnownFile>;
  /** In place of what was stored for the same places. */
  keep(files: readonly KnownFile[]): Promise<void>;
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

/** Rows of one statement; each has three parameters, and SQLite prepares each number of rows once. */
const rowsAtOnce = 50;

export function storedFiles(db: Db): KnownFiles {
  return {
    recall: () =>
      inPages(async (last: KnownFile | null) =>
        db
          .selectFrom('library_files')
          .selectAll()
          .where('place', '>', last?.place ?? '')
          .orderBy('place')
          .limit(pageSize)
          .execute(),
      ),
    async keep(files) {
      for (const rows of chunked(files, rowsAtOnce)) {
        await db
          .insertInto('library_files')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .column('place')
              .doUpdateSet((eb) => ({ version: eb.ref('excluded.version'), found: eb.ref('excluded.found') })),
          )
          .execute();
        // SQLite is synchronous: other requests are served in between.
        await setImmediate();
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

/** For a library without a database. */
export const noKnownFiles: KnownFiles = {
  async *recall() {
    // Nothing is known.
  },
  keep: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};
