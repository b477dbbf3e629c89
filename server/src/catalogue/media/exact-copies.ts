/**
 * Copies of the operator's tracks in a format that every browser seeks exactly: made once each, in the background, one
 * after the other, and kept in the data folder, which several servers may share. Films are left as they are. Knows files,
 * not who plays them.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, readdir, realpath, rename, rm, stat, statfs } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseFile } from 'music-metadata';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import { type LibraryItem, shortHash } from '../library/library-item.ts';
import { leadsNowhereElse } from './still-there.ts';

/** What is sent of an item. */
export type SentFile = Pick<LibraryItem, 'path' | 'mime'>;

export interface ExactCopies {
  /** The copy of an item, once there is one; else its own file. */
  fileOf(item: LibraryItem): SentFile;
  /** Takes note that a copy is not there any more: somebody deleted the folder, or another server removed it. */
  forget(copy: SentFile): void;
  /**
   * Makes the copies that are missing, and removes those of files that are gone or have changed. `items` are all there
   * are.
   */
  keepUp(items: readonly LibraryItem[]): Promise<void>;
  close(): Promise<void>;
}

interface ExactCopiesParts {
  /** Where the copies are kept; made when it is needed. */
  folder: string;
  log: Pick<Log, 'info' | 'warn'>;
  /** Null where nothing on this machine can make copies. */
  findRewrite: () => Promise<Rewrite | null>;
  nowMs?: () => number;
}

const extension = '.m4a';
const mime = 'audio/mp4';
const progressEveryMs = 60_000;
/** Copies never take the last tenth of a disk: the database may be on it. */
const leastFreeShare = 0.1;
/** An unfinished copy that nobody has written to for so long was left by a server that was killed. */
const leftAfterMs = 60 * 60_000;
/** A copy whose length differs by more is none. */
const lengthSlackSeconds = 0.5;

const needsCopy = ({ kind, seeksExactly }: LibraryItem): boolean => kind === 'audio' && !seeksExactly;
const nameOf = ({ path, modifiedMs }: LibraryItem): string =>
  `${shortHash(`${path}\n${String(modifiedMs)}`)}${extension}`;

export function exactCopies({
  folder: given,
  log,
  findRewrite,
  nowMs = () => performance.now(),
}: ExactCopiesParts): ExactCopies {
  const ending = new AbortController();
  /** With every link resolved, once it is there. */
  let folder = given;
  /** Names of the copies that are there. */
  let made: Set<string> | null = null;
  /** Files that could not be copied, until they change or the server starts again. */
  const failed = new Set<string>();
  let working: Promise<void> | null = null;

  async function work(items: readonly LibraryItem[]): Promise<void> {
    // A disk that is away leaves an empty folder, and copies took hours.
    if (items.length === 0 || ending.signal.aborted) return;
    folder = await realpath(given).catch(() => given);
    made ??= await copiesIn(folder);
    const wanted = new Map(items.filter(needsCopy).map((item) => [nameOf(item), item]));
    await removeOthers(folder, made, wanted);
    const missing = [...wanted].filter(([name]) => made?.has(name) === false && !failed.has(name));
    if (missing.length === 0) return;
    const rewrite = await findRewrite();
    if (rewrite !== null) await makeAll(missing, rewrite, made);
  }

  async function makeAll(
    missing: readonly (readonly [string, LibraryItem])[],
    rewrite: Rewrite,
    copies: Set<string>,
  ): Promise<void> {
    await mkdir(folder, { recursive: true });
    folder = await realpath(folder);
    log.info({ files: missing.length }, 'catalogue.copies-begun');
    let toldAtMs = nowMs();
    let count = 0;
    for (const [name, item] of missing) {
      if (!(await hasRoom(folder))) return log.warn({ made: count, of: missing.length }, 'catalogue.copies-no-room');
      if (await isThere(join(folder, name))) {
        // Another server has made it.
        copies.add(name);
        continue;
      }
      const failure = await copyFile(item, join(folder, name), rewrite, ending.signal);
      if (ending.signal.aborted) return;
      if (failure === null) {
        copies.add(name);
        count += 1;
      } else {
        failed.add(name);
        log.warn({ file: basename(item.path), detail: failure }, 'catalogue.copy-failed');
      }
      if (nowMs() - toldAtMs < progressEveryMs) continue;
      toldAtMs = nowMs();
      log.info({ made: count, of: missing.length }, 'catalogue.copies-progress');
    }
    log.info({ made: count, of: missing.length }, 'catalogue.copies-made');
  }

  return {
    fileOf(item) {
      const name = nameOf(item);
      return needsCopy(item) && made?.has(name) === true ? { path: join(folder, name), mime } : item;
    },
    forget({ path }) {
      if (dirname(path) === folder) made?.delete(basename(path));
    },
    keepUp(items) {
      working ??= work(items).finally(() => (working = null));
      return working;
    },
    async close() {
      ending.abort();
      await working?.catch(() => undefined);
    },
  };
}

