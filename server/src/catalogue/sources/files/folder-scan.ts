/**
 * Reads the tracks of a folder, again and again: files that have not changed are read once, also across restarts. It
 * logs which files were skipped and why; it does not know what the items are used for.
 */
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Log } from '../../../system/ports.ts';
import { isNamedAsCover, isPicture, withAlbumPictures } from '../../library/album-pictures.ts';
import { fileIndex, type Found, isWords, keepBeside, noMedia, shown, type Skipped } from './file-index.ts';
import { walkFolder, type WalkStep } from './folder-walk.ts';
import { inTurns, turns } from '../../../system/in-turns.ts';
import { keeper } from '../../library/kept-items.ts';
import type { KeptList } from '../../library/kept-list.ts';
import type { KnownFile, KnownFiles } from './known-files.ts';
import { type FoundFile, isMediaFile, type LibraryItem, plainItem } from '../../library/library-item.ts';
import { isAnyText, isLyrics, maxLyricsBytes, withLyrics } from '../../library/lyrics.ts';
import { maxSubtitlesBytes, subtitlesOfFilms } from '../../library/subtitles.ts';

/** Steps whose files are looked up together. */
const stepsAtOnce = 100;
/** Files found so far are listed whenever their number has grown by this factor: the first ones at once. */
const showGrowth = 1.5;
/** And this often where it has grown by less. */
const showEveryMs = 1000;
const leastGrowth = 1.1;
/** How many files a line of the log names. */
const namedFiles = 3;

type ScanLog = Pick<Log, 'info' | 'warn'>;

/** How many entries of the folder are not listed, by reason. */
export type SkippedCounts = Readonly<Record<string, number>>;
export interface ScannedFolder {
  items: readonly LibraryItem[];
  skipped: SkippedCounts;
}
/** What is usual in a folder of music: a line for the record, and no warning. */
const usual = new Set(['unsupported', 'system', 'reached-before', 'special', 'no-film', 'no-picture']);

interface ScanParts {
  folder: string;
  log: ScanLog;
  /** What was read before, by this process or another. */
  files: KnownFiles;
  /** The tracks of the folder that are listed already. */
  listed(): KeptList;
  /**
   * Gets the items found so far while none are listed: a large folder takes minutes, and can be played meanwhile.
   */
  publish(items: readonly LibraryItem[]): Promise<void>;
  /** Called for each file of media that was looked at, with whether it had to be read. */
  onLooked(isNew: boolean): void;
}

export function folderScan({ folder, log, files, listed, publish, onLooked }: ScanParts) {
  /** The log lines of the latest scan: each is written once. */
  let noted = new Set<string>();
  let inexactBefore = 0;
  /** Files without a length are not stored: the length may be counted once ffmpeg is installed. */
  let unstored: ReadonlyMap<string, KnownFile> = new Map();

  return async function scan(): Promise<ScannedFolder> {
    const found: Found[] = [];
    const [subtitles, pictures, lyrics]: [FoundFile[], FoundFile[], FoundFile[]] = [[], [], []];
    const ids = new Set<string>();
    const { skip, skipped, notedNow } = skippedFiles(noted, log);
    let isEmpty = true;
    const before = listed();
    const wasListed = before.items.length > 0;
    const keep = keeper(before);
    const growing = wasListed ? null : inSteps(() => publish(found.map(({ item }) => item)));
    const root = await realpath(folder);
    const index = fileIndex({ files, log, root, unstored });
    const list = ({ item, beside }: { item: LibraryItem; beside: string | null }, relativePath: string): void => {
      // Two spellings of one name, as different systems write accents.
      if (ids.has(item.id)) return skip(relativePath, { reason: 'same-name' });
      ids.add(item.id);
      found.push({ item: keep(item), relativePath, beside });
      growing?.has(found.length);
    };
    const keepListed = async (away: string): Promise<void> => {
      for await (const { place, ...each } of index.kept(away)) list(each, place);
    };
    const look = inItsTurn(async (step: WalkStep): Promise<void> => {
      if (step.type === 'skipped') {
        skip(step.relativePath, { reason: step.reason });
        if (step.isAway === true) await keepListed(step.relativePath);
        return;
      }
      const { file } = step;
      const { relativePath } = file;
      if (isWords(relativePath)) {
        const why = await whyNoWords(file, index);
        if (why === null) (isLyrics(relativePath) ? lyrics : subtitles).push(file);
        else skip(relativePath, why);
      } else if (isPicture(relativePath)) {
        pictures.push(file);
        if (!isNamedAsCover(relativePath)) skip(relativePath, noMedia);
      } else {
        const read = await index.read(file);
        if ('reason' in read.found) skip(relativePath, read.found);
        else list({ item: read.found, beside: read.beside }, relativePath);
        if (isMediaFile(relativePath)) onLooked(read.isNew);
      }
    });
    try {
      for await (const steps of together(walkFolder(folder), stepsAtOnce)) {
        isEmpty = false;
        await index.recall(steps.flatMap((step) => (step.type === 'found' ? [step.file.relativePath] : [])));
        for (const step of steps) await look(step);
      }
    } finally {
      await growing?.end();
      await index.save();
    }
    const hasNone = found.length === 0;
    // The whole disk may be away for a moment.
    if (hasNone && wasListed) await keepListed('');
    const { hasKnownTracks } = await index.end();
    if (isEmpty || (hasNone && hasKnownTracks))
      skip('.', { reason: 'empty', detail: 'If its disk should hold something, is it mounted?' });
    const withPictures = await withAlbumPictures(found, pictures, (path) => skip(path, { reason: 'no-picture' }));
    const items = await withWords(withPictures, { lyrics, subtitles }, skip);
    await keepBeside(withPictures, items, { files, log, root });
    unstored = index.unstored;
    noted = notedNow;
    inexactBefore = await warnOfInexact(items, inexactBefore, log);
    return { items, skipped };
  };
}

