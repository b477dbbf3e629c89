/** Days, weeks and years as the calendar of this device has them. */
import type { MusicEvening } from '@tunemate/protocol';
import { locale } from '../language/t.ts';

export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/**
 * The day a year ago. On 29 February it is 28 February; a year after a 29 February that day is seen together with the 28th,
 * so that no evening is left out.
 */
export function aYearAgo(nowMs: number): TimeSpan {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getFullYear() - 1, now.getMonth(), now.getDate()];
  const isLeapDay = month === 1 && day === 29;
  const from = new Date(year, month, isLeapDay ? 28 : day);
  const until = month === 1 && day >= 28 ? new Date(year, 2, 1) : new Date(year, month, day + 1);
  return { from: from.getTime(), until: until.getTime() };
}

export const yearOf = (year: number): TimeSpan => ({
  from: new Date(year, 0, 1).getTime(),
  until: new Date(year + 1, 0, 1).getTime(),
});

const weeks = 52;

/** Minutes heard in each of the last 52 weeks, the last one up to now. Weeks begin at midnight of this device. */
export function minutesByWeek(evenings: readonly Pick<MusicEvening, 'from' | 'heardMs'>[], nowMs: number): number[] {
  const minutes = Array.from({ length: weeks }, () => 0);
  const now = new Date(nowMs);
  const end = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  const starts = Array.from({ length: weeks }, (_, week) =>
    new Date(end.getFullYear(), end.getMonth(), end.getDate() - 7 * (weeks - week)).getTime(),
  );
  for (const { from, heardMs } of evenings) {
    const week = starts.findLastIndex((start) => start <= from);
    if (week >= 0) minutes[week] = (minutes[week] ?? 0) + heardMs / 60_000;
  }
  return minutes.map(Math.round);
}

/** Names of every second month of these weeks, from the first on. */
export function monthsOfWeeks(nowMs: number): string[] {
  const now = new Date(nowMs);
  const nameOf = new Intl.DateTimeFormat(locale, { month: 'short' });
  return [52, 43, 35, 26, 17, 9].map((weeksAgo) =>
    nameOf.format(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 7 * weeksAgo)),
  );
}
