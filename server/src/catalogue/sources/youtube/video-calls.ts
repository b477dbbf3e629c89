/**
 * Calls to the video service: caches each answer, and takes each call from the budget first. Throws when the budget is
 * used up or the service fails.
 */
import type { RoomKind, VideoId } from '@tunemate/protocol';
import type { Log } from '../../../system/ports.ts';
import { folded, putLatest } from '@tunemate/domain';
import { type FoundVideo, type VideoDetails, type VideoSource, VideoSourceFailure } from './youtube-source.ts';
import type { SearchMemory } from './search-memory.ts';
import type { CallPurpose, Payer, SearchShares } from './search-shares.ts';

interface VideoCallsDeps {
  source: VideoSource;
  memory: SearchMemory;
  shares: SearchShares;
  clock: { now(): number };
  log: Pick<Log, 'warn'>;
  allowances: SearchAllowances;
}

const usedUpBy: Partial<Record<VideoSourceFailure['code'], UsedUp>> = { quota: 'day', tooFast: 'minute' };

export type VideoCalls = ReturnType<typeof videoCalls>;

const detailsKey = (id: VideoId): string => `details:${id}`;
const titleKey = (id: VideoId): string => `title:${id}`;

/** What the service has said within a day that a video is called; null where it was not asked. */
export async function titleRecalled(
  memory: Pick<SearchMemory, 'recall'>,
  clock: { now(): number },
  id: VideoId,
): Promise<string | null> {
  for (const key of [titleKey(id), detailsKey(id)]) {
    const kept = await memory.recall(key);
    if (kept === null || clock.now() - kept.atMs >= answersKeptMs) continue;
    const said = JSON.parse(kept.answer) as string | VideoDetails | null;
    if (said !== null) return typeof said === 'string' ? said : said.title;
  }
  return null;
}

export function videoCalls({ source, memory, shares, clock, log, allowances }: VideoCallsDeps) {
  const budget = searchBudget(memory, shares, clock, allowances);
  const calls = cachedCalls(memory, clock);
  const answersFor = detailsKept(calls, clock);
  const charged = charging(budget);

  /** What the service calls videos, for what is published in a person's name. */
  async function remembered(found: readonly FoundVideo[]): Promise<FoundVideo[]> {
    for (const { videoId, title } of found) await memory.keep(titleKey(videoId), JSON.stringify(title), clock.now());
    return [...found];
  }

  /** In the order of the ids; null for an unknown video. */
  async function detailsOf(ids: readonly VideoId[]): Promise<(VideoDetails | null)[]> {
    const found = await source.videosById(ids);
    return ids.map((id) => found.find(({ videoId }) => videoId === id) ?? null);
  }

  return {
    /** The cached details of a video; `answer` is null for a video unknown to the service. */
    async recalled(
      id: VideoId,
      payer: Payer,
      purpose: 'lookUp' | 'card',
    ): Promise<{ answer: VideoDetails | null } | null> {
      const { kept, keyOf } = answersFor(payer, purpose);
      const found = await kept.recall(keyOf(id));
      return found && { answer: found.answer as VideoDetails | null };
    },

    /** One call for all ids, none of which is cached. In the order of the ids. */
    details(ids: readonly VideoId[], payer: Payer, purpose: 'lookUp' | 'card'): Promise<(VideoDetails | null)[]> {
      const { kept, keyOf } = answersFor(payer, purpose);
      return kept.askTogether(ids.map(keyOf), ...charged(payer, purpose, () => detailsOf(ids)));
    },

    playlist: (id: string, payer: Payer): Promise<FoundVideo[]> =>
      calls.ask(`playlist:${id}`, ...charged(payer, 'lookUp', async () => await remembered(await source.playlist(id)))),

    search: (
      { kind, query, payer }: { kind: RoomKind; query: string; payer: Payer },
      ask: (source: VideoSource) => Promise<FoundVideo[]>,
    ): Promise<FoundVideo[]> =>
      calls.ask(
        `search:${kind}:${query.toLowerCase().replaceAll(/\s+/gu, ' ')}`,
        ...charged(payer, 'search', async () => await remembered(await ask(source))),
      ),

    async related(playing: VideoId, payer: Payer): Promise<FoundVideo[]> {
      const known = await calls.ask(
        detailsKey(playing),
        ...charged(payer, 'lookUp', async () => (await detailsOf([playing]))[0] ?? null),
      );
      if (known === null) return [];
      const found = await calls.ask(
        `related:${known.categoryId}:${folded(known.title).split(' ').slice(0, 3).join(' ')}`,
        ...charged(payer, 'suggestion', async () => await remembered(await source.relatedTo(known))),
      );
      return found.filter(({ videoId }) => videoId !== playing);
    },

    /** Logs a failure of the service. The used-up budget if that is why the call failed, else null. */
    noteFailure(error: unknown, event: string): UsedUp | null {
      if (error instanceof BudgetUsedUp) return error.usedUp;
      if (!(error instanceof VideoSourceFailure)) throw error;
      log.warn({ code: error.code, status: error.status }, event);
      return usedUpBy[error.code] ?? null;
    },
  };
}

