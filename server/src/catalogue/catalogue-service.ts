/**
 * What a host finds: the library first, then the video service's answers when there is a key. Whatever goes wrong
 * out there, a host gets an answer; failures are only logged.
 */
import { thumbnailOf } from '@tunemate/domain';
import {
  type CatalogueAnswer,
  type CatalogueItem,
  cleanTitle,
  isLibraryId,
  type RoomKind,
  type Uid,
  type VideoId,
} from '@tunemate/protocol';
import type { Log } from '../ports.ts';
import type { LibraryItem } from './library-item.ts';
import type { MediaLibrary } from './media-library.ts';
import { BudgetUsedUp, rememberedCalls } from './remembered-calls.ts';
import { defaultAllowances, type SearchAllowances, searchBudget } from './search-budget.ts';
import type { SearchMemory } from './search-memory.ts';
import { folded } from './search-words.ts';
import { parseVideoReference } from './video-reference.ts';
import { type FoundVideo, type VideoDetails, type VideoSource, VideoSourceFailure } from './video-source.ts';

export interface CatalogueDeps {
  library: Pick<MediaLibrary, 'search' | 'samples' | 'related'>;
  /** Null without a key. */
  source: VideoSource | null;
  memory: SearchMemory;
  clock: { now(): number };
  log: Pick<Log, 'info' | 'warn'>;
  allowances?: SearchAllowances;
}

export interface CatalogueService {
  search(kind: RoomKind, query: string, host: Uid): Promise<CatalogueAnswer>;
  /** What may follow; of the library alone when nothing plays. */
  suggest(kind: RoomKind, playing: VideoId | null, host: Uid): Promise<CatalogueAnswer>;
}

/** How each kind of room searches: which library items it shows, which call it makes, what stands in when that fails. */
interface SearchProfile {
  shows(items: LibraryItem[]): LibraryItem[];
  ask(source: VideoSource, query: string): Promise<FoundVideo[]>;
  fallback: 'samples' | 'library';
  /** Whether suggestions may ask the video service: audio rooms have them (SEARCH-60). */
  hasRelated: boolean;
}
const profiles = {
  video: {
    shows: (items) => items.toSorted((a, b) => Number(b.kind === 'video') - Number(a.kind === 'video')),
    ask: (source, query) => source.searchVideos(query),
    fallback: 'library',
    hasRelated: false,
  },
  audio: {
    shows: (items) => items.filter(({ kind }) => kind === 'audio'),
    ask: (source, query) => source.searchAudio(query),
    fallback: 'samples',
    hasRelated: true,
  },
} satisfies Record<RoomKind, SearchProfile>;

const shown = 5;

function libraryEntry(item: LibraryItem): CatalogueItem {
  const { id, title, artist, durationSeconds, cover } = item;
  return {
    videoId: id,
    title: artist === null ? title : cleanTitle(`${title} – ${artist}`, title),
    thumbnail: cover.in === 'nowhere' ? null : thumbnailOf(id),
    durationSeconds,
    source: 'library',
  };
}

function videoEntry({ videoId, title, thumbnail }: FoundVideo): CatalogueItem {
  return { videoId, title, thumbnail, durationSeconds: null, source: 'youtube' };
}

export function catalogueService(deps: CatalogueDeps): CatalogueService {
  const { library, source, memory, clock, log } = deps;
  const budget = searchBudget(memory, clock, deps.allowances ?? defaultAllowances);
  const calls = rememberedCalls(memory, clock);

  const matching = (profile: SearchProfile, query: string): CatalogueItem[] =>
    profile.shows(library.search(query, Number.POSITIVE_INFINITY)).slice(0, shown).map(libraryEntry);

  /** Tells the log, and the budget when the service says that its quota is gone. */
  async function noteFailure(error: unknown, event: string): Promise<void> {
    if (!(error instanceof VideoSourceFailure)) throw error;
    log.warn({ code: error.code, status: error.status }, event);
    if (error.code === 'quota') await budget.closeDay();
    if (error.code === 'tooFast') budget.closeMinute();
  }

  /** A call of `videos` costs a hundredth of a search, so it is not counted. */
  const detailsOf = (from: VideoSource, id: VideoId): Promise<VideoDetails | null> =>
    calls.ask(
      `details:${id}`,
      () => Promise.resolve(null),
      () => from.videoById(id),
    );

  async function videoNamed(id: VideoId): Promise<CatalogueItem | null> {
    const unknown = { videoId: id, title: id, thumbnail: thumbnailOf(id) };
    if (source === null) return videoEntry(unknown);
    try {
      const details = await detailsOf(source, id);
      return details === null ? null : videoEntry(details);
    } catch (error) {
      await noteFailure(error, 'catalogue.look-up-failed');
      return videoEntry(unknown);
    }
  }

  async function searchService(
    profile: SearchProfile,
    from: VideoSource,
    { kind, query, host }: { kind: RoomKind; query: string; host: Uid },
  ): Promise<CatalogueAnswer> {
    const own = matching(profile, query);
    try {
      const found = await calls.ask(
        `search:${kind}:${query.toLowerCase().replaceAll(/\s+/gu, ' ')}`,
        () => budget.take(host, 'search'),
        () => profile.ask(from, query),
      );
      return { status: 'ok', items: [...own, ...found.map(videoEntry)] };
    } catch (error) {
      const samples = profile.fallback === 'samples' ? library.samples().map(libraryEntry) : [];
      if (error instanceof BudgetUsedUp) {
        log.info({ kind, usedUp: error.usedUp }, 'catalogue.budget-used-up');
        return { status: `${error.usedUp}-used-up`, items: own.length > 0 ? own : samples };
      }
      await noteFailure(error, 'catalogue.search-failed');
      return samples.length > 0 ? { status: 'samples', items: samples } : { status: 'library-only', items: own };
    }
  }

  async function relatedVideos(from: VideoSource, playing: VideoId, host: Uid): Promise<CatalogueItem[]> {
    const details = await detailsOf(from, playing);
    if (details === null) return [];
    const { categoryId, title } = details;
    const found = await calls.ask(
      `related:${categoryId}:${folded(title).split(' ').slice(0, 3).join(' ')}`,
      () => budget.take(host, 'suggestion'),
      () => from.relatedTo(details),
    );
    return found.filter(({ videoId }) => videoId !== playing).map(videoEntry);
  }

  return {
    async search(kind, query, host) {
      const typed = query.trim();
      const profile: SearchProfile = profiles[kind];
      const status = source === null ? 'library-only' : 'ok';
      if (typed === '') return { status, items: [] };
      const reference = parseVideoReference(typed);
      const named = reference === null ? null : await videoNamed(reference);
      if (named !== null) return { status, items: [named] };
      if (source === null) return { status, items: matching(profile, typed) };
      return await searchService(profile, source, { kind, query: typed, host });
    },

    async suggest(kind, playing, host) {
      const profile: SearchProfile = profiles[kind];
      const own = (): CatalogueItem[] =>
        profile.shows(library.related(playing, Number.POSITIVE_INFINITY)).slice(0, shown).map(libraryEntry);
      if (source === null || playing === null || isLibraryId(playing) || !profile.hasRelated) {
        return { status: source === null ? 'library-only' : 'ok', items: own() };
      }
      try {
        const related = await relatedVideos(source, playing, host);
        return { status: 'ok', items: related.length > 0 ? related : own() };
      } catch (error) {
        if (error instanceof BudgetUsedUp) return { status: `${error.usedUp}-used-up`, items: own() };
        await noteFailure(error, 'catalogue.suggest-failed');
        return { status: 'library-only', items: own() };
      }
    },
  };
}
