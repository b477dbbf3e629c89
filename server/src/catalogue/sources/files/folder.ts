/**
 * The operator's folder as a source: its files are listed from what is known of them, and looked at in the background;
 * or it has a list made by hand.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '@tunemate/protocol';
import { z } from 'zod';
import type { Log } from '../../../system/ports.ts';
import { asError } from '../../../system/printable.ts';
import { within } from '../../../system/within.ts';
import { knownPatienceMs, listOf, type Recalling, recalledList } from '../../library/kept-items.ts';
import { keptList } from '../../library/kept-list.ts';
import {
  isMediaFile,
  libraryId,
  type LibraryItem,
  noteFewer,
  plainItem,
  seeksExactly,
} from '../../library/library-item.ts';
import type { Source, SourceParts } from '../source.ts';
import { filesSource } from './files-source.ts';
import { folderScan, type ScannedFolder, type SkippedCounts } from './folder-scan.ts';
import { countFiles, isInside, walkFolder } from './folder-walk.ts';
import { filesInMemory, type KnownFiles, recalledItems } from './known-files.ts';

export interface MediaFolder {
  source: Source;
  /** What the last reading left out, by reason. */
  skipped(): SkippedCounts;
  /** Shows the frames of films that were made since the last reading, and no others. */
  showFrames(): void;
  /** Looks at the folder again; unchanged files are not read twice. */
  refresh(): Promise<void>;
  /** How many files were listed or looked at so far, of how many; null while a reading had to read none, and while none goes on. */
  progress(): { read: number; of: number } | null;
  /** Until it resolves the list may lack most of the folder, or have what is gone. Rejects when the folder can't be read to its end. */
  readonly firstReading: Promise<void>;
}

export interface FolderDeps {
  folder: string;
  log: Pick<Log, 'info' | 'warn'>;
  /**
   * How long opening waits for what is known of the folder, or where nothing is for the first reading, which goes on in
   * the background; by default until the first reading is done.
   */
  patienceMs?: number;
  /** What earlier processes read of the files; by default only what this one reads is known. */
  files?: KnownFiles;
  /** What is made of the files; by default nothing. */
  made?: Pick<Source, 'copies'>;
  /** The picture that was taken from a film that has none; null while there is none. */
  frameOf?: (item: LibraryItem) => string | null;
}

/** Opens the folder. Throws when it can't be read at all. */
export async function openFolder(deps: FolderDeps & Pick<SourceParts, 'changed'>): Promise<MediaFolder> {
  const { folder, log, patienceMs, files = filesInMemory(), frameOf = () => null, changed } = deps;
  let isListed = false;
  const shown = shownFiles(framedBy(frameOf));

  let skipped: SkippedCounts = {};
  async function take(read: ScannedFolder): Promise<void> {
    const before = shown.list().items.length;
    await shown.publish(read.items);
    noteFewer(log, 'catalogue.library-fewer', before, read.items.length);
    skipped = read.skipped;
  }

  const progress = readingProgress(folder);
  const scan = folderScan({
    folder,
    log,
    files,
    listed: shown.list,
    publish: shown.publish,
    onLooked: progress.looked,
  });
  const known = recalling({ folder, files, log }, progress, shown);
  let isFirst = true;
  async function read(): Promise<void> {
    const byHand = await listed();
    if (byHand !== null) return await take(byHand);
    if (isFirst) await known.recall();
    isListed = true;
    changed();
    progress.begin(isFirst, shown.list().items.length);
    isFirst = false;
    await take(await scan());
    changed();
  }
  let reading: Promise<void> | null = null;
  const listed = listedFolder(folder, log);
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      isListed = true;
      progress.end();
      reading = null;
    });
    return reading;
  }

  await readdir(folder);
  const firstReading = refresh().then(() =>
    log.info({ items: shown.list().items.length, skipped }, 'catalogue.library-read'),
  );
  firstReading.catch((error: unknown) => log.warn({ err: error }, 'catalogue.folder-unreadable'));
  await (patienceMs === undefined ? firstReading : within(patienceMs, Promise.race([known.shown, firstReading]), null));

  return {
    ...{ refresh, firstReading, showFrames: shown.showFrames, progress: progress.now },
    source: filesSource({ list: shown.list, isListed: () => isListed, ...deps.made }),
    skipped: () => skipped,
  };
}

function shownFiles(made: Recalling['made']) {
  let own = keptList([]);
  const show: Recalling['show'] = (list) => void (own = list);
  return {
    ...{ made, show, list: () => own },
    async publish(found: readonly LibraryItem[]): Promise<void> {
      own = await listOf(found, own, made);
    },
    showFrames(): void {
      const list = own.items.map(made);
      if (list.some((item, at) => item !== own.items[at])) show(keptList(list));
    },
  };
}

/** An item with the frame that there is by now, or no longer. */
function framedBy(frameOf: NonNullable<FolderDeps['frameOf']>): (item: LibraryItem) => LibraryItem {
  return (item) => {
    const isInNeed = item.cover.in === 'nowhere' || item.cover.in === 'frame';
    const path = isInNeed ? frameOf(item) : null;
    if (path !== null) return item.cover.in === 'frame' ? item : { ...plainItem(item), cover: { in: 'frame', path } };
    return item.cover.in === 'frame' ? { ...plainItem(item), cover: { in: 'nowhere' } } : item;
  };
}

