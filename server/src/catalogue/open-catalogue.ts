/**
 * Composes the catalogue: library, video service, memory. It decides nothing.
 */
import { join } from 'node:path';
import { gainOf, loudnessFactor, onceOf } from '@tunemate/domain';
import type { Value, VideoId } from '@tunemate/protocol';
import { within } from '../system/within.ts';
import { bundledLibrary } from '../paths.ts';
import type { Limits } from '../access/limits.ts';
import type { ObjectStore } from '../system/object-store.ts';
import { type Clock, Failure, type Log } from '../system/ports.ts';
import { noteLibrary } from '../storage/settings.ts';
import type { Db } from '../storage/schema.ts';
import { catalogueService, type RoomCatalogue } from './catalogue-service.ts';
import { type ExactCopies, exactCopies, findRewrite } from './media/exact-copies.ts';
import { type FilmFrames, filmFrames, keepFramesUp } from './media/film-frames.ts';
import { type EvenCopies, evenCopies } from './media/even-copies.ts';
import { sharedCopies } from './media/shared-copies.ts';
import { trackLoudness } from './media/loudness.ts';
import { libraryBrowsing } from './library/library-browsing.ts';
import { librarySuggestions, noTaste } from './suggested/library-suggestions.ts';
import { storedFiles } from './library/known-files.ts';
import type { LibraryItem } from './library/library-item.ts';
import { type MediaLibrary, openMediaLibrary } from './library/media-library.ts';
import { type MediaLinks, mediaLinks } from './links/media-links.ts';
import { answersKeptMs, defaultAllowances, titleRecalled } from './youtube/video-calls.ts';
import { storedMemory } from './youtube/search-memory.ts';
import { searchShares } from './youtube/search-shares.ts';
import type { RemoteFiles } from './media/media-routes.ts';
import { openSubsonic } from './subsonic/open-subsonic.ts';
import type { SubsonicAccount } from './subsonic/subsonic-client.ts';
import { youtubeSource } from './youtube/youtube-source.ts';

/** More than can be used, and still an integer in every database. */
const unlimited = 1_000_000_000;
/** A reading that goes on does not keep the server from ending. */
const closingPatienceMs = 1000;
/** The server starts after this even when a large folder is not read to its end. */
const defaultPatienceMs = 5000;

export interface CatalogueParts {
  /** MEDIA_DIR; null for the bundled library. */
  mediaDir: string | null;
  /** DATA_DIR: copies of tracks are kept there. */
  dataDir: string;
  /** Shares exact copies between machines; null or left out without. */
  store?: ObjectStore | null;
  /** MEDIA_HOSTS; by default none. */
  linkHosts?: readonly string[];
  youtubeApiKey: string | null;
  youtubeApiUrl: string;
  /** The operator's music server; null without. */
  subsonic: SubsonicAccount | null;
  /** RATE_LIMIT_SCALE; the daily quota is the service's own limit and is not scaled. */
  limitScale: number;
  limits: Limits;
  db: Db;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** How long opening waits for each folder to be read. */
  patienceMs?: number;
}

export interface Catalogue extends RoomCatalogue {
  library: MediaLibrary;
  copies: ExactCopies;
  links: MediaLinks;
  /** What the video service has said within a day that a video is called; null where it was not asked. */
  knownTitle(id: VideoId): Promise<string | null>;
  /** Null without a music server. */
  remote: RemoteFiles | null;
  /** The copies that `wantEven` makes. */
  even: Pick<EvenCopies, 'of'>;
  /** Looks at the folder again, and begins to copy what needs it. */
  refresh(): Promise<void>;
  /** Deletes expired answers and budgets; runs at intervals. */
  prune(): Promise<void>;
  close(): Promise<void>;
}

/** What the catalogue knows by an id, for parts that are made before it. */
export const namesIn = (catalogue: () => Pick<Catalogue, 'library' | 'knownTitle'>) => ({
  knownTrack: (id: VideoId) => catalogue().library.byId(id),
  knownTitle: (id: VideoId) => catalogue().knownTitle(id),
});

function openFolder(
  folder: string,
  { db, log, patienceMs = defaultPatienceMs }: CatalogueParts,
  frameOf: FilmFrames['of'] = () => null,
): Promise<MediaLibrary> {
  return openMediaLibrary({ folder, log, patienceMs, files: storedFiles(db), frameOf }).catch((error: unknown) => {
    throw new Failure('server/unavailable', 'catalogue.folder-unreadable', error);
  });
}

/** Takes the samples from the bundled library, because the operator's folder may contain no track. */
function withSamplesOf(own: MediaLibrary, bundled: MediaLibrary): MediaLibrary {
  const sampleOf = (id: string) => bundled.samples().find((item) => item.id === id) ?? null;
  return { ...own, samples: () => bundled.samples(), byId: (id) => own.byId(id) ?? sampleOf(id) };
}

