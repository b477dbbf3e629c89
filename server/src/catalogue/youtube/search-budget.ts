/**
 * The budget of searches: 30 an hour for each host, and 90 of the day's 100 for the server; the last ten are kept for
 * suggestions. A look-up of videos or of a playlist costs the service a hundredth of a search, and has numbers of its
 * own: 60 an hour for each host, and 500 a day for the server. The service counts its day in Pacific time, and so does
 * this. When the service answers that calls come too fast, this process pauses for a minute.
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
export type UsedUp = 'minute' | 'hour' | 'day';

export type CallPurpose = 'search' | 'suggestion' | 'lookUp';

export interface SearchBudget {
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

export function searchBudget(
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
