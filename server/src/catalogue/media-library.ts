/**
 * The operator's own music: found in a folder, kept in memory, searched by words. It knows nothing of rooms or of
 * other sources; who may read a file is decided where files are served.
 */
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { limits } from '@tunemate/protocol';
import type { Log } from '../ports.ts';
import { readManifest } from './bundled-manifest.ts';
import { type FoundFile, walkFolder } from './folder-walk.ts';
import type { LibraryItem } from './library-item.ts';
import { isMediaFile, isSidecar } from './media-formats.ts';
import { folded, relevance } from './search-words.ts';
import { readTagged } from './tagged-file.ts';
import { within } from '../within.ts';

/** More files than this are not listed: everything is held in memory. */
const maxItems = 20_000;
const publishEvery = 100;
/** How many files a line of the log names. */
const namedFiles = 3;

export interface MediaLibrary {
  /** In the order of the manifest, or of paths. */
  list(): readonly LibraryItem[];
  byId(id: string): LibraryItem | null;
  /** Items whose title and artist hold every word, best first; a blank query finds nothing. */
  search(query: string, limit?: number): LibraryItem[];
  /** The first two audio tracks: what a failed search shows. */
  samples(): LibraryItem[];
  /** What may follow an item: the same artist first, then the ones after it, round the list. */
  related(id: string | null, limit?: number): LibraryItem[];
  /** Looks at the folder again; unchanged files are not read twice. */
  refresh(): Promise<void>;
}

export interface MediaLibraryDeps {
  folder: string;
  log: Pick<Log, 'info' | 'warn'>;
  /** How long opening waits for the first reading, which then goes on by itself; by default to its end. */
  patienceMs?: number;
}

/** Opens the folder. Throws when it can't be read at all. */
export async function openMediaLibrary(deps: MediaLibraryDeps): Promise<MediaLibrary> {
  const { folder, log, patienceMs } = deps;
  let items: readonly LibraryItem[] = [];
  let ids = new Map<string, LibraryItem>();
  let texts = new Map<string, string>();
  /** By place, size and time of change: what was found out about a file, null when it is no item. */
  let known = new Map<string, LibraryItem | null>();

  async function readFound(file: FoundFile): Promise<LibraryItem | null> {
    const { relativePath } = file;
    if (!isMediaFile(relativePath)) {
      if (!isSidecar(relativePath)) log.info({ file: relativePath, reason: 'unsupported' }, 'catalogue.file-skipped');
      return null;
    }
    try {
      return await readTagged(file);
    } catch (error) {
      const detail = error instanceof Error ? error.message.slice(0, 200) : 'unknown';
      log.warn({ file: relativePath, reason: 'broken', detail }, 'catalogue.file-skipped');
      return null;
    }
  }

  async function scan(): Promise<LibraryItem[]> {
    const found: LibraryItem[] = [];
    const seen = new Map<string, LibraryItem | null>();
    for await (const step of walkFolder(folder)) {
      if ('skipped' in step) {
        const key = `${step.reason}\n${step.skipped}`;
        if (!known.has(key)) log.warn({ file: step.skipped, reason: step.reason }, 'catalogue.file-skipped');
        seen.set(key, null);
        continue;
      }
      const { relativePath, path, size, modifiedMs } = step.found;
      const key = `${relativePath}\n${path}\n${String(size)}\n${String(modifiedMs)}`;
      const before = known.get(key);
      const item = before === undefined ? await readFound(step.found) : before;
      seen.set(key, item);
      if (item === null) continue;
      found.push(item);
      // A large folder takes minutes the first time; what is found meanwhile can already be played.
      if (known.size === 0 && found.length % publishEvery === 0) publish(found.slice());
      if (found.length >= maxItems) {
        log.warn({ listed: maxItems }, 'catalogue.folder-too-large');
        break;
      }
    }
    known = seen;
    tellInexact(found);
    return found;
  }

  let inexactBefore = 0;
  /** Tells the operator, once for the same number of files, that some of them will be heard out of step by late joiners. */
  function tellInexact(found: readonly LibraryItem[]): void {
    const inexact = found.filter((item) => !item.seeksExactly);
    if (inexact.length > 0 && inexact.length !== inexactBefore) {
      const examples = inexact.slice(0, namedFiles).map(({ path }) => basename(path));
      const advice = 'Late joiners of these hear an echo. AAC in M4A, FLAC and WAV are exact.';
      log.warn({ files: inexact.length, examples, advice }, 'catalogue.inexact-seeks');
    }
    inexactBefore = inexact.length;
  }

  function publish(read: readonly LibraryItem[]): void {
    items = read;
    ids = new Map(items.map((item) => [item.id, item]));
    texts = new Map(items.map((item) => [item.id, folded(`${item.title} ${item.artist ?? ''}`)]));
  }

  let reading: Promise<void> | null = null;
  function refresh(): Promise<void> {
    reading ??= (async () => publish((await readManifest(folder)) ?? (await scan())))().finally(() => {
      reading = null;
    });
    return reading;
  }

  await readdir(folder);
  const firstReading = refresh().then(() => log.info({ items: items.length }, 'catalogue.library-read'));
  firstReading.catch((error: unknown) => log.warn({ err: error }, 'catalogue.folder-unreadable'));
  await (patienceMs === undefined ? firstReading : within(patienceMs, firstReading, null));

  return {
    refresh,
    list: () => items,
    byId: (id) => ids.get(id) ?? null,
    search(query, limit = limits.searchResults) {
      const words = folded(query).split(' ').filter(Boolean);
      return items
        .map((item) => ({ item, score: relevance(texts.get(item.id) ?? '', words) }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limit)
        .map(({ item }) => item);
    },
    samples: () => items.filter(({ kind }) => kind === 'audio').slice(0, 2),
    related(id, limit = limits.searchResults) {
      const at = items.findIndex((item) => item.id === id);
      const following = [...items.slice(at + 1), ...items.slice(0, Math.max(0, at))];
      const artist = items[at]?.artist ?? null;
      const byArtist = artist === null ? [] : following.filter((item) => item.artist === artist);
      return [...new Set([...byArtist, ...following])].slice(0, limit);
    },
  };
}
