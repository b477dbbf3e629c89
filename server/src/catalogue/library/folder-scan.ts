/**
 * Reads the tracks of a folder, again and again: files that have not changed are read once, also across restarts. It
 * logs which files were skipped and why; it does not know what the items are used for.
 */
import { readFile } from 'node:fs/promises';
import { basename, extname, sep } from 'node:path';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import { isNamedAsCover, isPicture, withAlbumPictures } from './album-pictures.ts';
import { walkFolder } from './folder-walk.ts';
import {
  type KnownFile,
  type KnownFiles,
  readFound,
  storedVersionOf,
  versionOf,
  versionOfStored,
} from './known-files.ts';
import { type FoundFile, isMediaFile, type LibraryItem } from './library-item.ts';
import { lyricsOfText } from './lrc.ts';
import { isAnyText, isLyrics, maxLyricsBytes, withLyrics } from './lyrics.ts';
import { isSubtitles, maxSubtitlesBytes, subtitlesOfFilms } from './subtitles.ts';
import { placeOf, readTagged } from './tags.ts';
import { decodedText } from './text-encoding.ts';
import { hasEntries } from './web-vtt.ts';

/** More files than this are not listed: everything is held in memory. */
const maxItems = 20_000;
/** Files found so far are listed, and stored, at least this often. */
const showEveryMs = 1000;
/** And whenever their number has grown by this factor: the first ones at once. */
const showGrowth = 1.5;
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
  /** What earlier processes read. */
  files: KnownFiles;
  /**
   * Gets the items found so far during the first scan: a large folder takes minutes, and can be played meanwhile.
   */
  publish(items: readonly LibraryItem[]): void;
}

/** What was found out about one version of a file: a track, or why it is none. */
interface Known {
  version: string;
  /** With the number of the file where it is known. */
  stored: string;
  found: LibraryItem | Skipped;
}

export function folderScan({ folder, log, files, publish }: ScanParts) {
  /** By place; null before the first scan. */
  let known: Map<string, Known> | null = null;
  /** The log lines of the latest scan: each is written once. */
  let noted = new Set<string>();
  let inexactBefore = 0;

  return async function scan(): Promise<ScannedFolder> {
    const found: { item: LibraryItem; relativePath: string }[] = [];
    const [subtitles, pictures, lyrics]: [FoundFile[], FoundFile[], FoundFile[]] = [[], [], []];
    const ids = new Set<string>();
    const skipped: Record<string, number> = {};
    const notedNow = new Set<string>();
    const skip = (relativePath: string, why: Skipped): void => {
      skipped[why.reason] = (skipped[why.reason] ?? 0) + 1;
      if (why.isSilent) return;
      const line = `${why.reason}\n${relativePath}`;
      if (!noted.has(line)) noteSkipped(relativePath, why, log);
      notedNow.add(line);
    };
    let isEmpty = true;
    const growing = known === null ? inSteps(() => publish(found.map(({ item }) => item))) : null;
    const index = fileIndex(known ?? (await recalled(files, log)), files, log);
    const list = (item: LibraryItem, relativePath: string): void => {
      // Two spellings of one name, as different systems write accents.
      if (ids.has(item.id)) return skip(relativePath, { reason: 'same-name' });
      ids.add(item.id);
      found.push({ item, relativePath });
      growing?.has(found.length);
    };
    const keepListed = (away: string): void => {
      for (const [place, item] of index.kept(away)) list(item, place);
    };
    try {
      for await (const step of walkFolder(folder)) {
        isEmpty = false;
        if (step.type === 'skipped') {
          skip(step.relativePath, { reason: step.reason });
          if (step.isAway === true) keepListed(step.relativePath);
          continue;
        }
        const { file } = step;
        const { relativePath } = file;
        if (isWords(relativePath)) {
          const [most, words] = isLyrics(relativePath) ? [maxLyricsBytes, lyrics] : [maxSubtitlesBytes, subtitles];
          const read = file.size > most ? { reason: 'too-large' } : await index.read(file);
          if ('reason' in read && read.reason !== shown.reason)
            skip(relativePath, isAnyText(relativePath) ? noMedia : read);
          else words.push(file);
        } else if (isPicture(relativePath)) {
          pictures.push(file);
          if (!isNamedAsCover(relativePath)) skip(relativePath, noMedia);
        } else if (found.length >= maxItems && isMediaFile(relativePath))
          skip(relativePath, { reason: 'too-many', isSilent: true });
        else {
          const item = await index.read(file);
          if ('reason' in item) skip(relativePath, item);
          else list(item, relativePath);
        }
      }
    } finally {
      growing?.end();
      await index.save();
    }
    const hasNone = found.length === 0;
    // The whole disk may be away for a moment.
    if (hasNone && known !== null) keepListed('');
    known = await index.end();
    if (isEmpty || (hasNone && [...known.values()].some(isTrack)))
      skip('.', { reason: 'empty', detail: 'If its disk should hold something, is it mounted?' });
    const tooMany = skipped['too-many'] ?? 0;
    if (tooMany > 0) log.warn({ listed: maxItems, notListed: tooMany }, 'catalogue.folder-too-large');
    const withPictures = await withAlbumPictures(found, pictures, (path) => skip(path, { reason: 'no-picture' }));
    const items = withWords(withPictures, { lyrics, subtitles }, skip);
    noted = notedNow;
    inexactBefore = warnOfInexact(items, inexactBefore, log);
    return { items, skipped };
  };
}

