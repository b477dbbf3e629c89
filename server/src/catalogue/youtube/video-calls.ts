/**
 * Calls to the video service: each answer is remembered, and each call is taken from the budget first. It throws when
 * the budget is used up or the service fails; what a host sees then is decided by catalogue-service.
 */
import type { RoomKind, Uid, VideoId } from '@tunemate/protocol';
import type { Log } from '../../system/ports.ts';
import { folded } from '../library/search-words.ts';
import { type FoundVideo, type VideoDetails, type VideoSource, VideoSourceFailure } from './youtube-source.ts';
import type { SearchMemory } from './search-memory.ts';

interface VideoCallsDeps {
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

export const answersKeptMs = 24 * 60 * 60 * 1000;

/**
 * No call may be made now. Only the caller that starts a call is charged for it, not one that waits for the same call.
 */
class BudgetUsedUp extends Error {
  readonly usedUp: UsedUp;
  constructor(usedUp: UsedUp) {
    super(`searches used up for this ${usedUp}`);
    this.usedUp = usedUp;
  }
}

/** Names the budget that is used up, if any; then BudgetUsedUp is thrown. */
type Pay = () => Promise<UsedUp | null>;

/** Answers must survive JSON. */
interface CachedCalls {
  ask<Answer>(key: string, pay: Pay, call: () => Promise<Answer>): Promise<Answer>;
  /** The answer kept under a key; null when there is none that is new enough. */
  recall(key: string): Promise<{ answer: unknown } | null>;
  /** One call, paid for once, for keys under which nothing is kept; each answer is kept under its own. */
  askTogether<Answer>(keys: readonly string[], pay: Pay, call: () => Promise<readonly Answer[]>): Promise<Answer[]>;
}

/** Answers are kept for 24 h, and two equal calls at once are made once. */
function cachedCalls(memory: SearchMemory, clock: { now(): number }): CachedCalls {
  const running = new Map<string, Promise<unknown>>();

  async function recall(key: string): Promise<{ answer: unknown } | null> {
    const kept = await memory.recall(key);
    if (kept === null || clock.now() - kept.atMs >= answersKeptMs) return null;
    return { answer: JSON.parse(kept.answer) };
  }

  async function paid<Answer>(pay: Pay, call: () => Promise<Answer>): Promise<Answer> {
    const usedUp = await pay();
    if (usedUp !== null) throw new BudgetUsedUp(usedUp);
    return await call();
  }

  const keep = (key: string, answer: unknown) => memory.keep(key, JSON.stringify(answer), clock.now());

  /** Starts the work unless it is under way already. */
  function once<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const ongoing = running.get(key);
    if (ongoing !== undefined) return ongoing as Promise<Answer>;
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  }

  return {
    recall,
    ask: <Answer>(key: string, pay: Pay, call: () => Promise<Answer>) =>
      once(key, async () => {
        const kept = await recall(key);
        if (kept !== null) return kept.answer as Answer;
        const answer = await paid(pay, call);
        await keep(key, answer);
        return answer;
      }),
    askTogether: (keys, pay, call) =>
      // Not one that `ask` may have under way: that answers with one.
      once(`together:${keys.join('\n')}`, async () => {
        const answers = await paid(pay, call);
        for (const [index, key] of keys.entries()) await keep(key, answers[index]);
        return [...answers];
      }),
  };
}

const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export interface SearchAllowances {
  /** Per host and clock hour. */
  hostPerHour: number;
  /** Typed searches stop here. */
  serverPerDay: number;
  /** Suggestions stop here: the service's own quota. */
  serverPerDayInAll: number;
  /** Per host and clock hour. */
  lookUpsPerHour: number;
  /** As much of the service's quota as five searches. */
  lookUpsPerDay: number;
}

export const defaultAllowances: SearchAllowances = {
  hostPerHour: 30,
  serverPerDay: 90,
  serverPerDayInAll: 100,
  lookUpsPerHour: 60,
  lookUpsPerDay: 500,
};

const pacificDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

/** What is used up: the minute, the host's hour or the day. */
type UsedUp = 'minute' | 'hour' | 'day';

type CallPurpose = 'search' | 'suggestion' | 'lookUp';

interface SearchBudget {
  /** Takes one call; null when it may be made, otherwise what is used up (and nothing is taken). */
  take(host: Uid, purpose: CallPurpose): Promise<UsedUp | null>;
  /**
   * The service says that what is left of today's quota is too little for such a call. Where it refuses a search,
   * a look-up may still be had; where it refuses a look-up, nothing is.
   */
  closeDay(purpose: CallPurpose): Promise<void>;
  /** The service says that calls come too fast. */
  closeMinute(): void;
}

/**
 * The budget of searches: 30 an hour for each host, and 90 of the day's 100 for the server; the last ten are kept for
 * suggestions. A look-up of videos or of a playlist costs the service a hundredth of a search, and has numbers of its
 * own: 60 an hour for each host, and 500 a day for the server. The service counts its day in Pacific time, and so does
 * this. When the service answers that calls come too fast, this process pauses for a minute.
 */
function searchBudget(
  memory: SearchMemory,
  clock: { now(): number },
  allowances: SearchAllowances = defaultAllowances,
): SearchBudget {
  const { hostPerHour, serverPerDay, serverPerDayInAll, lookUpsPerHour, lookUpsPerDay } = allowances;
  /** What each purpose counts as, of a host and of the day, and how often. */
  const searches = { ofHost: 'host', ofDay: 'server', hostPerHour };
  const purposes: Record<CallPurpose, { ofHost: string; ofDay: string; hostPerHour: number; perDay: number }> = {
    search: { ...searches, perDay: serverPerDay },
    suggestion: { ...searches, perDay: serverPerDayInAll },
    lookUp: {
      ofHost: 'look-ups of host',
      ofDay: 'look-ups of server',
      hostPerHour: lookUpsPerHour,
      perDay: lookUpsPerDay,
    },
  };
  const dayKey = (ofDay: string, nowMs: number): string => `${ofDay}:${pacificDay.format(nowMs)}`;
  let pausedUntilMs = 0;
  return {
    async take(host, purpose) {
      const nowMs = clock.now();
      if (nowMs < pausedUntilMs) return 'minute';
      const counted = purposes[purpose];
      const hour = Math.floor(nowMs / hourMs);
      const hostKey = `${counted.ofHost}:${host}:${String(hour)}`;
      if (!(await memory.spend(hostKey, counted.hostPerHour, (hour + 1) * hourMs))) return 'hour';
      if (await memory.spend(dayKey(counted.ofDay, nowMs), counted.perDay, nowMs + 2 * dayMs)) return null;
      await memory.giveBack(hostKey);
      return 'day';
    },
    async closeDay(purpose) {
      const nowMs = clock.now();
      const closed = purpose === 'lookUp' ? [purposes.suggestion, purposes.lookUp] : [purposes.suggestion];
      for (const { ofDay, perDay } of closed) {
        await memory.exhaust(dayKey(ofDay, nowMs), perDay, nowMs + 2 * dayMs);
      }
    },
    closeMinute() {
      pausedUntilMs = clock.now() + minuteMs;
    },
  };
}
