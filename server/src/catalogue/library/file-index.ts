/**
 * Reads the files of a folder that have changed, and takes what is stored of the others. It knows nothing of what lies
 * beside a file, and does not walk.
 */
import { readFile } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import {
  besideOf,
  fileOf,
  type KnownFile,
  type KnownFiles,
  listedOf,
  readFound,
  storedVersionOf,
  versionOf,
  versionOfStored,
} from './known-files.ts';
import { type FoundFile, isMediaFile, type LibraryItem, shortHash } from './library-item.ts';
import { lyricsOfText } from './lrc.ts';
import { isLyrics } from './lyrics.ts';
import { isSubtitles } from './subtitles.ts';
import { placeOf, readTagged } from './tags.ts';
import { decodedText } from './text-encoding.ts';
import { hasEntries } from './web-vtt.ts';

/** What was read is stored at least this often. */
const saveEveryMs = 1000;
/** How many files a line of the log names. */
const namedFiles = 3;

export interface Skipped {
  reason: string;
  detail?: string;
  /** Counted, without a line of its own. */
  isSilent?: boolean;
  /** The file could not be opened or read: its next reading may succeed though it has not changed. */
  isPassing?: boolean;
}

/** An item of the folder, and what is stored of the files beside it. */
export interface Found {
  item: LibraryItem;
  relativePath: string;
  beside: string | null;
}

/** What is found out of one file. */
interface Read {
  found: LibraryItem | Skipped;
  beside: string | null;
  /** Whether the file itself was read, and not what is stored of it. */
  isNew: boolean;
}

interface IndexParts {
  files: KnownFiles;
  log: Pick<Log, 'warn'>;
  /** The folder, links resolved. */
  root: string;
  /** What the scan before read and did not store. */
  unstored: ReadonlyMap<string, KnownFile>;
}

/** Reads files that have changed, and stores what was read at intervals: a scan that is interrupted is not lost. */
export function fileIndex({ files, log, root, unstored: before }: IndexParts) {
  /** Hashes of places. */
  const seen = new Set<number>();
  let hasTracks = false;
  const damaged: string[] = [];
  const unstored = new Map<string, KnownFile>();
  let rows = new Map<string, KnownFile>();
  let unsaved: Omit<KnownFile, 'beside'>[] = [];
  let savedAtMs = performance.now();

  async function save(): Promise<void> {
    const batch = unsaved;
    [unsaved, savedAtMs] = [[], performance.now()];
    await stored(() => files.keep(batch), log);
  }

  const see = (place: string, isTrack: boolean): void => {
    seen.add(placeHash(place));
    hasTracks ||= isTrack;
  };
  const foundIn = (row: KnownFile | null | undefined): LibraryItem | Skipped | null => {
    if (!row) return null;
    const found = readFound(row.found);
    if (found === null) damaged.push(row.place);
    return found;
  };
  const moved = async (file: FoundFile, hash: string): Promise<KnownFile | null> => {
    const rows: KnownFile[] = [];
    await stored(async () => {
      const row = await files.moved(hash);
      if (row !== null && versionOfStored(row.version) === versionOf(file)) rows.push(row);
    }, log);
    return rows[0] ?? null;
  };

  return {
    unstored,
    save,
    /** Looks up what is known at these places, before they are read. */
    async recall(places: readonly string[]): Promise<void> {
      const known = places.filter((place) => isMediaFile(place) || isWords(place));
      rows = new Map();
      await stored(async () => {
        for (const row of await files.at(known)) rows.set(row.place, row);
      }, log);
      for (const place of known) {
        const row = before.get(place);
        if (row !== undefined && !rows.has(place)) rows.set(place, row);
      }
    },
    async read(file: FoundFile): Promise<Read> {
      const place = file.relativePath;
      if (!isMediaFile(place) && !isWords(place)) {
        return { found: await readAnew(file), beside: null, isNew: false };
      }
      const stored = storedVersionOf(file);
      const hash = fileOf(stored, place);
      const row = rows.get(place);
      const isHere = row !== undefined && versionOfStored(row.version) === versionOf(file);
      const known = (isHere ? foundIn(row) : null) ?? foundIn(isHere ? null : await moved(file, hash));
      const found = known === null ? await readAnew(file) : 'reason' in known ? known : { ...known, ...placeOf(file) };
      if ('reason' in found && found.isPassing) return { found, beside: null, isNew: true };
      see(place, !('reason' in found));
      const now = { place, version: stored, found: JSON.stringify(found), file: hash };
      const isWhole = 'reason' in found || found.durationSeconds !== null;
      if (!isWhole) unstored.set(place, { ...now, beside: null });
      else if (!(isHere && known !== null && row.file !== null)) unsaved.push(now);
      if (performance.now() - savedAtMs > saveEveryMs) await save();
      return { found, beside: row?.beside ?? null, isNew: known === null };
    },
    /** Of what can't be reached at a place for now, and below it, all stays known. Answers the tracks; '' is the folder. */
    async *kept(away: string): AsyncGenerator<{ place: string; item: LibraryItem; beside: string | null }> {
      for await (const row of files.recall()) {
        const { place, beside } = row;
        const isAway = away === '' || place === away || place.startsWith(away + sep);
        if (!isAway || seen.has(placeHash(place))) continue;
        const item = listedOf(row, root);
        see(place, item !== null);
        if (item !== null) yield { place, item, beside };
      }
      for (const [place, row] of before) {
        const item = place.startsWith(away) && !seen.has(placeHash(place)) ? listedOf(row, root) : null;
        if (item === null) continue;
        see(place, true);
        unstored.set(place, row);
        yield { place, item, beside: null };
      }
    },
    /** Stores what was found beside these, where it is not what was stored. */
    async keepBeside(found: readonly Found[]): Promise<void> {
      const changed = found.flatMap(({ item, relativePath: place, beside }) => {
        const now = besideOf(item, root);
        return now === beside ? [] : [{ place, beside: now }];
      });
      await stored(() => files.keepBeside(changed), log);
    },
    /** Forgets what is gone. */
    async end(): Promise<{ hasKnownTracks: boolean }> {
      if (damaged.length > 0) {
        log.warn({ files: damaged.length, examples: damaged.slice(0, namedFiles) }, 'catalogue.index-damaged');
      }
      if (hasTracks) await stored(() => forgetGone(files, seen), log);
      // An unmounted disk leaves an empty folder, or one with a note that says so.
      const isKnown = async (): Promise<boolean> => {
        for await (const row of files.recall()) if (listedOf(row, root) !== null) return true;
        return false;
      };
      return { hasKnownTracks: hasTracks || (await isKnown()) };
    },
  };
}

