/**
 * Copies of tracks that people play: made one after another in the background, and not of everything. The latest of them
 * stay on the disk.
 */
import { randomUUID } from 'node:crypto';
import { realpath, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import { makeFolder, nameWhole } from '../../system/whole-files.ts';
import { hasRoom, madeIn, NotYet, type Rewrite, type SentFile } from './exact-copies.ts';

/** Copies that stay: some evenings of music, about 3 GB. */
const mostCopies = 500;
/** Tracks that wait; the others are copied when they play again. */
const mostWaiting = 50;
const mime = 'audio/mp4';
const extension = '.m4a';

interface LatestCopiesParts {
  /** Made when first needed. */
  folder: string;
  log: Pick<Log, 'warn'>;
  /** Null when this machine has no ffmpeg. */
  findRewrite: (ending: AbortSignal) => Promise<Rewrite | null>;
  /** By default 500. */
  most?: number;
}

interface Place {
  /** Where the copy belongs. */
  to: string;
  /** For a file that is needed meanwhile. */
  raw: string;
  rewrite: Rewrite;
  signal: AbortSignal;
}

/** False when no copy was needed after all. Rejects with `NotYet` when it may be had later. */
type MakeLatest = (place: Place) => Promise<boolean>;

export async function latestCopies({ folder: given, log, findRewrite, most = mostCopies }: LatestCopiesParts) {
  const ending = new AbortController();
  const { signal } = ending;
  let folder = given;
  const made = new Set<string>();
  /** Names of those that need not be tried again. */
  const over = new Set<string>();
  const waiting = new Map<string, { title: string; make: MakeLatest }>();
  let working: Promise<void> | null = null;

  async function lookAtFolder(): Promise<void> {
    folder = await realpath(given).catch(() => given);
    made.clear();
    for (const name of await madeIn(folder, extension)) made.add(name);
  }

  async function work(): Promise<void> {
    const rewrite = await findRewrite(signal);
    for (const [name, { title, make }] of waiting) {
      if (rewrite === null || signal.aborted) break;
      await makeFolder(given);
      await lookAtFolder();
      if (!made.has(name)) await copy(name, title, (place) => make({ ...place, rewrite, signal }));
      waiting.delete(name);
      await removeOldest(folder, made, most);
    }
    waiting.clear();
  }

  async function copy(name: string, title: string, make: (place: Pick<Place, 'to' | 'raw'>) => Promise<boolean>) {
    if (!(await hasRoom(folder))) return;
    const own = join(folder, `.${randomUUID()}`);
    const [to, raw] = [own + extension, `${own}.raw`];
    try {
      if (await make({ to, raw })) {
        await nameWhole(to, join(folder, name));
        made.add(name);
      } else {
        over.add(name);
      }
    } catch (error) {
      if (signal.aborted || error instanceof NotYet) return;
      over.add(name);
      log.warn({ track: title, detail: asError(error).message.slice(0, 200) }, 'catalogue.copy-failed');
    } finally {
      for (const left of [raw, to]) await rm(left, { force: true });
    }
  }

  await lookAtFolder();
  return {
    /** Null while there is none. `name` is without an extension. */
    of(name: string): SentFile | null {
      return made.has(name + extension) ? { path: join(folder, name + extension), mime } : null;
    },
    /** Of a file that no longer exists. */
    forget: ({ path }: SentFile) => void made.delete(basename(path)),
    /** Makes it in the background, unless it exists, failed before, or too many wait. */
    want(name: string, title: string, make: MakeLatest): void {
      const file = name + extension;
      const isWanted = !made.has(file) && !over.has(file) && waiting.size < mostWaiting;
      if (!isWanted || signal.aborted) return;
      waiting.set(file, { title, make });
      working ??= work()
        .catch((error: unknown) => {
          // Those that wait for a disk that is gone must not keep out those that come once it is back.
          waiting.clear();
          log.warn({ err: error }, 'catalogue.copies-failed');
        })
        .finally(() => (working = null));
    },
    async close(): Promise<void> {
      ending.abort();
      await working;
    },
  };
}

async function removeOldest(folder: string, made: Set<string>, most: number): Promise<void> {
  if (made.size <= most) return;
  const aged = await Promise.all(
    [...made].map(async (name) => ({ name, atMs: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const old = aged.toSorted((a, b) => a.atMs - b.atMs).slice(0, made.size - most);
  for (const { name } of old) {
    made.delete(name);
    await rm(join(folder, name), { force: true });
  }
}
