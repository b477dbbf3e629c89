/**
 * Reads the tracks of a folder, again and again: files that have not changed are read once. It logs which files were
 * skipped and why; it does not know what the items are used for.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import { type FoundFile, isMediaFile, type LibraryItem } from './library-item.ts';
import { isSubtitles, subtitlesOfFilms } from './subtitles.ts';
import { readTagged } from './tags.ts';

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

/** Images that usually lie beside an album; skipped without a log line. */
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

function isSidecar(path: string): boolean {
  return isSubtitles(path) || sidecars.has(extname(path).toLowerCase());
}

/** Deeper folders are not looked into. */
const maxDepth = 16;

type WalkStep =
  | { type: 'found'; file: FoundFile }
  | { type: 'skipped'; relativePath: string; reason: 'outside' | 'unreadable' | 'too-deep' };

/** Both with every link resolved. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * Every file below a folder, links resolved, in the order of names. A link that leads out of the folder is skipped: a
 * person who can write into a shared music folder must not be able to publish the rest of the disk. Hidden entries are passed over. Throws when `folder` itself can't be read.
 */
export async function* walkFolder(folder: string): AsyncGenerator<WalkStep> {
  const root = await realpath(folder);
  const entered = new Set<string>([root]);
  yield* walk(folder, 0);

  async function* walk(current: string, depth: number): AsyncGenerator<WalkStep> {
    const names = (await readdir(current)).filter((name) => !name.startsWith('.')).sort();
    for (const name of names) yield* visit(join(current, name), depth);
  }

  async function* visit(shown: string, depth: number): AsyncGenerator<WalkStep> {
    const relativePath = relative(folder, shown);
    try {
      const path = await realpath(shown);
      if (!isInside(root, path)) {
        yield { type: 'skipped', relativePath, reason: 'outside' };
        return;
      }
      const entry = await stat(path);
      if (entry.isFile()) {
        yield { type: 'found', file: { relativePath, path, size: entry.size, modifiedMs: entry.mtimeMs } };
      } else if (entry.isDirectory() && !entered.has(path)) {
        entered.add(path);
        if (depth >= maxDepth) yield { type: 'skipped', relativePath, reason: 'too-deep' };
        else yield* walk(shown, depth + 1);
      }
    } catch {
      // Deleted meanwhile, not readable, or a broken link: the rest of the folder is still read.
      yield { type: 'skipped', relativePath, reason: 'unreadable' };
    }
  }
}
