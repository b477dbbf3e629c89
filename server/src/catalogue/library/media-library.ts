/**
 * The operator's own music, listed in memory and searched by words. It knows nothing of rooms or of other sources; who
 * may read a file is decided where files are served.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '@tunemate/protocol';
import { z } from 'zod';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import { within } from '../../system/within.ts';
import { folderScan, type ScannedFolder, type SkippedCounts } from './folder-scan.ts';
import { countFiles, isInside, walkFolder } from './folder-walk.ts';
import { filesInMemory, type KnownFiles, recalledItems } from './known-files.ts';
import { isMediaFile, libraryId, type LibraryItem, plainItem, seeksExactly } from './library-item.ts';
import { type KeptList, keptList, listOf, type Recalling, recalledList } from './kept-items.ts';
import { foundIn, searchedList, type SearchedList } from './relevance.ts';

export interface MediaLibrary {
  /** In the order of the manifest, or of paths. */
  list(): readonly LibraryItem[];
  byId(id: string): LibraryItem | null;
  /** Items whose title, artists, album, genres, folder and file name contain every word, best first. A blank query finds nothing. */
  search(query: string, limit?: number): Promise<LibraryItem[]>;
  /** The first two audio tracks: what a failed search shows. */
  samples(): LibraryItem[];
  /** False while what is known of the folder is still coming: the list may lack what there is. */
  isListed(): boolean;
  /** What the last reading left out, by reason. */
  skipped(): SkippedCounts;
  /** Shows the frames of films that were made since the last reading, and no others. */
  showFrames(): void;
  /** Lists these after the items of the folder, in place of those given before. */
  showBeside(others: readonly LibraryItem[]): void;
  /** Looks at the folder again; unchanged files are not read twice. */
  refresh(): Promise<void>;
  /** How many files were listed or looked at so far, of how many; null while a reading had to read none, and while none goes on. */
  progress(): ReadingProgress | null;
  /** Until it resolves the list may lack most of the folder, or have what is gone. Rejects when the folder can't be read to its end. */
  readonly firstReading: Promise<void>;
}

export interface ReadingProgress {
  read: number;
  of: number;
}

interface MediaLibraryDeps {
  folder: string;
  log: Pick<Log, 'info' | 'warn'>;
  /**
   * How long opening waits for what is known of the folder, or where nothing is for the first reading, which goes on in
   * the background; by default until the first reading is done.
   */
  patienceMs?: number;
  /** What earlier processes read of the files; by default only what this one reads is known. */
  files?: KnownFiles;
  /** The picture that was taken from a film that has none; null while there is none. */
  frameOf?: (item: LibraryItem) => string | null;
}

/** A start waits so long for the whole of what is known of a folder; what is missing then is listed meanwhile. */
const knownPatienceMs = 1000;

/** Opens the folder. Throws when it can't be read at all. */
export async function openMediaLibrary(deps: MediaLibraryDeps): Promise<MediaLibrary> {
  const { folder, log, patienceMs, files = filesInMemory(), frameOf = () => null } = deps;
  let isListed = false;
  const shown = shownTracks(framedBy(frameOf));

  let skipped: SkippedCounts = {};
  async function take(read: ScannedFolder): Promise<void> {
    await shown.publish(read.items);
    skipped = read.skipped;
  }

  const progress = readingProgress(folder);
  const scan = folderScan({ folder, log, files, listed: shown.own, publish: shown.publish, onLooked: progress.looked });
  const known = recalling({ folder, files, log }, progress, shown);
  let isFirst = true;
  async function read(): Promise<void> {
    const byHand = await listed();
    if (byHand !== null) return await take(byHand);
    if (isFirst) await known.recall();
    isListed = true;
    void shown.searched();
    progress.begin(isFirst, shown.own().items.length);
    isFirst = false;
    await take(await scan());
    void shown.searched();
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
    log.info({ items: shown.items().length, skipped }, 'catalogue.library-read'),
  );
  firstReading.catch((error: unknown) => log.warn({ err: error }, 'catalogue.folder-unreadable'));
  await (patienceMs === undefined ? firstReading : within(patienceMs, Promise.race([known.shown, firstReading]), null));

  return {
    refresh,
    firstReading,
    ...{ showFrames: shown.showFrames, showBeside: shown.showBeside, list: shown.items, byId: shown.byId },
    skipped: () => skipped,
    progress: progress.now,
    isListed: () => isListed,
    search: async (query, limit = limits.searchResults) => await foundIn(await shown.searched(), query, limit),
    samples: () =>
      shown
        .items()
        .filter(({ kind }) => kind === 'audio')
        .slice(0, 2),
  };
}

/** What is listed: the tracks of the folder, and then those beside it. */
function shownTracks(made: Recalling['made']) {
  let [own, beside] = [keptList([]), keptList([])];
  let items: readonly LibraryItem[] = [];
  function show(list: KeptList): void {
    own = list;
    items = beside.items.length === 0 ? own.items : [...own.items, ...beside.items];
  }
  return {
    ...{ made, show, own: () => own, items: () => items, searched: searchedKept(() => items) },
    byId: (id: string) => own.byId(id) ?? beside.byId(id),
    async publish(found: readonly LibraryItem[]): Promise<void> {
      const list = await listOf(found.map(made), own);
      if (list !== own) show(list);
    },
    showFrames(): void {
      const list = own.items.map(made);
      if (list.some((item, at) => item !== own.items[at])) show(keptList(list));
    },
    showBeside(others: readonly LibraryItem[]): void {
      beside = keptList(others);
      show(own);
    },
  };
}

/** An item with the frame that there is by now, or no longer. */
function framedBy(frameOf: NonNullable<MediaLibraryDeps['frameOf']>): (item: LibraryItem) => LibraryItem {
  return (item) => {
    const isInNeed = item.cover.in === 'nowhere' || item.cover.in === 'frame';
    const path = isInNeed ? frameOf(item) : null;
    if (path !== null) return item.cover.in === 'frame' ? item : { ...plainItem(item), cover: { in: 'frame', path } };
    return item.cover.in === 'frame' ? { ...plainItem(item), cover: { in: 'nowhere' } } : item;
  };
}

/** Lists what is known of the folder while it comes out of the database. Where that can't be read, the folder is. */
function recalling(
  { folder, files, log }: Required<Pick<MediaLibraryDeps, 'folder' | 'files' | 'log'>>,
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

/** What is searched of the list, made once for each and in the background. */
function searchedKept(list: () => readonly LibraryItem[]): () => Promise<SearchedList> {
  let made: SearchedList = { items: [], runs: [] };
  let making: Promise<SearchedList> | null = null;
  const make = async (): Promise<SearchedList> => {
    try {
      return (made = await searchedList(list(), made));
    } finally {
      making = null;
    }
  };
  return async () => {
    // It may be of an earlier list.
    if (made.items !== list()) await making;
    if (made.items !== list()) await (making ??= make());
    return made;
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
    now: (): ReadingProgress | null =>
      isOn && hasNew && expected > 0 ? { read: looked, of: Math.max(looked, expected) } : null,
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
    items.map(async ({ file, firstFile = file, cover, lufs = null, ...item }): Promise<LibraryItem> => {
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
        loudness: { track: lufs, album: null },
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
