/**
 * How loud the tracks of the library and their parts are: what ffmpeg measures, once, in the background; what the tags say
 * of a track as a whole counts more. What was measured stays in the database, which all processes share. The list of the
 * library that comes with Tunemate says it of its tracks, which would be measured anew on each machine.
 */
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { onceOf } from '@tunemate/domain';
import { limits, type Value } from '@tunemate/protocol';
import type { Db } from '../../storage/schema.ts';
import { inPages, pageSize } from '../../storage/pages.ts';
import { builtOnce } from '../../storage/queries.ts';
import { asError } from '../../system/printable.ts';
import { albumKeyOf, albumsUnder } from '../library/albums.ts';
import type { LibraryItem } from '../library/library-item.ts';
import { hasFfmpeg } from '../../system/ffmpeg.ts';
import { inTurns } from '../../system/in-turns.ts';
import { measuredTrack, type MeasuredTrack } from './measured.ts';
import type { MediaWork } from './media-work.ts';
import { NotYet, whileThere } from './still-there.ts';

/** A track that takes longer is broken. */
const defaultLongestMs = 5 * 60_000;

interface LoudnessParts {
  db: Db;
  work: MediaWork;
  list: () => readonly LibraryItem[];
  longestMs?: number;
}

interface Measured {
  version: string;
  /** Null for silence, and for a track that could not be measured. */
  lufs: number | null;
  /** Empty where there are none; null where an earlier version has measured. */
  peaks: string | null;
  /** 0 where there is no steady beat; null where an earlier version has measured. */
  tempo: number | null;
}

/** What is kept in memory of what was measured. The parts of all tracks would weigh more than the list of a library. */
interface Known extends Omit<Measured, 'peaks'> {
  hasPeaks: boolean;
}
const knownOf = ({ version, lufs, peaks, tempo }: Measured): Known => ({
  version,
  lufs,
  tempo,
  hasPeaks: peaks !== null,
});

const unmeasurable: MeasuredTrack = { lufs: null, peaks: '', tempo: 0 };

export function trackLoudness({ db, work, list, longestMs = defaultLongestMs }: LoudnessParts) {
  const { log, signal } = work;
  const known = new Map<string, Known>();
  const stored = storedLoudness(db);
  /** The track that a room plays or is about to play is measured next. */
  let wanted: LibraryItem | null = null;
  const albumOf = albumsKept(list);

  const measuredOf = (item: LibraryItem): Known | undefined => {
    const { track: lufs, measured: said } = item.loudness;
    if (said) return knownOf({ version: versionOf(item), lufs, ...said });
    const measured = known.get(item.id);
    return measured?.version === versionOf(item) ? measured : undefined;
  };
  const lufsOf = (item: LibraryItem): number | null => item.loudness.track ?? measuredOf(item)?.lufs ?? null;
  const isUnknown = (item: LibraryItem) =>
    item.kind === 'audio' && item.loudness.track === null && measuredOf(item) === undefined;
  const needs = (item: LibraryItem): boolean => item.kind === 'audio' && isHere(item) && !isWhole(measuredOf(item));

  /** Whether it says how loud the track is. */
  async function measure(item: LibraryItem, path: string, signal: AbortSignal): Promise<boolean> {
    const found = await measureOne(path, { log, longestMs, signal });
    if (found === undefined) return false;
    const measured = { version: versionOf(item), ...found };
    known.set(item.id, knownOf(measured));
    // A failure is stored too: the same file would fail again after each start.
    await stored.keep(item.id, measured);
    return found.lufs !== null;
  }

  async function measureAll(): Promise<void> {
    const items = list();
    const [ids, missing] = [new Set<string>(), new Set<LibraryItem>()];
    for await (const some of inTurns(items)) for (const { id } of some) ids.add(id);
    await stored.recall(known, ids);
    for await (const some of inTurns(items)) for (const item of some) if (needs(item)) missing.add(item);
    if (missing.size === 0 || !(await hasFfmpeg(signal))) return;
    log.info({ files: missing.size }, 'catalogue.loudness-begun');
    let count = 0;
    await work.each('loudness', [...missing], async (turn) => {
      const [first = turn] = missing;
      const item = wanted !== null && missing.has(wanted) ? wanted : first;
      missing.delete(item);
      wanted = null;
      // Another process may have measured it meanwhile.
      const found = await stored.of(item.id);
      if (found?.version === versionOf(item) && isWhole(knownOf(found))) known.set(item.id, knownOf(found));
      else if (await measure(item, item.path, signal)) count += 1;
      return true;
    });
    log.info({ measured: count }, 'catalogue.loudness-measured');
  }

  return {
    /** What is known by now. A track whose loudness is not known is measured before others. */
    async of(item: LibraryItem): Promise<Value<'library/loudness'>> {
      if (needs(item)) wanted = item;
      const { peaks: said } = item.loudness.measured ?? {};
      const peaks = said ?? (measuredOf(item)?.hasPeaks === true ? (await stored.of(item.id))?.peaks : null);
      const album = await albumOf(item);
      return {
        ...{ track: lufsOf(item), peaks: peaks || null },
        album: album && { lufs: item.loudness.album ?? loudnessOfAll(album, lufsOf), ...idsOf(album) },
      };
    },
    /** As far as it is known: nothing is measured sooner for it. */
    soundOf: (item: LibraryItem) => ({ lufs: lufsOf(item), tempo: measuredOf(item)?.tempo || null }),
    /** Of a track that is no file here: it is measured once its bytes are, and not fetched for its peaks alone. */
    needsMeasure: isUnknown,
    measure,
    /** Measures what is missing. */
    keepUp: (): Promise<void> => work.run('loudness', measureAll),
  };
}

