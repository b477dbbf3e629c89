/**
 * Composes the catalogue: library, video service, memory. It decides nothing.
 */
import { gainOf, loudnessFactor } from '@tunemate/domain';
import { isMediaLink, type Value, type VideoId } from '@tunemate/protocol';
import type { Config } from '../config.ts';
import { within } from '../system/within.ts';
import { bundledLibrary } from '../paths.ts';
import type { ObjectStore } from '../system/store/object-store.ts';
import { SourceFailure } from '../system/start-failure.ts';
import { noteLibrary } from '../storage/settings.ts';
import { catalogueService, type RoomCatalogue } from './catalogue-service.ts';
import { exactCopies, findRewrite } from './media/exact-copies.ts';
import { type FilmFrames, filmFrames, keepFramesUp } from './media/film-frames.ts';
import { type EvenCopies, evenCopies } from './media/even-copies.ts';
import { mediaWork } from './media/media-work.ts';
import { playedCopies } from './media/played-copies.ts';
import { sharedCopies } from './media/shared-copies.ts';
import { trackLoudness } from './media/loudness.ts';
import { libraryBrowsing } from './library/library-browsing.ts';
import { librarySuggestions } from './suggested/library-suggestions.ts';
import { storedFiles } from './sources/files/known-files.ts';
import { playedTitle } from './library/library-item.ts';
import { type MediaLibrary, openMediaLibrary } from './library/media-library.ts';
import { type MediaLinks, mediaLinks, titleOfLink } from './sources/links/media-links.ts';
import type { Source, Taste } from './sources/source.ts';
import { openSources, type SourceSettings } from './sources/sources.ts';
import { openYoutube, type Youtube, type YoutubeParts } from './sources/youtube/open-youtube.ts';

/** A reading that goes on does not keep the server from ending. */
const closingPatienceMs = 1000;
/** The server starts after this even when a large folder is not read to its end. */
const defaultPatienceMs = 5000;

export interface CatalogueParts extends SourceSettings, YoutubeParts, Pick<Config, 'mediaDir' | 'dataDir'> {
  /** Shares exact copies between machines; null or left out without. */
  store?: ObjectStore | null;
  /** MEDIA_HOSTS; by default none. */
  linkHosts?: readonly string[];
  /** How long opening waits for each folder to be read. */
  patienceMs?: number;
}

export interface Catalogue extends RoomCatalogue, Pick<Youtube, 'knownTitle' | 'prune'> {
  library: MediaLibrary;
  links: MediaLinks;
  /** The copies that `wantEven` makes. */
  even: Pick<EvenCopies, 'of'>;
  /** Looks at the folder again, and begins to copy what needs it. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** What the catalogue knows by an id, for parts that are made before it. */
export const namesIn = (catalogue: () => Pick<Catalogue, 'library' | 'knownTitle'>) => ({
  knownTrack: (id: VideoId) => catalogue().library.byId(id),
  knownTitle: (id: VideoId) => catalogue().knownTitle(id),
  /** As what the server itself plays a track, whatever a person calls it; null for a video of which it has read nothing. */
  async titleOf(id: VideoId): Promise<string | null> {
    const item = catalogue().library.byId(id);
    if (item !== null) return playedTitle(item);
    return isMediaLink(id) ? titleOfLink(id) : await catalogue().knownTitle(id);
  },
});

const folderLine =
  'The folder of MEDIA_DIR can not be read. Check its name and rights, or unset MEDIA_DIR to use the bundled library.';

function openFolder(
  folder: string,
  { db, log, patienceMs = defaultPatienceMs }: CatalogueParts,
  made: Pick<Source, 'copies'>,
  frameOf: FilmFrames['of'] = () => null,
): Promise<MediaLibrary> {
  return openMediaLibrary({ folder, log, patienceMs, files: storedFiles(db), frameOf, made }).catch(
    (error: unknown) => {
      throw new SourceFailure('catalogue.folder-unreadable', folderLine, error);
    },
  );
}

/** What all sources say. */
const tasteOf = ({ sources, sourceOf }: MediaLibrary): Taste => ({
  similarTo: (item) => sourceOf(item).taste.similarTo(item),
  async favourites() {
    const found = await Promise.all(sources().map(({ taste }) => taste.favourites()));
    return new Set(found.flatMap((ids) => [...ids]));
  },
});

/** Takes the samples from the bundled library, because the operator's folder may contain no track. */
function withSamplesOf(own: MediaLibrary, bundled: MediaLibrary): MediaLibrary {
  const sampleOf = (id: string) => bundled.samples().find((item) => item.id === id) ?? null;
  return { ...own, samples: () => bundled.samples(), byId: (id) => own.byId(id) ?? sampleOf(id) };
}

function askedOfLoudness(
  library: MediaLibrary,
  loudness: Pick<ReturnType<typeof trackLoudness>, 'of'>,
  even: Pick<EvenCopies, 'want'>,
): Pick<Catalogue, 'loudnessOf' | 'wantEven'> {
  return {
    async loudnessOf(track) {
      const item = library.byId(track);
      return item === null ? { track: null, peaks: null, album: null } : await loudness.of(item);
    },
    async wantEven(track, gain) {
      const item = library.byId(track);
      if (item !== null && gainsOf(await loudness.of(item)).includes(gain)) even.want(item, gain);
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
  const { mediaDir, dataDir, db, clock, log, store = null } = parts;
  const work = mediaWork({ dataDir, log });
  const copies = exactCopies(work, {
    findRewrite,
    shared: store && sharedCopies(store, { log, now: () => clock.now() }),
  });
  const bundled = await openFolder(bundledLibrary, parts, { copies });
  const frames = filmFrames(work);
  await frames.recall();
  const own = mediaDir === null ? null : await openFolder(mediaDir, parts, { copies }, frames.of);
  const library = own === null ? bundled : withSamplesOf(own, bundled);
  const browsing = libraryBrowsing(library);
  const ofFolder = () => library.sources()[0].list().items;
  const loudness = trackLoudness({ db, work, list: ofFolder });
  const prepare = (): void => void (library.sources().length > 1 && browsing.prepare());
  const played = await playedCopies({ work, findRewrite, loudness });
  const others = await openSources({ ...parts, copies: played, changed: prepare });
  others.forEach(library.add);
  prepare();
  // It may take hours, and no request waits for it.
  const copy = (): void =>
    void keepFramesUp(frames, { list: ofFolder, showFrames: () => library.showFrames() })
      .catch((error: unknown) => log.warn({ err: error }, 'catalogue.frames-failed'))
      .then(() => copies.keepUp(ofFolder()))
      .catch((error: unknown) => log.warn({ err: error }, 'catalogue.copies-failed'));
  const even = await evenCopies({
    ...{ work, findRewrite },
    fileOf: (item, to, signal) => library.sourceOf(item).fileOf(item, to, signal),
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
  const { calls, knownTitle, prune, close: closeYoutube } = openYoutube(parts);
  const suggestions = librarySuggestions({ ...library, soundOf: loudness.soundOf, taste: tasteOf(library) });
  const links = mediaLinks(parts.linkHosts ?? []);
  return {
    ...catalogueService({ library, suggestions, calls, links, log }),
    ...{ library, links, browsing, even, knownTitle, prune },
    ...askedOfLoudness(library, loudness, even),
    async refresh() {
      await library.refresh();
      prepare();
      startWork();
      noting = note();
      await noting;
    },
    async close() {
      closeYoutube();
      for (const source of others) source.close();
      await within(closingPatienceMs, noting, undefined);
      await work.close();
    },
  };
}
