import { expect, test } from 'vitest';
import { aYearAgo, minutesByWeek, yearOf } from './days.ts';

const local = (year: number, month: number, day: number, hour = 0) => new Date(year, month - 1, day, hour).getTime();

test('a year ago is that day by the calendar, and no evening of a 29 February is left out', () => {
  expect(aYearAgo(local(2026, 11, 29, 23))).toEqual({ from: local(2025, 11, 29), until: local(2025, 11, 30) });
  expect(aYearAgo(local(2026, 1, 1))).toEqual({ from: local(2025, 1, 1), until: local(2025, 1, 2) });
  expect(aYearAgo(local(2028, 2, 29, 12))).toEqual({ from: local(2027, 2, 28), until: local(2027, 3, 1) });
  expect(aYearAgo(local(2029, 2, 28, 12))).toEqual({ from: local(2028, 2, 28), until: local(2028, 3, 1) });
  expect(aYearAgo(local(2029, 3, 1))).toEqual({ from: local(2028, 3, 1), until: local(2028, 3, 2) });
});

test('a year is that of the calendar', () => {
  expect(yearOf(2026)).toEqual({ from: local(2026, 1, 1), until: local(2027, 1, 1) });
});

test('minutes are in the week in which their evening began', () => {
  const now = local(2026, 11, 29, 20);
  const evening = (from: number, minutes: number) => ({ from, heardMs: minutes * 60_000 });
  const weeks = minutesByWeek(
    [
      evening(now - 1, 30),
      evening(local(2026, 11, 23), 10),
      evening(local(2026, 11, 22, 23), 7),
      evening(local(2020, 1, 1), 99),
    ],
    now,
  );
  expect(weeks).toHaveLength(52);
  expect(weeks.slice(-2)).toEqual([7, 40]);
  expect(weeks.reduce((sum, minutes) => sum + minutes)).toBe(47);
});
