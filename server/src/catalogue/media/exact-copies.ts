/**
 * Copies the operator's tracks into a format that every browser plays and seeks exactly: once each, in the background, one after
 * another, in the data folder, which several servers may share. Machines with a data folder each share them through an object
 * store (`shared-copies.ts`). Films are not copied.
 */
import { randomUUID } from 'node:crypto';
import { readdir, realpath, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseFile } from 'music-metadata';
import { chunked } from '../../storage/queries.ts';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import { type LibraryItem, shortHash } from '../library/library-item.ts';
import { hasFfmpeg, inputOf, runFfmpeg } from '../../system/ffmpeg.ts';
import { makeFolder, nameWhole } from '../../system/whole-files.ts';
import { isAway, leadsNowhereElse } from './still-there.ts';

export type SentFile = Pick<LibraryItem, 'path' | 'mime'>;

/** Files that are made of items of the library, at most one of each. */
export interface MadeOf {
  /** Of the log's events: `catalogue.copies-begun`, `catalogue.copy-failed`. */
  events: readonly [one: string, several: string];
  /** With its dot. */
  extension: string;
  needs(item: LibraryItem): boolean;
  /** Null when this machine can't make any. */
  findMake(ending: AbortSignal): Promise<Make | null>;
}
/** Writes the file. Rejects when it can't, or when the signal ends it. */
export type Make = (item: LibraryItem, to: string, signal: AbortSignal) => Promise<void>;
/** A `Make` rejects with this when the file may be had later. */
export class NotYet extends Error {}

/** Where machines leave the copies that they have made for one another. */
export interface SharedCopies {
  /** Fetches a copy, or makes it and gives it to the others. `make` is null where this machine can't make any. */
  around(make: Make | null): Make;
  /** Once a day removes what none of `items`, all that need a copy, was made of. */
  tidy(items: readonly LibraryItem[], signal: AbortSignal): Promise<void>;
}

interface MadeFilesParts {
  /** Made when first needed. */
  folder: string;
  log: Pick<Log, 'info' | 'warn'>;
  nowMs?: () => number;
}

interface ExactCopiesParts extends MadeFilesParts {
  /** Null when this machine has no ffmpeg. */
  findRewrite: (ending: AbortSignal) => Promise<Rewrite | null>;
  /** Null where this machine shares its copies with none. */
  shared?: SharedCopies | null;
}

const mime = 'audio/mp4';
const progressEveryMs = 60_000;
/** Copies never take the last tenth of a disk: the database may be on it. */
const leastFreeShare = 0.1;
/** An unfinished copy this old was left by a server that was killed. */
const leftAfterMs = 60 * 60_000;
/** A copy whose length differs by more is rejected. */
const lengthSlackSeconds = 0.5;

const needsCopy = ({ kind, seeksExactly, playsEverywhere }: LibraryItem): boolean =>
  kind === 'audio' && !(seeksExactly && playsEverywhere);

export function exactCopies({ findRewrite, shared = null, ...parts }: ExactCopiesParts) {
  const ending = new AbortController();
  const files = madeFiles(parts, {
    ...{ events: ['copy', 'copies'], extension: '.m4a', needs: needsCopy },
    async findMake(stopping) {
      const rewrite = await findRewrite(stopping);
      const make: Make | null = rewrite && ((item, to, signal) => copyTrack(item, to, { rewrite, signal }));
      return shared === null ? make : shared.around(make);
    },
  });
  return {
    ...files,
    async keepUp(items: readonly LibraryItem[]) {
      await files.keepUp(items);
      await shared?.tidy(items.filter(needsCopy), ending.signal);
    },
    async close() {
      ending.abort();
      await files.close();
    },
    /** Null while there is none. */
    of(item: LibraryItem): SentFile | null {
      const path = files.of(item);
      return path === null ? null : { path, mime };
    },
  };
}

