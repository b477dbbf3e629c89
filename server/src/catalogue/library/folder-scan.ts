/**
 * Reads the tracks of a folder, again and again: files that have not changed are read once. It tells the operator which
 * files were skipped and why; it does not know what the items are used for.
 */
import { basename } from 'node:path';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import { type FoundFile, walkFolder } from './folder-walk.ts';
import type { LibraryItem } from './library-item.ts';
import { isMediaFile, isSidecar } from './media-formats.ts';
import { isSubtitles, subtitlesOfFilms } from './subtitles.ts';
import { readTagged } from './tagged-file.ts';

/** More files than this are not listed: everything is held in memory. */
const maxItems = 20_000;
const publishEvery = 100;
/** How many files a line of the log names. */
const namedFiles = 3;

type ScanLog = Pick<Log, 'info' | 'warn'>;

/**
 * During the first scan `publish` gets the items found so far: a large folder takes minutes, and can be played
 * meanwhile.
 */
export function folderScan(folder: string, log: ScanLog, publish: (items: readonly LibraryItem[]) => void) {
  /** By place, size and time of change: what was found out about a file, null when it is no item. */
  let known = new Map<string, LibraryItem | null>();
  let inexactBefore = 0;

  return async function scan(): Promise<LibraryItem[]> {
    const found: { item: LibraryItem; relativePath: string }[] = [];
    const subtitles: FoundFile[] = [];
    const seen = new Map<string, LibraryItem | null>();
    for await (const step of walkFolder(folder)) {
      if (step.type === 'skipped') {
        const key = `${step.reason}\n${step.relativePath}`;
        if (!known.has(key)) log.warn({ file: step.relativePath, reason: step.reason }, 'catalogue.file-skipped');
        seen.set(key, null);
        continue;
      }
      const { file } = step;
      if (isSubtitles(file.relativePath)) {
        subtitles.push(file);
        continue;
      }
      const key = `${file.relativePath}\n${file.path}\n${String(file.size)}\n${String(file.modifiedMs)}`;
      const before = known.get(key);
      const item = before === undefined ? await readFile(file, log) : before;
      seen.set(key, item);
      if (item === null) continue;
      found.push({ item, relativePath: file.relativePath });
      if (known.size === 0 && found.length % publishEvery === 0) publish(found.map((each) => each.item));
      if (found.length >= maxItems) {
        log.warn({ listed: maxItems }, 'catalogue.folder-too-large');
        break;
      }
    }
    known = seen;
    const items = withSubtitles(found, subtitles);
    inexactBefore = warnOfInexact(items, inexactBefore, log);
    return items;
  };
}

function withSubtitles(
  found: readonly { item: LibraryItem; relativePath: string }[],
  files: readonly FoundFile[],
): LibraryItem[] {
  const films = found.filter(({ item }) => item.kind === 'video').map(({ relativePath }) => relativePath);
  const assigned = subtitlesOfFilms(films, files);
  return found.map(({ item, relativePath }) => ({ ...item, subtitles: assigned.get(relativePath) ?? [] }));
}

async function readFile(file: FoundFile, log: ScanLog): Promise<LibraryItem | null> {
  const { relativePath } = file;
  if (!isMediaFile(relativePath)) {
    if (!isSidecar(relativePath)) log.info({ file: relativePath, reason: 'unsupported' }, 'catalogue.file-skipped');
    return null;
  }
  try {
    return await readTagged(file);
  } catch (error) {
    const detail = asError(error).message.slice(0, 200);
    log.warn({ file: relativePath, reason: 'broken', detail }, 'catalogue.file-skipped');
    return null;
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