const isWhole = (measured: Known | undefined): boolean =>
  measured !== undefined && measured.hasPeaks && measured.tempo !== null;

interface Measuring extends Pick<MediaWork, 'log'> {
  longestMs: number;
  signal: AbortSignal;
}

/** Undefined while the file is away, and once the signal has ended it. */
async function measureOne(path: string, { log, longestMs, signal }: Measuring): Promise<MeasuredTrack | undefined> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
    return await whileThere(path, () => measuredTrack(path, within));
  } catch (error) {
    if (signal.aborted || error instanceof NotYet) return undefined;
    const detail = asError(error).message.slice(0, 200);
    log.warn({ file: basename(path), detail }, 'catalogue.loudness-failed');
    return unmeasurable;
  }
}

const measuredRow = builtOnce((db, id: string) =>
  db.selectFrom('measured_loudness').selectAll().where('item_id', '=', id),
);

function storedLoudness(db: Db) {
  return {
    /** Fills `known`, and forgets tracks that are gone. */
    async recall(known: Map<string, Known>, ids: ReadonlySet<string>): Promise<void> {
      const rows = inPages(async (last: { item_id: string } | null) =>
        db
          .selectFrom('measured_loudness')
          .selectAll()
          .where('item_id', '>', last?.item_id ?? '')
          .orderBy('item_id')
          .limit(pageSize)
          .execute(),
      );
      for await (const { item_id, ...measured } of rows) known.set(item_id, knownOf(measured));
      // An unmounted disk leaves an empty list.
      const files = [...known].filter(([, { version }]) => !version.startsWith(remoteVersion)).map(([id]) => id);
      const gone = ids.size === 0 ? [] : files.filter((id) => !ids.has(id));
      for (const id of gone) {
        known.delete(id);
        await db.deleteFrom('measured_loudness').where('item_id', '=', id).execute();
        // SQLite is synchronous: other requests are served in between.
        await setImmediate();
      }
    },
    of: async (id: string): Promise<Measured | undefined> => (await measuredRow(db, id))[0],
    async keep(id: string, measured: Measured): Promise<void> {
      await db
        .insertInto('measured_loudness')
        .values({ item_id: id, ...measured })
        .onConflict((conflict) => conflict.column('item_id').doUpdateSet(measured))
        .execute();
    },
  };
}

const isHere = ({ path }: LibraryItem): boolean => path !== '';
/** Begins that of a track that is no file here: its list may not be known when files are looked at. */
const remoteVersion = 'remote ';
const versionOf = (item: LibraryItem): string => `${isHere(item) ? '' : remoteVersion}${String(item.modifiedMs)}`;

const idsOf = (tracks: readonly LibraryItem[]) => ({ tracks: tracks.map(({ id }) => id) });

/** Together as loud as one recording of all of them; null while one of them is not known. */
function loudnessOfAll(tracks: readonly LibraryItem[], lufsOf: (item: LibraryItem) => number | null): number | null {
  let [energy, seconds] = [0, 0];
  for (const track of tracks) {
    const lufs = lufsOf(track);
    if (lufs === null) return null;
    const lasts = track.durationSeconds ?? 0;
    energy += lasts * 10 ** (lufs / 10);
    seconds += lasts;
  }
  return seconds > 0 ? 10 * Math.log10(energy / seconds) : null;
}

/**
 * The tracks of the album of a track: null where it is alone, and of longer albums than a queue, of which none is there
 * whole. By their names, albums are found again once the files have changed, in turns.
 */
function albumsKept(list: () => readonly LibraryItem[]): (item: LibraryItem) => Promise<readonly LibraryItem[] | null> {
  const byKey = onceOf(async (items: readonly LibraryItem[]) => {
    const found = new Map<string, LibraryItem[]>();
    for await (const some of inTurns(items)) {
      for (const item of some) {
        if (item.kind !== 'audio' || item.album === null) continue;
        const key = albumKeyOf(item);
        const own = found.get(key);
        if (own === undefined) found.set(key, [item]);
        else own.push(item);
      }
    }
    return found;
  });
  return async (item) => {
    const key = albumKeyOf(item);
    const alike = item.album === null ? [] : ((await byKey(list())).get(key) ?? []);
    const tracks = albumsUnder(key, alike).find(({ items }) => items.some(({ id }) => id === item.id))?.items ?? [];
    return tracks.length > 1 && tracks.length <= limits.queueItems ? tracks : null;
  };
}