/** Where the details of videos are kept, and under which key. */
function detailsKept(shared: CachedCalls, clock: { now(): number }) {
  // An answer that comes at once, or past a used-up budget, would tell that another person looks at this video. In this
  // process alone, so that no table says who has seen what.
  const cards = cachedCalls(memoryOfProcess(), clock);
  return ({ host }: Payer, purpose: 'lookUp' | 'card') =>
    purpose === 'card' ? { kept: cards, keyOf: (id: VideoId) => `${host} ${id}` } : { kept: shared, keyOf: detailsKey };
}

/**
 * How to charge and make one call. When the service reports a used-up quota, that part of the budget closes. A call of
 * which it has not heard costs nothing.
 */
function charging(budget: ReturnType<typeof searchBudget>) {
  return <Answer>(payer: Payer, purpose: CallPurpose, call: () => Promise<Answer>) => {
    let giveBack = (): Promise<void> => Promise.resolve();
    const pay = async (): Promise<UsedUp | null> => {
      const taken = await budget.take(payer, purpose);
      if (typeof taken === 'string') return taken;
      giveBack = taken;
      return null;
    };
    const make = async (): Promise<Answer> => {
      try {
        return await call();
      } catch (error) {
        const { code, isUnheard } = error instanceof VideoSourceFailure ? error : { code: null, isUnheard: false };
        if (code === 'quota') await budget.closeDay(purpose);
        if (code === 'tooFast') budget.closeMinute();
        if (isUnheard) await giveBack();
        throw error;
      }
    };
    return [pay, make] as const;
  };
}

export const answersKeptMs = 24 * 60 * 60 * 1000;

class BudgetUsedUp extends Error {
  readonly usedUp: UsedUp;
  constructor(usedUp: UsedUp) {
    super(`searches used up for this ${usedUp}`);
    this.usedUp = usedUp;
  }
}

/** Resolves to the used-up budget, if any; then BudgetUsedUp is thrown. */
type Pay = () => Promise<UsedUp | null>;

/** Answers must survive JSON. */
interface CachedCalls {
  ask<Answer>(key: string, pay: Pay, call: () => Promise<Answer>): Promise<Answer>;
  /** The answer stored under a key within the last 24 h, else null. */
  recall(key: string): Promise<{ answer: unknown } | null>;
  /** One call, charged once, for keys without a stored answer; each answer is stored under its own key. */
  askTogether<Answer>(keys: readonly string[], pay: Pay, call: () => Promise<readonly Answer[]>): Promise<Answer[]>;
}

const mostInProcess = 10_000;

function memoryOfProcess(): Pick<SearchMemory, 'recall' | 'keep'> {
  const kept = new Map<string, { answer: string; atMs: number }>();
  return {
    recall: (key) => Promise.resolve(kept.get(key) ?? null),
    keep: (key, answer, atMs) => Promise.resolve(void putLatest(kept, key, { answer, atMs }, mostInProcess)),
  };
}