/** Removes the copies of files that are gone or have changed. */
async function removeOthers(folder: string, made: Set<string>, wanted: ReadonlyMap<string, unknown>): Promise<void> {
  for (const name of [...made].filter((each) => !wanted.has(each))) {
    made.delete(name);
    await rm(join(folder, name), { force: true });
  }
}

/** Answers why there is none, or null. */
async function copyFile(item: LibraryItem, to: string, rewrite: Rewrite, signal: AbortSignal): Promise<string | null> {
  // Two servers may be at the same track.
  const unfinished = join(dirname(to), `.${randomUUID()}-${basename(to)}`);
  try {
    if (!(await leadsNowhereElse(item.path))) return 'it is a link by now';
    await rewrite(item.path, unfinished, signal);
    const { format } = await parseFile(unfinished, { duration: true });
    const { durationSeconds } = item;
    const offSeconds = durationSeconds === null ? 0 : Math.abs((format.duration ?? 0) - durationSeconds);
    if (offSeconds > lengthSlackSeconds) return `the copy is ${offSeconds.toFixed(1)} s off in length`;
    await rename(unfinished, to);
    return null;
  } catch (error) {
    return asError(error).message.slice(0, 200);
  } finally {
    await rm(unfinished, { force: true });
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Copies that are complete; unfinished ones of a server that was killed are removed. */
async function copiesIn(folder: string): Promise<Set<string>> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith('.'))) {
    const changed = await stat(join(folder, name)).catch(() => null);
    if (changed !== null && Date.now() - changed.mtimeMs > leftAfterMs) await rm(join(folder, name), { force: true });
  }
  return new Set(names.filter((name) => name.endsWith(extension) && !name.startsWith('.')));
}

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, blocks } = await statfs(folder);
  return bavail >= blocks * leastFreeShare;
}

// The operator's ffmpeg, where there is one: writes the sound of a file anew. Decides nothing about which files.
/** Writes a track as AAC in MP4. Rejects when it can't, or when the signal ends it. */
export type Rewrite = (from: string, to: string, signal: AbortSignal) => Promise<void>;

const program = 'ffmpeg';
/** Two channels of music at this rate are told from the original by nobody who was asked. */
const bitRate = '192k';
/**
 * What a track may be, whatever its name says. ffmpeg looks at the bytes, and would follow a playlist to the files and
 * addresses that it names.
 */
const readable = ['-protocol_whitelist', 'file', '-format_whitelist', 'mp3,aac,ogg,matroska,mov,flac,wav'];
/** A file that takes longer is broken. */
const longestMs = 30 * 60_000;
const keptErrorBytes = 500;

/** Null where there is no ffmpeg. */
export async function findRewrite(): Promise<Rewrite | null> {
  try {
    await run(['-version'], AbortSignal.timeout(longestMs));
    return rewrite;
  } catch {
    return null;
  }
}

const rewrite: Rewrite = (from, to, signal) => {
  // Only the first sound: a cover would be a video track, and tags are read from the original.
  const sound = ['-map', '0:a:0', '-map_metadata', '-1', '-c:a', 'aac', '-b:a', bitRate];
  // What says how to play it comes first, so that it starts before all of it is there.
  const file = ['-movflags', '+faststart', '-f', 'mp4', to];
  const args = [
    '-nostdin',
    '-hide_banner',
    '-loglevel',
    'error',
    '-y',
    ...readable,
    '-i',
    `file:${from}`,
    ...sound,
    ...file,
  ];
  return run(args, AbortSignal.any([signal, AbortSignal.timeout(longestMs)]));
};

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal, killSignal: 'SIGKILL' });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-keptErrorBytes)));
  const ended = once(child, 'close');
  // Where there is no such program both fail, and then nobody comes to await this one.
  ended.catch(() => undefined);
  await once(child, 'spawn');
  // Those who listen come first. At the lowest priority a long track would not end in time where others keep busy.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(errors.trim() || `ffmpeg ended with ${String(code)}`);
}
