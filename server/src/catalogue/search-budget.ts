/**
 * The budget of searches: 30 an hour for each host, and 90 of the day's 100 for the server; the last ten are kept for
 * suggestions. The service counts its day in Pacific time, and so does this. When the service answers that calls come
 * too fast, this process pauses for a minute.
 */
import type { Uid } from '@tunemate/protocol';
import type { SearchMemory } from './search-memory.ts';

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
}

export const defaultAllowances: SearchAllowances = { hostPerHour: 30, serverPerDay: 90, serverPerDayInAll: 100 };

const pacificDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

/** What is used up: the minute, the host's hour or the day. */
export type UsedUp = 'minute' | 'hour' | 'day';

export interface SearchBudget {
  /** Takes one call; null when it may be made, otherwise what is used up (and nothing is taken). */
  take(host: Uid, purpose: 'search' | 'suggestion'): Promise<UsedUp | null>;
  /** The service says that today's quota is used up. */
  closeDay(): Promise<void>;
  /** The service says that calls come too fast. */
  closeMinute(): void;
}

export function searchBudget(
  memory: SearchMemory,
  clock: { now(): number },
  allowances: SearchAllowances = defaultAllowances,
): SearchBudget {
  const { hostPerHour, serverPerDay, serverPerDayInAll } = allowances;
  const dayKey = (nowMs: number): string => `server:${pacificDay.format(nowMs)}`;
  let pausedUntilMs = 0;
  return {
    async take(host, purpose) {
      const nowMs = clock.now();
      if (nowMs < pausedUntilMs) return 'minute';
      const hour = Math.floor(nowMs / hourMs);
      const hostKey = `host:${host}:${String(hour)}`;
      if (!(await memory.spend(hostKey, hostPerHour, (hour + 1) * hourMs))) return 'hour';
      const allowance = purpose === 'search' ? serverPerDay : serverPerDayInAll;
      if (await memory.spend(dayKey(nowMs), allowance, nowMs + 2 * dayMs)) return null;
      await memory.giveBack(hostKey);
      return 'day';
    },
    closeDay: () => memory.exhaust(dayKey(clock.now()), serverPerDayInAll, clock.now() + 2 * dayMs),
    closeMinute() {
      pausedUntilMs = clock.now() + minuteMs;
    },
  };
}