/** Makes them one after another in the background, in a folder that several servers may share. */
export function madeFiles({ folder: given, log, nowMs = () => performance.now() }: MadeFilesParts, what: MadeOf) {
  const ending = new AbortController();
  const nameOf = ({ path, modifiedMs }: LibraryItem): string =>
    `${shortHash(`${path}\n${String(modifiedMs)}`)}${what.extension}`;
  /** With every link resolved, once it exists. */
  let folder = given;
  /** Names of the existing files; null before the folder was read. */
  let made: Set<string> | null = null;
  /** Items of which none could be made, until they change or the server starts again. */
  const failed = new Set<string>();
  let working: Promise<void> | null = null;

  async function work(items: readonly LibraryItem[]): Promise<void> {
    // An unmounted disk leaves an empty folder; its copies took hours and must not be removed.
    if (items.length === 0 || ending.signal.aborted) return;
    folder = await realpath(given).catch(() => given);
    made = await madeIn(folder, what.extension);
    const wanted = new Map(items.filter((item) => what.needs(item)).map((item) => [nameOf(item), item]));
    await removeOthers(folder, made, wanted);
    const missing = [...wanted].filter(([name]) => made?.has(name) === false && !failed.has(name));
    if (missing.length === 0) return;
    const make = await what.findMake(ending.signal);
    if (make === null) return;
    await makeFolder(folder);
    folder = await realpath(folder);
    await makeAll(missing, { make, made, failed, folder, log, nowMs, events: what.events, signal: ending.signal });
  }

  return {
    /** The path of the item's file; null while there is none. */
    of(item: LibraryItem): string | null {
      const name = nameOf(item);
      return what.needs(item) && made?.has(name) === true ? join(folder, name) : null;
    },
    /** Reads which files an earlier process has made. */
    async recall(): Promise<void> {
      folder = await realpath(given).catch(() => given);
      made ??= await madeIn(folder, what.extension);
    },
    /** Call it when a file no longer exists: the folder was deleted, or another server removed it. */
    forget({ path }: SentFile) {
      if (dirname(path) === folder) made?.delete(basename(path));
    },
    /** Makes missing files, and removes those of items that are gone or have changed. `items` is the whole library. */
    keepUp(items: readonly LibraryItem[]) {
      working ??= work(items).finally(() => (working = null));
      return working;
    },
    async close() {
      ending.abort();
      await working?.catch(() => undefined);
    },
  };
}

interface Making extends Required<MadeFilesParts> {
  events: MadeOf['events'];
  make: Make;
  /** Names of the files that exist, and of those that could not be made. */
  made: Set<string>;
  failed: Set<string>;
  signal: AbortSignal;
}

async function makeAll(missing: readonly (readonly [string, LibraryItem])[], making: Making): Promise<void> {
  const { folder, log, nowMs, made, failed, signal } = making;
  const [one, several] = making.events;
  log.info({ files: missing.length }, `catalogue.${several}-begun`);
  let loggedAtMs = nowMs();
  let count = 0;
  for (const [name, item] of missing) {
    if (!(await hasRoom(folder))) {
      return log.warn({ made: count, of: missing.length }, `catalogue.${several}-no-room`);
    }
    if (await isThere(join(folder, name))) {
      // Made by another server.
      made.add(name);
      continue;
    }
    const failure = await makeOne(item, join(folder, name), making.make, signal);
    if (signal.aborted) return;
    if (failure === notYet) continue;
    if (failure === null) {
      made.add(name);
      count += 1;
    } else {
      failed.add(name);
      log.warn({ file: basename(item.path), detail: failure }, `catalogue.${one}-failed`);
    }
    if (nowMs() - loggedAtMs < progressEveryMs) continue;
    loggedAtMs = nowMs();
    log.info({ made: count, of: missing.length }, `catalogue.${several}-progress`);
  }
  log.info({ made: count, of: missing.length }, `catalogue.${several}-made`);
}

/** Removes the files of items that are gone or have changed. */
async function removeOthers(folder: string, made: Set<string>, wanted: ReadonlyMap<string, unknown>): Promise<void> {
  for (const name of [...made].filter((each) => !wanted.has(each))) {
    made.delete(name);
    await rm(join(folder, name), { force: true });
  }
}