/** Lists what is known of the folder while it comes out of the database. Where that can't be read, the folder is. */
function recalling(
  { folder, files, log }: Required<Pick<FolderDeps, 'folder' | 'files' | 'log'>>,
  progress: Pick<ReturnType<typeof readingProgress>, 'begin' | 'looked'>,
  { made, show }: Recalling,
) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    async recall(): Promise<void> {
      try {
        progress.begin(false, await files.count());
        const list = await recalledList(recalledItems(files, await realpath(folder)), {
          made(item) {
            progress.looked(true);
            return made(item);
          },
          show(some) {
            show(some);
            begun.resolve();
          },
        });
        show(list);
        if (list.items.length > 0) ended.resolve();
      } catch (error) {
        log.warn({ err: error }, 'catalogue.index-not-stored');
      }
    },
    /** Resolves once tracks are shown: all, or what has come of many after a short time. Else it stays pending. */
    shown: Promise.race([begun.promise.then(() => within(knownPatienceMs, ended.promise, null)), ended.promise]),
  };
}

function readingProgress(folder: string) {
  let [looked, hasNew, expected, isOn] = [0, false, 0, false];
  return {
    /** `listed` is how many tracks the folder had before. */
    begin(isFirst: boolean, listed: number): void {
      [looked, hasNew, expected, isOn] = [0, false, listed, true];
      if (isFirst) void countFiles(folder, isMediaFile).then((count) => (expected = count));
    },
    looked(isNew: boolean): void {
      looked += 1;
      hasNew ||= isNew;
    },
    end: () => void (isOn = false),
    now: () => (isOn && hasNew && expected > 0 ? { read: looked, of: Math.max(looked, expected) } : null),
  };
}

/** Relative, below the manifest. */
const place = z.string().regex(/^(?:[\w-]+\/)*[\w-]+\.\w+$/);

const manifest = z.object({
  items: z.array(
    z.object({
      file: place,
      /** The id it was first published under: rooms and caches refer to it. */
      firstFile: place.optional(),
      title: z.string().min(1),
      artist: z.string().min(1),
      kind: z.enum(['audio', 'video']),
      durationSeconds: z.number().positive(),
      /** How loud the recording is. */
      lufs: z.number().optional(),
      /** What is otherwise measured of a recording whose loudness is known. */
      measured: z.object({ peaks: z.string().max(limits.trackParts), tempo: z.number() }).optional(),
      cover: place.endsWith('.png'),
      mime: z.string().regex(/^(?:audio|video)\/[\w.+-]+$/),
    }),
  ),
});

/** With every link resolved. Throws where there is nothing, or a link leads out of the folder. */
async function resolved(root: string, file: string): Promise<string> {
  const path = await realpath(join(root, file));
  if (!isInside(root, path)) throw new Error(`${file} of library.json leads out of its folder`);
  return path;
}

/**
 * The items of `library.json`, the list of the small library that comes with Tunemate, so that no tags are read at the
 * start; or null when the folder has none. Throws when it is no such list, or one of its files is damaged.
 */
async function readManifest(folder: string): Promise<readonly LibraryItem[] | null> {
  let text: string;
  try {
    text = await readFile(join(folder, 'library.json'), 'utf8');
  } catch {
    return null;
  }
  const { items } = manifest.parse(JSON.parse(text));
  const root = await realpath(folder);
  return await Promise.all(
    items.map(async ({ file, firstFile = file, cover, lufs = null, measured, ...item }): Promise<LibraryItem> => {
      const path = await resolved(root, file);
      const { mtimeMs } = await stat(path);
      return {
        ...item,
        artists: [item.artist],
        genres: [],
        album: null,
        folder: '',
        modifiedMs: mtimeMs,
        id: libraryId(firstFile),
        streams: null,
        seeksExactly: seeksExactly(path, undefined),
        playsEverywhere: true,
        path,
        cover: { in: 'file', path: join(root, cover) },
        subtitles: [],
        lyrics: { in: 'nowhere' },
        loudness: { track: lufs, album: null, ...(measured && { measured }) },
      };
    }),
  );
}

/** Reads `library.json`, again and again, and logs once which files beside it are not listed because of it. */
function listedFolder(folder: string, log: Pick<Log, 'warn'>) {
  let noted = new Set<string>();
  let ignored = '';
  /** A list that can't be used, as another program may leave one, is as good as none. */
  const ignore = (error: unknown): null => {
    const detail = asError(error).message.slice(0, 200);
    if (detail !== ignored) log.warn({ detail }, 'catalogue.list-ignored');
    ignored = detail;
    return null;
  };
  return async (): Promise<ScannedFolder | null> => {
    const items = await readManifest(folder).catch(ignore);
    if (items === null) return null;
    ignored = '';
    const listed = new Set(items.map(({ path }) => path));
    const left = new Set<string>();
    for await (const step of walkFolder(folder)) {
      const isLeft = step.type === 'found' && isMediaFile(step.file.path) && !listed.has(step.file.path);
      if (isLeft) left.add(step.file.relativePath);
    }
    for (const file of left) {
      if (!noted.has(file)) log.warn({ file, reason: 'not-in-list' }, 'catalogue.file-skipped');
    }
    noted = left;
    return { items, skipped: left.size === 0 ? {} : { 'not-in-list': left.size } };
  };
}
