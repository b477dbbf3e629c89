/**
 * The operator's own music, kept in memory and searched by words. It knows nothing of rooms or of other sources; who
 * may read a file is decided where files are served.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { wordsOf } from '@tunemate/domain';
import { limits } from '@tunemate/protocol';
import { z } from 'zod';
import type { Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';
import { within } from '../../system/within.ts';
import { folderScan, type ScannedFolder, type SkippedCounts } from './folder-scan.ts';
import { countFiles, isInside, walkFolder } from './folder-walk.ts';
import { filesInMemory, type KnownFiles, recalledItems } from './known-files.ts';
import { isMediaFile, libraryId, type LibraryItem, seeksExactly } from './library-item.ts';
import { keptList, listOf } from './kept-items.ts';
import { joinedParts, mayHave, relevanceTo } from './relevance.ts';

export interface MediaLibrary {
  /** In the order of the manifest, or of paths. */
  list(): readonly LibraryItem[];
  byId(id: string): LibraryItem | null;
  /** Items whose title, artists, album, genres, folder and file name contain every word, best first. A blank query finds nothing. */
  search(query: string, limit?: number): Promise<LibraryItem[]>;
  /** The first two audio tracks: what a failed search shows. */
  samples(): LibraryItem[];
  /** What the last reading left out, by reason. */
  skipped(): SkippedCounts;
  /** Shows the frames of films that were made since the last reading, and no others. */
  showFrames(): void;
  /** Lists these after the items of the folder, in place of those given before. */
  showBeside(others: readonly LibraryItem[]): void;
  /** Looks at the folder again; unchanged files are not read twice. */
  refresh(): Promise<void>;
  /** How many files a reading has looked at, of how many; null while it had to read none, and while none goes on. */
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

/** Opens the folder. Throws when it can't be read at all. */
export async function openMediaLibrary(deps: MediaLibraryDeps): Promise<MediaLibrary> {
  const { folder, log, patienceMs, files = filesInMemory(), frameOf = () => null } = deps;
  let own = keptList([]);
  let beside = keptList([]);
  /** Both. */
  let items: readonly LibraryItem[] = [];
  const show = (): void => void (items = beside.items.length === 0 ? own.items : [...own.items, ...beside.items]);

  const withFrame = framedBy(frameOf);
  async function publish(found: readonly LibraryItem[]): Promise<void> {
    const made = await listOf(found.map(withFrame), own);
    if (made === own) return;
    own = made;
    show();
  }

  let skipped: SkippedCounts = {};
  async function take(read: ScannedFolder): Promise<void> {
    await publish(read.items);
    skipped = read.skipped;
  }

  const progress = readingProgress(folder);
  const scan = folderScan({
    ...{ folder, log, files, publish, onLooked: progress.looked },
    listed: () => own,
  });
  const recalled = Promise.withResolvers<void>();
  let isFirst = true;
  async function read(): Promise<void> {
    const byHand = await listed();
    if (byHand !== null) return await take(byHand);
    if (isFirst) await publish(await knownOf(folder, files, log));
    if (own.items.length > 0) recalled.resolve();
    progress.begin(isFirst, own.items.length);
    isFirst = false;
    await take(await scan());
  }
  let reading: Promise<void> | null = null;
  const listed = listedFolder(folder, log);
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      progress.end();
      reading = null;
    });
    return reading;
  }

  await readdir(folder);
  const firstReading = refresh().then(() => log.info({ items: items.length, skipped }, 'catalogue.library-read'));
  firstReading.catch((error: unknown) => log.warn({ err: error }, 'catalogue.folder-unreadable'));
  const isKnown = () => Promise.race([recalled.promise, firstReading]);
  await (patienceMs === undefined ? firstReading : within(patienceMs, isKnown(), null));

  return {
    refresh,
    firstReading,
    showFrames() {
      const shown = own.items.map(withFrame);
      if (shown.every((item, at) => item === own.items[at])) return;
      own = keptList(shown);
      show();
    },
    showBeside(others) {
      beside = keptList(others);
      show();
    },
    list: () => items,
    skipped: () => skipped,
    progress: progress.now,
    byId: (id) => own.byId(id) ?? beside.byId(id),
    search: async (query, limit = limits.searchResults) => (await foundIn(items, query)).slice(0, limit),
    samples: () => items.filter(({ kind }) => kind === 'audio').slice(0, 2),
  };
}

/** An item with the frame that there is by now, or no longer. */
function framedBy(frameOf: NonNullable<MediaLibraryDeps['frameOf']>): (item: LibraryItem) => LibraryItem {
  return (item) => {
    const isInNeed = item.cover.in === 'nowhere' || item.cover.in === 'frame';
    const path = isInNeed ? frameOf(item) : null;
    if (path !== null) return item.cover.in === 'frame' ? item : { ...item, cover: { in: 'frame', path } };
    return item.cover.in === 'frame' ? { ...item, cover: { in: 'nowhere' } } : item;
  };
}

/** Nothing where what is stored can't be read: the folder is. */
async function knownOf(folder: string, files: KnownFiles, log: MediaLibraryDeps['log']): Promise<LibraryItem[]> {
  try {
    return await recalledItems(files, await realpath(folder));
  } catch (error) {
    log.warn({ err: error }, 'catalogue.index-not-stored');
    return [];
  }
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

/** Items between which other work goes on: a search of a large library takes a tenth of a second. */
const itemsAtOnce = 1000;

/** The items that have every word, best first. Both lists stay as they are while it looks: a reading makes new ones. */
async function foundIn(items: readonly LibraryItem[], query: string): Promise<LibraryItem[]> {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const relevance = relevanceTo(words);
  const byScore = new Map<number, LibraryItem[]>();
  for (const [at, item] of items.entries()) {
    if (at % itemsAtOnce === itemsAtOnce - 1) await setImmediate();
    const { searched } = item;
    if (searched === undefined || !mayHave(searched, words)) continue;
    const score = scoreOf(joinedParts(searched, titleAndArtists), relevance);
    if (score === 0) continue;
    const alike = byScore.get(score);
    if (alike) alike.push(item);
    else byScore.set(score, [item]);
  }
  // There are few scores: sorting all that was found would take longer than a piece of the search.
  return [...byScore].toSorted(([a], [b]) => b - a).flatMap(([, alike]) => alike);
}

/** What is searched of an item, with a space before and after it: title and artist, which count more, and all. */
interface Texts {
  named: string;
  all: string;
}

/** The first two parts of what is searched of an item. */
const titleAndArtists = 2;

/** More than any match elsewhere. */
const namedCounts = 100;

/** Title and artist that contain every word come before what only the places around them complete. */
function scoreOf(texts: Texts, relevance: (padded: string) => number): number {
  const all = relevance(texts.all);
  return all === 0 ? 0 : all + relevance(texts.named) * namedCounts;
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