function allowancesFor(limitScale: number): typeof defaultAllowances {
  const scaled = (count: number) => (limitScale === 0 ? unlimited : Math.max(1, count * limitScale));
  const { hostPerHour, lookUpsPerHour } = defaultAllowances;
  return { ...defaultAllowances, hostPerHour: scaled(hostPerHour), lookUpsPerHour: scaled(lookUpsPerHour) };
}

function askedOfLoudness(
  library: MediaLibrary,
  loudness: Pick<ReturnType<typeof trackLoudness>, 'of'>,
  even: Pick<EvenCopies, 'want'>,
): Pick<Catalogue, 'loudnessOf' | 'wantEven'> {
  return {
    loudnessOf(track) {
      const item = library.byId(track);
      return item === null ? { track: null, peaks: null, album: null } : loudness.of(item);
    },
    wantEven(track, gain) {
      const item = library.byId(track);
      if (item !== null && gainsOf(loudness.of(item)).includes(gain)) even.want(item, gain);
    },
  };
}

/** Of a track for itself, and as part of its album. */
function gainsOf({ track, album }: Pick<Value<'library/loudness'>, 'track' | 'album'>): number[] {
  return [track, album?.lufs ?? null].flatMap((lufs) => {
    const factor = loudnessFactor({ track: lufs, album: null }, []);
    return factor === null ? [] : [gainOf(factor)];
  });
}

/** Throws when MEDIA_DIR can't be read. */
export async function openCatalogue(parts: CatalogueParts): Promise<Catalogue> {
  const { mediaDir, dataDir, youtubeApiKey, youtubeApiUrl, limitScale, db, clock, log, store = null } = parts;
  const bundled = await openFolder(bundledLibrary, parts);
  const frames = filmFrames({ folder: join(dataDir, 'film-frames'), log });
  await frames.recall();
  const library = mediaDir === null ? bundled : withSamplesOf(await openFolder(mediaDir, parts, frames.of), bundled);
  const filesAmong = onceOf((items: readonly LibraryItem[]) => items.filter(({ remote }) => remote === undefined));
  const ofFolder = () => filesAmong(library.list());
  const loudness = trackLoudness({ db, log, list: ofFolder });
  const subsonic = parts.subsonic && (await openSubsonic(parts.subsonic, library, { ...parts, loudness }));
  const copies = exactCopies({
    ...{ folder: join(dataDir, 'exact-copies'), log, findRewrite },
    shared: store && sharedCopies(store, { log, now: () => clock.now() }),
  });
  // It may take hours, and no request waits for it.
  const copy = (): void =>
    void keepFramesUp(frames, { list: ofFolder, showFrames: () => library.showFrames() })
      .catch((error: unknown) => log.warn({ err: error }, 'catalogue.frames-failed'))
      .then(() => copies.keepUp(ofFolder()))
      .catch((error: unknown) => log.warn({ err: error }, 'catalogue.copies-failed'));
  const even = await evenCopies({
    ...{ folder: join(dataDir, 'even-copies'), log, findRewrite },
    fetch: (item, to, signal) => subsonic?.fetch(item, to, signal) ?? Promise.reject(new Error('no music server')),
  });
  const measure = (): void =>
    void loudness.keepUp().catch((error: unknown) => log.warn({ err: error }, 'catalogue.loudness-failed'));
  const startWork = (): void => {
    copy();
    measure();
  };
  // Of a list that is not complete, copies of all that it lacks would be removed. The library logs why it can't be
  // read.
  const note = () =>
    noteLibrary(db, { readAtMs: clock.now(), listed: ofFolder().length, skipped: library.skipped() }).catch(
      (error: unknown) => log.warn({ err: error }, 'catalogue.report-failed'),
    );
  let noting = library.firstReading.then(startWork, () => undefined).then(note);
  const source = youtubeApiKey === null ? null : youtubeSource({ baseUrl: youtubeApiUrl, key: youtubeApiKey });
  const memory = storedMemory(db);
  const links = mediaLinks(parts.linkHosts ?? []);
  const isListed = () => library.isListed() && (subsonic?.files.isListed() ?? true);
  return {
    ...catalogueService({
      library,
      suggestions: librarySuggestions({ ...library, soundOf: loudness.soundOf, taste: subsonic?.taste ?? noTaste }),
      isListed,
      source,
      links,
      memory,
      shares: searchShares(parts),
      clock,
      log,
      allowances: allowancesFor(limitScale),
    }),
    ...{ library, links },
    knownTitle: (id) => titleRecalled(memory, clock, id),
    browsing:
      subsonic === null
        ? libraryBrowsing(library)
        : subsonic.keptUp(libraryBrowsing(library, subsonic.server, subsonic.lyrics)),
    copies,
    remote: subsonic?.files ?? null,
    even,
    ...askedOfLoudness(library, loudness, even),
    async refresh() {
      await library.refresh();
      subsonic?.prepare();
      startWork();
      noting = note();
      await noting;
    },
    prune: () => memory.forget(clock.now() - answersKeptMs, clock.now()),
    async close() {
      source?.close();
      await subsonic?.close();
      await within(closingPatienceMs, noting, undefined);
      await Promise.all([frames.close(), copies.close(), even.close(), loudness.close()]);
    },
  };
}