/** Stores answers for 24 h. Concurrent equal calls share one call, which is charged once. */
function cachedCalls(memory: Pick<SearchMemory, 'recall' | 'keep'>, clock: { now(): number }): CachedCalls {
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

  function once<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const ongoing = running.get(key) as Promise<Answer> | undefined;
    // Who began it may have nothing left to pay with, and this one may.
    if (ongoing !== undefined) {
      return ongoing.catch((error: unknown) => {
        if (error instanceof BudgetUsedUp) return once(key, work);
        throw error;
      });
    }
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
      // Its own key: a running `ask` resolves to a single answer.
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

/** The used-up budget: of the minute, of the host's hour, or of the day. */
type UsedUp = 'minute' | 'hour' | 'day';

/**
 * The budget of searches: 30 an hour for each host, and 90 of the day's 100 for the server; the last ten are reserved for
 * suggestions. A look-up of videos or of a playlist costs the service a hundredth of a search and has a budget of its
 * own: 60 an hour for each host, and 500 a day for the server; for the cards of messages as much again. Of
 * each, one network and one new account get a fifth. Days are counted in Pacific time, as the service does.
 */
function searchBudget(
  memory: SearchMemory,
  shares: SearchShares,
  clock: { now(): number },
  allowances: SearchAllowances,
) {
  const { hostPerHour, serverPerDay, serverPerDayInAll, lookUpsPerHour, lookUpsPerDay } = allowances;
  /** The keys and limits of each purpose, per host and per day. */
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
    card: {
      ofHost: 'cards of person',
      ofDay: 'cards of server',
      hostPerHour: lookUpsPerHour,
      perDay: lookUpsPerDay,
    },
  };
  const dayKey = (ofDay: string, nowMs: number): string => `${ofDay}:${pacificDay.format(nowMs)}`;
  let pausedUntilMs = 0;
  return {
    /** Takes one call and resolves to what gives it back; otherwise takes nothing and resolves to the used-up budget. */
    async take(payer: Payer, purpose: CallPurpose): Promise<UsedUp | (() => Promise<void>)> {
      const nowMs = clock.now();
      if (nowMs < pausedUntilMs) return 'minute';
      const counted = purposes[purpose];
      const hour = Math.floor(nowMs / hourMs);
      const hostKey = `${counted.ofHost}:${payer.host}:${String(hour)}`;
      if (!(await memory.spend(hostKey, counted.hostPerHour, (hour + 1) * hourMs))) return 'hour';
      const giveBackShares = await shares.take(payer, purpose);
      const giveBackOwn = async (): Promise<void> => {
        await giveBackShares?.();
        await memory.giveBack(hostKey);
      };
      const ofDay = dayKey(counted.ofDay, nowMs);
      if (giveBackShares !== null && (await memory.spend(ofDay, counted.perDay, nowMs + 2 * dayMs))) {
        return async () => {
          await memory.giveBack(ofDay);
          await giveBackOwn();
        };
      }
      await giveBackOwn();
      return 'day';
    },
    /**
     * After the service reports that the rest of today's quota is too little for such a call. A refused search still
     * allows look-ups; a refused look-up allows nothing.
     */
    async closeDay(purpose: CallPurpose): Promise<void> {
      const nowMs = clock.now();
      const isLookUp = purpose === 'lookUp' || purpose === 'card';
      const closed = isLookUp ? [purposes.suggestion, purposes.lookUp, purposes.card] : [purposes.suggestion];
      for (const { ofDay, perDay } of closed) {
        await memory.exhaust(dayKey(ofDay, nowMs), perDay, nowMs + 2 * dayMs);
      }
    },
    /** After the service reports that calls come too fast: this process pauses for a minute. */
    closeMinute() {
      pausedUntilMs = clock.now() + minuteMs;
    },
  };
}