const notYet = Symbol('not yet');

/** Resolves to the reason of a failure, or null. */
async function makeOne(
  item: LibraryItem,
  to: string,
  make: Make,
  signal: AbortSignal,
): Promise<string | typeof notYet | null> {
  // Two servers may make the same one at once.
  const unfinished = join(dirname(to), `.${randomUUID()}-${basename(to)}`);
  try {
    if (await isAway(item.path)) return notYet;
    if (!(await leadsNowhereElse(item.path))) return 'it is a link by now';
    await make(item, unfinished, signal);
    await nameWhole(unfinished, to);
    return null;
  } catch (error) {
    const isPassing = error instanceof NotYet || (await isAway(item.path));
    return isPassing ? notYet : asError(error).message.slice(0, 200);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Rejects a copy of another length. */
export async function copyTrack(
  item: Pick<LibraryItem, 'path' | 'durationSeconds'>,
  to: string,
  { rewrite, signal }: { rewrite: Rewrite; signal: AbortSignal },
): Promise<void> {
  await rewrite(item.path, to, signal);
  await assertLength(item, to);
}

/** Rejects a copy of another length. */
export async function assertLength(
  { durationSeconds }: Pick<LibraryItem, 'durationSeconds'>,
  to: string,
): Promise<void> {
  const { format } = await parseFile(to, { duration: true });
  const offSeconds = durationSeconds === null ? 0 : Math.abs((format.duration ?? 0) - durationSeconds);
  if (offSeconds > lengthSlackSeconds) throw new Error(`the copy is ${offSeconds.toFixed(1)} s off in length`);
}

/** An empty one is what a loss of power has left of it. */
const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );

const lookedAtOnce = 32;

/** Names of the complete files. Removes unfinished ones of a server that was killed. */
export async function madeIn(folder: string, extension: string): Promise<Set<string>> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith('.'))) {
    const changed = await stat(join(folder, name)).catch(() => null);
    if (changed !== null && Date.now() - changed.mtimeMs > leftAfterMs) await rm(join(folder, name), { force: true });
  }
  const complete = new Set<string>();
  for (const some of chunked(
    names.filter((name) => name.endsWith(extension) && !name.startsWith('.')),
    lookedAtOnce,
  )) {
    const there = await Promise.all(some.map((name) => isThere(join(folder, name))));
    some.filter((_, index) => there[index]).forEach((name) => complete.add(name));
  }
  return complete;
}

/** Whether copies may take more of this disk. */
export async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, blocks } = await statfs(folder);
  return bavail >= blocks * leastFreeShare;
}

/** Writes a track as AAC in MP4, turned down by `gain` tenths of a decibel. Rejects when it can't, or when the signal ends it. */
export type Rewrite = (from: string, to: string, signal: AbortSignal, gain?: number) => Promise<void>;

/** No listener of our test distinguished stereo music at this rate from the original. */
const bitRate = '192k';
/** What a copy is made by, for the names of those that machines share: two of one name are the same. */
export const copiedAs = `aac ${bitRate}`;
/** A file that takes longer is broken. */
const longestMs = 30 * 60_000;

/** Null without ffmpeg. */
export const findRewrite = async (ending?: AbortSignal): Promise<Rewrite | null> =>
  (await hasFfmpeg(ending)) ? rewrite : null;

const rewrite: Rewrite = async (from, to, signal, gain = 0) => {
  // Only the first sound: a cover would be a video track, and tags are read from the original.
  const sound = ['-map', '0:a:0', '-map_metadata', '-1', '-c:a', 'aac', '-b:a', bitRate];
  const turnedDown = gain === 0 ? [] : ['-af', `volume=${String(gain / 10)}dB`];
  // The index comes first, so that playback starts before the file is complete.
  const file = ['-movflags', '+faststart', '-f', 'mp4', to];
  await runFfmpeg(
    [...inputOf(from), ...sound, ...turnedDown, ...file],
    AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
  );
};
