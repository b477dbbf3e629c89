/**
 * How many searches may go out (access.md, "search per host / per server"): 30 an hour for each host, and 90 of the
 * day's 100 for the server; the last ten are kept for suggestions while a host plays. The service counts its day in
 * Pacific time, so this does too.
 */
import type { Uid } from '@tunemate/protocol';
import type { SearchMemory } from './search-memory.ts';

const hourMs = 60 * 60 * 1000;
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

export interface SearchBudget {
  /** Takes one call; false when the host's hour or the server's day is used up. */
  take(host: Uid, purpose: 'search' | 'suggestion'): Promise<boolean>;
  /** The service itself says that today's quota is gone. */
  closeDay(): Promise<void>;
}

export function searchBudget(
  memory: SearchMemory,
  clock: { now(): number },
  allowances: SearchAllowances = defaultAllowances,
): SearchBudget {
  const { hostPerHour, serverPerDay, serverPerDayInAll } = allowances;
  const dayKey = (nowMs: number): string => `server:${pacificDay.format(nowMs)}`;
  return {
    async take(host, purpose) {
      const nowMs = clock.now();
      const hour = Math.floor(nowMs / hourMs);
      if (!(await memory.spend(`host:${host}:${String(hour)}`, hostPerHour, (hour + 1) * hourMs))) return false;
      const allowance = purpose === 'search' ? serverPerDay : serverPerDayInAll;
      return await memory.spend(dayKey(nowMs), allowance, nowMs + 2 * dayMs);
    },
    closeDay: () => memory.exhaust(dayKey(clock.now()), serverPerDayInAll, clock.now() + 2 * dayMs),
  };
}