/** A number of 48 bits: a hundred thousand places weigh little. */
const placeHash = (place: string): number => Number.parseInt(shortHash(place).slice(0, 12), 16);

async function forgetGone(files: KnownFiles, seen: ReadonlySet<number>): Promise<void> {
  const gone: string[] = [];
  for await (const { place } of files.recall()) if (!seen.has(placeHash(place))) gone.push(place);
  await files.forget(gone);
}

/** What is stored saves time and is nothing else: without it the folder is read all the same. */
async function stored(work: () => Promise<void>, log: Pick<Log, 'warn'>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ err: error }, 'catalogue.index-not-stored');
  }
}

/** Subtitles and lyrics. */
export const isWords = (path: string): boolean => isSubtitles(path) || isLyrics(path);
/** What is known of a file of words in which something can be read: it is no item, and not skipped. */
export const shown: Skipped = { reason: 'shown' };
export const noMedia: Skipped = { reason: 'no-media', isSilent: true };

async function readWords({ relativePath, path }: FoundFile): Promise<Skipped> {
  const bytes = await readFile(path);
  const isRead = isLyrics(relativePath) ? lyricsOfText(decodedText(bytes, null)) !== null : hasEntries(bytes);
  return isRead ? shown : { reason: 'no-entries' };
}

async function readAnew(file: FoundFile): Promise<LibraryItem | Skipped> {
  const { relativePath } = file;
  if (!isMediaFile(relativePath) && !isWords(relativePath)) {
    return isSidecar(relativePath) ? noMedia : { reason: 'unsupported' };
  }
  try {
    return await (isWords(relativePath) ? readWords(file) : readTagged(file));
  } catch (error) {
    const detail = asError(error).message.slice(0, 200);
    return isOfSystem(error) ? { reason: 'unreadable', detail, isPassing: true } : { reason: 'broken', detail };
  }
}

/** An error of the disk or the file system, such as a lacking right, and not of the file's contents. */
const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** What usually lies beside an album; counted, without a log line. */
const sidecars = new Set(['.nfo', '.cue', '.log', '.m3u', '.m3u8', '.md', '.pdf', '.ini', '.db']);

const isSidecar = (path: string): boolean => sidecars.has(extname(path).toLowerCase());