/** Calls `show` when the number has grown enough, and at intervals while it grows. */
function inSteps(show: () => void) {
  let [shown, count] = [0, 0];
  const showNew = (): void => {
    if (count === shown) return;
    shown = count;
    show();
  };
  const ticking = setInterval(showNew, showEveryMs);
  return {
    has(now: number): void {
      count = now;
      if (count >= shown * showGrowth) showNew();
    },
    end: () => clearInterval(ticking),
  };
}

/** One file under each of its places: files that are moved keep their names as a rule, and a title may come from it. */
const asFile = (stored: string, place: string): string => `${stored}\n${basename(place)}`;

const isTrack = ({ found }: Known): boolean => !('reason' in found);

/** Reads files that have changed, and stores what was read at intervals: a scan that is interrupted is not lost. */
function fileIndex(before: ReadonlyMap<string, Known>, files: KnownFiles, log: ScanLog) {
  const seen = new Map<string, Known>();
  const byFile = new Map([...before].map(([place, each]) => [asFile(each.stored, place), each.found]));
  let unsaved: KnownFile[] = [];
  let savedAtMs = performance.now();

  async function save(): Promise<void> {
    const batch = unsaved;
    [unsaved, savedAtMs] = [[], performance.now()];
    await stored(() => files.keep(batch), log);
  }

  return {
    async read(file: FoundFile): Promise<LibraryItem | Skipped> {
      const place = file.relativePath;
      const version = versionOf(file);
      const stored = storedVersionOf(file);
      const last = before.get(place);
      const isHere = last?.version === version;
      const known = isHere ? last.found : byFile.get(asFile(stored, place));
      // The whole folder may be mounted at another place, too.
      const isSame = known && ('reason' in known || (isHere && known.path === file.path));
      const found = isSame ? known : known ? { ...known, ...placeOf(file) } : await readAnew(file);
      if ('reason' in found && found.isPassing) return found;
      seen.set(place, { version, stored, found });
      // A length may be counted once ffmpeg is installed.
      const isWhole = 'reason' in found || found.durationSeconds !== null;
      const isStored = isHere && last.stored !== version;
      if ((isMediaFile(place) || isWords(place)) && isWhole && !isStored)
        unsaved.push({ place, version: stored, found: JSON.stringify(found) });
      if (performance.now() - savedAtMs > showEveryMs) await save();
      return found;
    },
    save,
    /** Of what can't be reached at a place for now, and below it, all stays known. Answers the tracks; '' is the folder. */
    kept(away: string): [place: string, item: LibraryItem][] {
      const isBelow = (place: string) => (away === '' || place.startsWith(away + sep)) && !seen.has(place);
      const places = before.has(away) ? [away] : [...before.keys()].filter(isBelow);
      return places.flatMap((place) => {
        const last = before.get(place);
        if (last === undefined) return [];
        seen.set(place, last);
        return 'reason' in last.found ? [] : [[place, last.found] as const];
      });
    },
    /** Answers what is known now. */
    async end(): Promise<Map<string, Known>> {
      // An unmounted disk leaves an empty folder, or one with a note that says so.
      if (![...seen.values()].some(isTrack)) return new Map([...before, ...seen]);
      const gone = [...before.keys()].filter((place) => !seen.has(place));
      await stored(() => files.forget(gone), log);
      return seen;
    },
  };
}