function skippedFiles(noted: ReadonlySet<string>, log: ScanLog) {
  const skipped: Record<string, number> = {};
  const notedNow = new Set<string>();
  const skip = (relativePath: string, why: Skipped): void => {
    skipped[why.reason] = (skipped[why.reason] ?? 0) + 1;
    if (why.isSilent) return;
    const line = `${why.reason}\n${relativePath}`;
    if (!noted.has(line)) noteSkipped(relativePath, why, log);
    notedNow.add(line);
  };
  return { skip, skipped, notedNow };
}

/** Null for a file in which there are words. */
async function whyNoWords(file: FoundFile, index: ReturnType<typeof fileIndex>): Promise<Skipped | null> {
  const { relativePath, size } = file;
  const isTooLarge = size > (isLyrics(relativePath) ? maxLyricsBytes : maxSubtitlesBytes);
  const read = isTooLarge ? { reason: 'too-large' } : (await index.read(file)).found;
  if (!('reason' in read) || read.reason === shown.reason) return null;
  return isAnyText(relativePath) ? noMedia : read;
}

/** Files that are known are not read: without turns all of them would be looked at in one piece. */
function inItsTurn<T>(look: (each: T) => Promise<void>): (each: T) => Promise<void> {
  const turn = turns();
  return async (each) => {
    if (turn.isDue()) await turn.give();
    await look(each);
  };
}

async function* together<T>(all: AsyncIterable<T>, most: number): AsyncGenerator<T[]> {
  let some: T[] = [];
  for await (const each of all) {
    some.push(each);
    if (some.length < most) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** Calls `show` when the number has grown enough, and at intervals while it grows. */
function inSteps(show: () => Promise<void>) {
  let [shown, count] = [0, 0];
  /** A long list is made in pieces: the next one waits for it. */
  let showing: Promise<void> | null = null;
  const showNew = (): void => {
    if (count < shown * leastGrowth || count === shown || showing !== null) return;
    shown = count;
    showing = show().finally(() => (showing = null));
  };
  const ticking = setInterval(showNew, showEveryMs);
  return {
    has(now: number): void {
      count = now;
      if (count >= shown * showGrowth) showNew();
    },
    async end(): Promise<void> {
      clearInterval(ticking);
      await showing;
    },
  };
}

function noteSkipped(file: string, { reason, detail }: Skipped, log: ScanLog): void {
  const fields = detail === undefined ? { file, reason } : { file, reason, detail };
  if (usual.has(reason)) log.info(fields, 'catalogue.file-skipped');
  else log.warn(fields, 'catalogue.file-skipped');
}

/** Subtitles of the name of a track are its words; others belong to films. */
async function withWords(
  found: readonly { item: LibraryItem; relativePath: string }[],
  { lyrics, subtitles }: { lyrics: readonly FoundFile[]; subtitles: readonly FoundFile[] },
  skip: (relativePath: string, why: Skipped) => void,
): Promise<LibraryItem[]> {
  const { tracks, used } = await withLyrics(found, [...lyrics, ...subtitles]);
  for (const file of lyrics) if (!used.has(file)) skip(file.relativePath, noMedia);
  const ofFilms = subtitles.filter((file) => !used.has(file));
  return await withSubtitles(tracks, ofFilms, (path) => skip(path, { reason: 'no-film' }));
}

async function withSubtitles(
  found: readonly { item: LibraryItem; relativePath: string }[],
  files: readonly FoundFile[],
  onUnused: (relativePath: string) => void,
): Promise<LibraryItem[]> {
  const films: string[] = [];
  for await (const some of inTurns(found)) {
    for (const { item, relativePath } of some) if (item.kind === 'video') films.push(relativePath);
  }
  const assigned = subtitlesOfFilms(films, files);
  const used = new Set([...assigned.values()].flatMap((each) => each.map(({ path }) => path)));
  for (const { path, relativePath } of files) if (!used.has(path)) onUnused(relativePath);
  const items: LibraryItem[] = [];
  for await (const some of inTurns(found)) {
    for (const { item, relativePath } of some) {
      const subtitles = item.kind === 'video' ? assigned.get(relativePath) : undefined;
      items.push(subtitles === undefined ? item : { ...plainItem(item), subtitles });
    }
  }
  return items;
}

/** Warns, once for the same number of files, that late joiners will hear some of them out of step. */
async function warnOfInexact(found: readonly LibraryItem[], countBefore: number, log: ScanLog): Promise<number> {
  const inexact: LibraryItem[] = [];
  for await (const some of inTurns(found)) for (const item of some) if (!item.seeksExactly) inexact.push(item);
  if (inexact.length > 0 && inexact.length !== countBefore) {
    const examples = inexact.slice(0, namedFiles).map(({ path }) => basename(path));
    const advice =
      'Late joiners of these hear an echo. AAC in M4A, FLAC and WAV are exact; tracks are copied so where ffmpeg is.';
    log.warn({ files: inexact.length, examples, advice }, 'catalogue.inexact-seeks');
  }
  return inexact.length;
}
