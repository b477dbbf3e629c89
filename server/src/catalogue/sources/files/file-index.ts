/**
 * Reads the files of a folder that have changed, and takes what is stored of the others. It knows nothing of what lies
 * beside a file, and does not walk.
 */
import { readFile } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import type { Log } from '../../../system/ports.ts';
import { asError } from '../../../system/printable.ts';
import { inTurns } from '../../../system/in-turns.ts';
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
import { type FoundFile, isMediaFile, type LibraryItem, shortHash } from '../../library/library-item.ts';
import { lyricsOfText } from '../../library/lrc.ts';
import { isLyrics } from '../../library/lyrics.ts';
import { isSubtitles } from '../../library/subtitles.ts';
import { placeOf, readTagged } from '../../library/tags.ts';
import { decodedText } from '../../library/text-encoding.ts';
import { hasEntries } from '../../library/web-vtt.ts';

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
  const unstored = new Map<string, KnownFile>();
  const rows = storedRows(files, before, log);
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

  return {
    ...{ unstored, save, recall: rows.recall },
    async read(file: FoundFile): Promise<Read> {
      const place = file.relativePath;
      if (!isMediaFile(place) && !isWords(place)) {
        return { found: await readAnew(file), beside: null, isNew: false };
      }
      const { known, beside, isStored } = await rows.of(file);
      const found = known === null ? await readAnew(file) : 'reason' in known ? known : { ...known, ...placeOf(file) };
      if ('reason' in found && found.isPassing) return { found, beside: null, isNew: true };
      see(place, !('reason' in found));
      const version = storedVersionOf(file);
      const now = { place, version, found: JSON.stringify(found), file: fileOf(version, place) };
      const isWhole = 'reason' in found || found.durationSeconds !== null;
      if (!isWhole) unstored.set(place, { ...now, beside: null });
      else if (!isStored) unsaved.push(now);
      if (performance.now() - savedAtMs > saveEveryMs) await save();
      return { found, beside, isNew: known === null };
    },
    /** Of what can't be reached at a place for now, and below it, all stays known. Answers the tracks; '' is the folder. */
    async *kept(away: string): AsyncGenerator<{ place: string; item: LibraryItem; beside: string | null }> {
      const isAway = (place: string) => away === '' || place === away || place.startsWith(away + sep);
      const isLeft = ({ place }: KnownFile) => isAway(place) && !seen.has(placeHash(place));
      for await (const row of files.recall()) {
        if (!isLeft(row)) continue;
        const item = listedOf(row, root);
        see(row.place, item !== null);
        if (item !== null) yield { place: row.place, item, beside: row.beside };
      }
      for (const row of before.values()) {
        const item = isLeft(row) ? listedOf(row, root) : null;
        if (item === null) continue;
        see(row.place, true);
        unstored.set(row.place, row);
        yield { place: row.place, item, beside: null };
      }
    },
    /** Forgets what is gone. */
    async end(): Promise<{ hasKnownTracks: boolean }> {
      rows.warnOfDamaged();
      if (hasTracks) await stored(() => forgetGone(files, seen), log);
      // An unmounted disk leaves an empty folder, or one with a note that says so.
      return { hasKnownTracks: hasTracks || (await hasTrackIn(files, root)) };
    },
  };
}

/** What is known of files: looked up for many at once, before they are read. */
function storedRows(files: KnownFiles, unstored: IndexParts['unstored'], log: IndexParts['log']) {
  const damaged: string[] = [];
  let rows = new Map<string, KnownFile>();

  function foundIn(row: KnownFile | undefined): LibraryItem | Skipped | null {
    const found = row ? readFound(row.found) : null;
    if (row && found === null) damaged.push(row.place);
    return found;
  }

  /** The row of a file that was at another place. */
  async function movedFrom(file: FoundFile): Promise<KnownFile | undefined> {
    const found: KnownFile[] = [];
    await stored(async () => {
      const row = await files.moved(fileOf(storedVersionOf(file), file.relativePath));
      if (row !== null && versionOfStored(row.version) === versionOf(file)) found.push(row);
    }, log);
    return found[0];
  }

  return {
    async recall(places: readonly string[]): Promise<void> {
      const wanted = places.filter((place) => isMediaFile(place) || isWords(place));
      rows = new Map();
      for (const place of wanted) {
        const row = unstored.get(place);
        if (row !== undefined) rows.set(place, row);
      }
      await stored(async () => {
        for (const row of await files.at(wanted)) rows.set(row.place, row);
      }, log);
    },
    /** `known` is null for a file that must be read; `isStored` is false where its row must be written. */
    async of(file: FoundFile) {
      const row = rows.get(file.relativePath);
      const isHere = row !== undefined && versionOfStored(row.version) === versionOf(file);
      const known = foundIn(isHere ? row : await movedFrom(file));
      return { known, beside: row?.beside ?? null, isStored: isHere && known !== null && row.file !== null };
    },
    warnOfDamaged(): void {
      const examples = damaged.slice(0, namedFiles);
      if (damaged.length > 0) log.warn({ files: damaged.length, examples }, 'catalogue.index-damaged');
    },
  };
}

async function hasTrackIn(files: KnownFiles, root: string): Promise<boolean> {
  for await (const row of files.recall()) if (listedOf(row, root) !== null) return true;
  return false;
}

/** Stores what was found beside these files, where it is not what was stored. `items` are their items by now. */
export async function keepBeside(
  found: readonly Found[],
  items: readonly LibraryItem[],
  { files, log, root }: Omit<IndexParts, 'unstored'>,
): Promise<void> {
  const changed: Pick<KnownFile, 'place' | 'beside'>[] = [];
  let at = 0;
  for await (const some of inTurns(found)) {
    for (const { item, relativePath: place, beside } of some) {
      const now = besideOf(items[at++] ?? item, root);
      if (now !== beside) changed.push({ place, beside: now });
    }
  }
  await stored(() => files.keepBeside(changed), log);
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
