/**
 * Stores what a music server listed, so that a start lists it at once, whether that server answers or not. All processes
 * of one database share it.
 */
import { setImmediate } from 'node:timers/promises';
import type { Log } from '../../../system/ports.ts';
import type { Db } from '../../../storage/schema.ts';
import { builtOnce } from '../../../storage/queries.ts';
import { shortHash } from '../../library/library-item.ts';
import type { SubsonicAccount } from './subsonic-client.ts';

export interface StoredSongs {
  /** In the order in which they were listed, some at a time; none of another server or account. */
  recall(): AsyncIterable<readonly unknown[]>;
  /** Stores the songs of one reading in place of those before: only parts of the list that have changed are written. */
  write(): { add(song: unknown): Promise<void>; end(): Promise<void> };
}

/** Songs of one row: few enough to be read in one piece between which others are served. */
const songsOfPart = 200;

const partAt = builtOnce((db, server: string, part: number) =>
  db.selectFrom('music_server_songs').select('songs').where('server', '=', server).where('part', '=', part),
);

export function storedSongs(db: Db, { url, user }: Pick<SubsonicAccount, 'url' | 'user'>): StoredSongs {
  const server = shortHash(JSON.stringify([url, user]));
  /** What this process knows of the stored parts. */
  const hashes: string[] = [];

  async function keep(part: number, songs: string): Promise<void> {
    const hash = shortHash(songs);
    if (hashes[part] === hash) return;
    await db
      .insertInto('music_server_songs')
      .values({ server, part, songs })
      .onConflict((conflict) => conflict.columns(['server', 'part']).doUpdateSet({ songs }))
      .execute();
    hashes[part] = hash;
  }

  return {
    async *recall() {
      for (let part = 0; ; part += 1) {
        // SQLite is synchronous: other requests are served in between.
        await setImmediate();
        const [row] = await partAt(db, server, part);
        if (row === undefined) return;
        hashes[part] = shortHash(row.songs);
        yield songsIn(row.songs);
      }
    },
    write() {
      let part = 0;
      let songs: unknown[] = [];
      const next = async (): Promise<void> => {
        const some = JSON.stringify(songs);
        songs = [];
        await keep(part++, some);
      };
      return {
        async add(song) {
          songs.push(song);
          if (songs.length === songsOfPart) await next();
        },
        async end() {
          if (songs.length > 0) await next();
          await db
            .deleteFrom('music_server_songs')
            .where((eb) => eb.or([eb('server', '!=', server), eb('part', '>=', part)]))
            .execute();
          hashes.length = part;
        },
      };
    },
  };
}

/** Songs that can't be stored are read again after a restart, and nothing else. */
export function writing(stored: StoredSongs, log: Pick<Log, 'warn'>): ReturnType<StoredSongs['write']> {
  const { add, end } = stored.write();
  let isOff = false;
  const trying = async (work: () => Promise<void>): Promise<void> => {
    if (isOff) return;
    try {
      await work();
    } catch (error) {
      isOff = true;
      log.warn({ err: error }, 'catalogue.index-not-stored');
    }
  };
  return { add: (song) => trying(() => add(song)), end: () => trying(end) };
}

/** Each is read as if the server had just said it. */
function songsIn(text: string): readonly unknown[] {
  try {
    const songs: unknown = JSON.parse(text);
    return Array.isArray(songs) ? songs : [];
  } catch {
    return [];
  }
}

/** For a list without a database. */
export const noSongs: StoredSongs = {
  async *recall() {},
  write: () => ({ add: () => Promise.resolve(), end: () => Promise.resolve() }),
};
