/**
 * Copies the operator's tracks into a format that every browser plays and seeks exactly: once each, in the background,
 * in the data folder, which several servers may share. Machines with a data folder each share them through an object
 * store (`shared-copies.ts`). Films are not copied.
 */
import { basename } from 'node:path';
import { parseFile } from 'music-metadata';
import { type LibraryItem, shortHash } from '../library/library-item.ts';
import { hasFfmpeg, inputOf, runFfmpeg } from '../../system/ffmpeg.ts';
import { inTurns } from '../../system/in-turns.ts';
import { madeFiles, type Unfinished } from './made-files.ts';
import { kinds, type MediaWork } from './media-work.ts';
import { whileThere } from './still-there.ts';

export type SentFile = Pick<LibraryItem, 'path' | 'mime'>;

/** Files that are made of items of the library, at most one of each. */
export interface MadeOf {
  needs(item: LibraryItem): boolean;
  /** Null when this machine can't make any. */
  findMake(ending: AbortSignal): Promise<Make | null>;
}
/** Writes the file. Rejects when it can't, or when the signal ends it. */
export type Make = (item: LibraryItem, to: string, signal: AbortSignal) => Promise<void>;

/** Where machines leave the copies that they have made for one another. */
export interface SharedCopies {
  /** Fetches a copy, or makes it and gives it to the others. `make` is null where this machine can't make any. */
  around(make: Make | null): Make;
  /** Once a day removes what none of `items`, all that need a copy, was made of. */
  tidy(items: readonly LibraryItem[], signal: AbortSignal): Promise<void>;
}

interface ExactCopiesParts {
  /** Null when this machine has no ffmpeg. */
  findRewrite: (ending: AbortSignal) => Promise<Rewrite | null>;
  /** Null where this machine shares its copies with none. */
  shared?: SharedCopies | null;
  nowMs?: () => number;
}

const mime = 'audio/mp4';
const progressEveryMs = 60_000;
/** A copy whose length differs by more is rejected. */
const lengthSlackSeconds = 0.5;

const needsCopy = ({ kind, seeksExactly, playsEverywhere }: LibraryItem): boolean =>
  kind === 'audio' && !(seeksExactly && playsEverywhere);

export function exactCopies(work: MediaWork, { findRewrite, shared = null, nowMs }: ExactCopiesParts) {
  const what: MadeOf = {
    needs: needsCopy,
    async findMake(ending) {
      const rewrite = await findRewrite(ending);
      const make: Make | null = rewrite && ((item, to, signal) => copyTrack(item, to, { rewrite, signal }));
      return shared === null ? make : shared.around(make);
    },
  };
  const files = madeOfLibrary(work, 'copies', what, nowMs);
  return {
    ...files,
    async keepUp(items: readonly LibraryItem[]) {
      await files.keepUp(items);
      await shared?.tidy(items.filter(needsCopy), work.signal);
    },
    /** Null while there is none. */
    of(item: LibraryItem): SentFile | null {
      const path = files.of(item);
      return path === null ? null : { path, mime };
    },
  };
}

/** One of each item that needs it, in the background. */
export function madeOfLibrary(
  work: MediaWork,
  kind: 'copies' | 'frames',
  { needs, findMake }: MadeOf,
  nowMs = () => performance.now(),
) {
  const files = madeFiles(work, kind);
  const { log, signal } = work;
  const nameOf = ({ path, modifiedMs }: LibraryItem): string =>
    `${shortHash(`${path}\n${String(modifiedMs)}`)}${kinds[kind].extension}`;

  async function keepUp(items: readonly LibraryItem[]): Promise<void> {
    // An unmounted disk leaves an empty folder; its copies took hours and must not be removed.
    if (items.length === 0) return;
    await files.look();
    const wanted = new Map<string, LibraryItem>();
    for await (const some of inTurns(items)) for (const item of some) if (needs(item)) wanted.set(nameOf(item), item);
    await files.keepOnly(wanted);
    const missing = [...wanted].filter(([name]) => files.isWanted(name));
    if (missing.length === 0) return;
    const make = await findMake(signal);
    if (make === null) return;
    log.info({ files: missing.length }, `catalogue.${kind}-begun`);
    const done = { made: 0, of: missing.length };
    let [hasRoom, loggedAtMs] = [true, nowMs()];
    await work.each(kind, missing, async ([name, item]) => {
      hasRoom = await files.hasRoom();
      if (!hasRoom) return false;
      const write = ({ to }: Unfinished) => whileThere(item.path, () => make(item, to, signal)).then(() => true);
      done.made += Number(await files.make(name, { file: basename(item.path) }, write));
      if (nowMs() - loggedAtMs >= progressEveryMs) {
        loggedAtMs = nowMs();
        log.info({ ...done }, `catalogue.${kind}-progress`);
      }
      return true;
    });
    if (signal.aborted) return;
    if (hasRoom) log.info(done, `catalogue.${kind}-made`);
    else log.warn(done, `catalogue.${kind}-no-room`);
  }

  return {
    /** The path of the item's file; null while there is none. */
    of: (item: LibraryItem): string | null => (needs(item) ? files.of(nameOf(item)) : null),
    /** Reads which files an earlier process has made. */
    recall: files.look,
    forget: ({ path }: SentFile) => files.forget(path),
    /** Makes missing files, and removes those of items that are gone or have changed. `items` is the whole library. */
    keepUp: (items: readonly LibraryItem[]) => work.run(kind, () => keepUp(items)),
  };
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
