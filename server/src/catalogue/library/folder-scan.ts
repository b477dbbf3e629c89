/**
 * Reads the tracks of a folder, again and again: files that have not changed are read once. It logs which files were
 * skipped and why; it does not know what the items are used for.
 */
import { basename, extname } from 'node:path';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import { isAlbumPicture, withAlbumPictures } from './album-pictures.ts';
import { walkFolder } from './folder-walk.ts';
import { type FoundFile, isMediaFile, type LibraryItem } from './library-item.ts';
import { isSubtitles, subtitlesOfFilms } from './subtitles.ts';
import { readTagged } from './tags.ts';

/** More files than this are not listed: everything is held in memory. */
const maxItems = 20_000;
const publishEvery = 100;
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
const usual = new Set(['unsupported', 'system', 'reached-before']);

/**
 * During the first scan `publish` gets the items found so far: a large folder takes minutes, and can be played
 * meanwhile.
 */
export function folderScan(folder: string, log: ScanLog, publish: (items: readonly LibraryItem[]) => void) {
  /** By place, size and time of change: what was found out about a file, or why it is no item. */
  let known = new Map<string, LibraryItem | Skipped>();
  let inexactBefore = 0;

  return async function scan(): Promise<ScannedFolder> {
    const found: { item: LibraryItem; relativePath: string }[] = [];
    const [subtitles, pictures]: FoundFile[][] = [[], []];
    const ids = new Set<string>();
    const seen: typeof known = new Map();
    const skipped: Record<string, number> = {};
    const skip = (key: string, relativePath: string, why: Skipped): void => {
      skipped[why.reason] = (skipped[why.reason] ?? 0) + 1;
      if (!known.has(key) && !why.isSilent) noteSkipped(relativePath, why, log);
      seen.set(key, why);
    };
    for await (const step of walkFolder(folder)) {
      if (step.type === 'skipped') {
        skip(`${step.reason}\n${step.relativePath}`, step.relativePath, { reason: step.reason });
        continue;
      }
      const { file } = step;
      const { relativePath } = file;
      if (isSubtitles(relativePath)) subtitles?.push(file);
      if (isAlbumPicture(relativePath)) pictures?.push(file);
      if (isSubtitles(relativePath) || isAlbumPicture(relativePath)) continue;
      if (found.length >= maxItems) {
        skip(`too-many\n${relativePath}`, relativePath, { reason: 'too-many', isSilent: true });
        continue;
      }
      const key = `${relativePath}\n${file.path}\n${String(file.size)}\n${String(file.modifiedMs)}`;
      const item = known.get(key) ?? (await readFile(file));
      if ('reason' in item) skip(key, relativePath, item);
      // Two spellings of one name, as different systems write accents.
      else if (ids.has(item.id)) skip(`same-name\n${key}`, relativePath, { reason: 'same-name' });
      else {
        seen.set(key, item);
        ids.add(item.id);
        found.push({ item, relativePath });
        if (known.size === 0 && found.length % publishEvery === 0) publish(found.map((each) => each.item));
      }
    }
    const tooMany = skipped['too-many'] ?? 0;
    if (tooMany > 0) log.warn({ listed: maxItems, notListed: tooMany }, 'catalogue.folder-too-large');
    known = seen;
    const items = withSubtitles(await withAlbumPictures(found, pictures ?? []), subtitles ?? []);
    inexactBefore = warnOfInexact(items, inexactBefore, log);
    return { items, skipped };
  };
}

interface Skipped {
  reason: string;
  detail?: string;
  /** Counted, without a line of its own. */
  isSilent?: boolean;
}

function noteSkipped(file: string, { reason, detail }: Skipped, log: ScanLog): void {
  const fields = detail === undefined ? { file, reason } : { file, reason, detail };
  if (usual.has(reason)) log.info(fields, 'catalogue.file-skipped');
  else log.warn(fields, 'catalogue.file-skipped');
}

function withSubtitles(
  found: readonly { item: LibraryItem; relativePath: string }[],
  files: readonly FoundFile[],
): LibraryItem[] {
  const films = found.filter(({ item }) => item.kind === 'video').map(({ relativePath }) => relativePath);
  const assigned = subtitlesOfFilms(films, files);
  return found.map(({ item, relativePath }) => ({ ...item, subtitles: assigned.get(relativePath) ?? [] }));
}

async function readFile(file: FoundFile): Promise<LibraryItem | Skipped> {
  if (!isMediaFile(file.relativePath)) {
    return isSidecar(file.relativePath) ? { reason: 'no-media', isSilent: true } : { reason: 'unsupported' };
  }
  try {
    return await readTagged(file);
  } catch (error) {
    return { reason: 'broken', detail: asError(error).message.slice(0, 200) };
  }
}

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
const sidecars = new Set([
  '.jpg',
  '.jpeg',
  '.png',
  '.webp',
  '.gif',
  '.txt',
  '.nfo',
  '.cue',
  '.log',
  '.m3u',
  '.m3u8',
  '.lrc',
  '.md',
  '.pdf',
  '.ini',
  '.db',
]);

const isSidecar = (path: string): boolean => sidecars.has(extname(path).toLowerCase());
