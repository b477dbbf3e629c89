/**
 * Calls to the video service: each answer is remembered, and each call is taken from the budget first. It throws when
 * the budget is used up or the service fails; what a host sees then is decided by catalogue-service.
 */
import type { RoomKind, Uid, VideoId } from '@tunemate/protocol';
import type { Log } from '../../system/ports.ts';
import { BudgetUsedUp, cachedCalls } from './cached-calls.ts';
import { type CallPurpose, type SearchAllowances, searchBudget, type UsedUp } from './search-budget.ts';
import type { SearchMemory } from './search-memory.ts';
import { folded } from '../library/search-words.ts';
import { type FoundVideo, type VideoDetails, type VideoSource, VideoSourceFailure } from '../video-source.ts';

export interface VideoCallsDeps {
  source: VideoSource;
  memory: SearchMemory;
  clock: { now(): number };
  log: Pick<Log, 'warn'>;
  allowances: SearchAllowances;
}

const usedUpBy: Partial<Record<VideoSourceFailure['code'], UsedUp>> = { quota: 'day', tooFast: 'minute' };

export type VideoCalls = ReturnType<typeof videoCalls>;

export function videoCalls({ source, memory, clock, log, allowances }: VideoCallsDeps) {
  const budget = searchBudget(memory, clock, allowances);
  const calls = cachedCalls(memory, clock);

  const detailsKey = (id: VideoId): string => `details:${id}`;

  /** In the order of the ids; null for what the service does not know. */
  async function detailsOf(ids: readonly VideoId[]): Promise<(VideoDetails | null)[]> {
    const found = await source.videosById(ids);
    return ids.map((id) => found.find(({ videoId }) => videoId === id) ?? null);
  }

  /** How one call is paid for and made. A refusal for what is used up closes that part of the budget. */
  function charged<Answer>(host: Uid, purpose: CallPurpose, call: () => Promise<Answer>) {
    const pay = () => budget.take(host, purpose);
    const make = async (): Promise<Answer> => {
      try {
        return await call();
      } catch (error) {
        const code = error instanceof VideoSourceFailure ? error.code : null;
        if (code === 'quota') await budget.closeDay(purpose);
        if (code === 'tooFast') budget.closeMinute();
        throw error;
      }
    };
    return [pay, make] as const;
  }

  return {
    /** What is remembered of a video; `answer` is null for one that the service does not know. */
    async recalled(id: VideoId): Promise<{ answer: VideoDetails | null } | null> {
      const kept = await calls.recall(detailsKey(id));
      return kept && { answer: kept.answer as VideoDetails | null };
    },

    /** One call for all of them; none of them is remembered. In the order of the ids. */
    details: (ids: readonly VideoId[], host: Uid): Promise<(VideoDetails | null)[]> =>
      calls.askTogether(ids.map(detailsKey), ...charged(host, 'lookUp', () => detailsOf(ids))),

    playlist: (id: string, host: Uid): Promise<FoundVideo[]> =>
      calls.ask(`playlist:${id}`, ...charged(host, 'lookUp', () => source.playlist(id))),

    search: (
      { kind, query, host }: { kind: RoomKind; query: string; host: Uid },
      ask: (source: VideoSource) => Promise<FoundVideo[]>,
    ): Promise<FoundVideo[]> =>
      calls.ask(
        `search:${kind}:${query.toLowerCase().replaceAll(/\s+/gu, ' ')}`,
        ...charged(host, 'search', () => ask(source)),
      ),

    async related(playing: VideoId, host: Uid): Promise<FoundVideo[]> {
      const known = await calls.ask(
        detailsKey(playing),
        ...charged(host, 'lookUp', async () => (await detailsOf([playing]))[0] ?? null),
      );
      if (known === null) return [];
      const found = await calls.ask(
        `related:${known.categoryId}:${folded(known.title).split(' ').slice(0, 3).join(' ')}`,
        ...charged(host, 'suggestion', () => source.relatedTo(known)),
      );
      return found.filter(({ videoId }) => videoId !== playing);
    },

    /**
     * What is used up, when that is why a call failed: this process found out, or the service says so. Null after any
     * other failure of the service. Failures of the service are logged.
     */
    noteFailure(error: unknown, event: string): UsedUp | null {
      if (error instanceof BudgetUsedUp) return error.usedUp;
      if (!(error instanceof VideoSourceFailure)) throw error;
      log.warn({ code: error.code, status: error.status }, event);
      return usedUpBy[error.code] ?? null;
    },
  };
}