async function recalled(files: KnownFiles, log: ScanLog): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  const damaged: string[] = [];
  await stored(async () => {
    for await (const { place, version, found } of files.recall()) {
      const read = readFound(found);
      if (read) known.set(place, { version: versionOfStored(version), stored: version, found: read });
      else damaged.push(place);
    }
  }, log);
  if (damaged.length > 0) {
    log.warn({ files: damaged.length, examples: damaged.slice(0, namedFiles) }, 'catalogue.index-damaged');
  }
  return known;
}

/** What is stored saves time and is nothing else: without it the folder is read all the same. */
async function stored(work: () => Promise<void>, log: ScanLog): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ err: error }, 'catalogue.index-not-stored');
  }
}

interface Skipped {
  reason: string;
  detail?: string;
  /** Counted, without a line of its own. */
  isSilent?: boolean;
  /** The file could not be opened or read: its next reading may succeed though it has not changed. */
  isPassing?: boolean;
}

function noteSkipped(file: string, { reason, detail }: Skipped, log: ScanLog): void {
  const fields = detail === undefined ? { file, reason } : { file, reason, detail };
  if (usual.has(reason)) log.info(fields, 'catalogue.file-skipped');
  else log.warn(fields, 'catalogue.file-skipped');
}

/** Subtitles of the name of a track are its words; others belong to films. */
function withWords(
  found: readonly { item: LibraryItem; relativePath: string }[],
  { lyrics, subtitles }: { lyrics: readonly FoundFile[]; subtitles: readonly FoundFile[] },
  skip: (relativePath: string, why: Skipped) => void,
): LibraryItem[] {
  const { tracks, used } = withLyrics(found, [...lyrics, ...subtitles]);
  for (const file of lyrics) if (!used.has(file)) skip(file.relativePath, noMedia);
  const ofFilms = subtitles.filter((file) => !used.has(file));
  return withSubtitles(tracks, ofFilms, (path) => skip(path, { reason: 'no-film' }));
}

function withSubtitles(
  found: readonly { item: LibraryItem; relativePath: string }[],
  files: readonly FoundFile[],
  onUnused: (relativePath: string) => void,
): LibraryItem[] {
  const films = found.filter(({ item }) => item.kind === 'video').map(({ relativePath }) => relativePath);
  const assigned = subtitlesOfFilms(films, files);
  const used = new Set([...assigned.values()].flatMap((each) => each.map(({ path }) => path)));
  for (const { path, relativePath } of files) if (!used.has(path)) onUnused(relativePath);
  return found.map(({ item, relativePath }) => {
    const subtitles = assigned.get(relativePath);
    return subtitles === undefined ? item : { ...item, subtitles };
  });
}

/** Subtitles and lyrics. */
const isWords = (path: string): boolean => isSubtitles(path) || isLyrics(path);
/** What is known of a file of words in which something can be read: it is no item, and not skipped. */
const shown: Skipped = { reason: 'shown' };
const noMedia: Skipped = { reason: 'no-media', isSilent: true };

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

/** Warns, once for the same number of files, that late joiners will hear some of them out of step. */
function warnOfInexact(found: readonly LibraryItem[], countBefore: number, log: ScanLog): number {
  const inexact = found.filter((item) => !item.seeksExactly);
  if (inexact.length > 0 && inexact.length !== countBefore) {
    const examples = inexact.slice(0, namedFiles).map(({ path }) => basename(path));
    const advice =
      'Late joiners of these hear an echo. AAC in M4A, FLAC and WAV are exact; tracks are copied so where ffmpeg is.';
    log.warn({ files: inexact.length, examples, advice }, 'catalogue.inexact-seeks');
  }
  return inexact.length;
}

/** What usually lies beside an album; counted, without a log line. */
const sidecars = new Set(['.nfo', '.cue', '.log', '.m3u', '.m3u8', '.md', '.pdf', '.ini', '.db']);

const isSidecar = (path: string): boolean => sidecars.has(extname(path).toLowerCase());
