/**
 * Copies tracks of the music server that browsers do not seek exactly, as those of the folder are copied; but only tracks
 * that somebody has begun to play, one after another, and the latest of them stay.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import { type LibraryItem, shortHash } from '../library/library-item.ts';
import { copyTrack, hasRoom, type Rewrite, type SentFile } from '../media/exact-copies.ts';
import { type SubsonicClient, SubsonicFailure } from './subsonic-client.ts';

/** Copies that stay on the disk: some evenings of music, about 3 GB. */
const mostCopies = 500;
/** Tracks that wait to be copied; the others are copied when they play again. */
const mostWaiting = 50;
/** A longer file is played as it is. */
const mostBytes = 1024 * 1024 * 1024;
const mime = 'audio/mp4';
const extension = '.m4a';

interface SubsonicCopiesParts {
  /** Made when first needed. */
  folder: string;
  client: Pick<SubsonicClient, 'file'>;
  log: Pick<Log, 'warn'>;
  /** Null when this machine has no ffmpeg. */
  findRewrite: () => Promise<Rewrite | null>;
}

export type SubsonicCopies = Awaited<ReturnType<typeof subsonicCopies>>;

export async function subsonicCopies({ folder: given, client, log, findRewrite }: SubsonicCopiesParts) {
  const ending = new AbortController();
  const { signal } = ending;
  let folder = given;
  const made = new Set<string>();
  const failed = new Set<string>();
  const waiting = new Map<string, LibraryItem>();
  let working: Promise<void> | null = null;

  async function lookAtFolder(): Promise<void> {
    folder = await realpath(given).catch(() => given);
    made.clear();
    for (const name of await readdir(folder).catch(() => [])) {
      if (name.endsWith(extension) && !name.startsWith('.')) made.add(name);
    }
  }

  async function work(): Promise<void> {
    const rewrite = await findRewrite();
    for (const [name, item] of waiting) {
      if (rewrite === null || signal.aborted) break;
      await mkdir(given, { recursive: true });
      await lookAtFolder();
      if (!made.has(name)) await copy(name, item, rewrite);
      waiting.delete(name);
    }
    waiting.clear();
    await removeOldest(folder, made);
  }

  async function copy(name: string, item: LibraryItem, rewrite: Rewrite): Promise<void> {
    if (!(await hasRoom(folder))) return;
    const own = join(folder, `.${randomUUID()}`);
    try {
      await download(client, item, `${own}.raw`, signal);
      const { durationSeconds } = item;
      await copyTrack({ path: `${own}.raw`, durationSeconds }, own + extension, { rewrite, signal });
      await rename(own + extension, join(folder, name));
      made.add(name);
    } catch (error) {
      if (signal.aborted || (error instanceof SubsonicFailure && error.fault === 'away')) return;
      failed.add(name);
      log.warn({ track: item.title, detail: asError(error).message.slice(0, 200) }, 'catalogue.copy-failed');
    } finally {
      for (const left of [`${own}.raw`, own + extension]) await rm(left, { force: true });
    }
  }

  await lookAtFolder();
  return {
    of(item: LibraryItem): SentFile | null {
      const name = nameOf(item);
      return needsCopy(item) && made.has(name) ? { path: join(folder, name), mime } : null;
    },
    want(item: LibraryItem): void {
      const name = nameOf(item);
      const isWanted = needsCopy(item) && !made.has(name) && !failed.has(name) && waiting.size < mostWaiting;
      if (!isWanted || signal.aborted) return;
      waiting.set(name, item);
      working ??= work()
        .catch((error: unknown) => log.warn({ err: error }, 'catalogue.copies-failed'))
        .finally(() => (working = null));
    },
    async close(): Promise<void> {
      ending.abort();
      await working;
    },
  };
}

async function download(
  client: SubsonicCopiesParts['client'],
  { remote }: LibraryItem,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const { bytes, end } = await client.file('stream', { id: remote?.id ?? '', format: 'raw' });
  const file = await open(to, 'wx');
  try {
    let size = 0;
    for await (const part of bytes) {
      size += part.length;
      if (size > mostBytes) throw new SubsonicFailure('answer');
      signal.throwIfAborted();
      await file.write(part);
    }
  } finally {
    end();
    await file.close();
  }
}

const needsCopy = ({ seeksExactly, remote }: LibraryItem): boolean =>
  !seeksExactly && (remote?.bytes ?? 0) <= mostBytes;

const nameOf = ({ id, modifiedMs, remote }: LibraryItem): string =>
  `${shortHash(`${id}\n${String(modifiedMs)}\n${String(remote?.bytes)}`)}${extension}`;

async function removeOldest(folder: string, made: Set<string>): Promise<void> {
  if (made.size <= mostCopies) return;
  const aged = await Promise.all(
    [...made].map(async (name) => ({ name, atMs: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const old = aged.toSorted((a, b) => a.atMs - b.atMs).slice(0, made.size - mostCopies);
  for (const { name } of old) {
    made.delete(name);
    await rm(join(folder, name), { force: true });
  }
}
