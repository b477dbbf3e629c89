import { expect, test } from 'vitest';
import type { Now } from '../store/use-now.ts';
import { clockTime, formatWhen } from './dates.ts';

test('an event of today shows a clock time, any other a date, in the time zone of the reader', () => {
  const now = Date.UTC(2026, 10, 21, 0, 30) as Now;
  expect(formatWhen(now - 3_600_000, now, 'en-GB', 'UTC')).toBe('20/11/2026');
  expect(formatWhen(now - 3_600_000, now, 'en-GB', 'America/New_York')).toBe('18:30');
  expect(formatWhen(Date.UTC(2026, 10, 21, 0, 5), now, 'en-GB', 'UTC')).toBe('00:05');
  expect(formatWhen(Date.UTC(2025, 10, 21, 0, 5), now, 'en-GB', 'UTC')).toBe('21/11/2025');
});

test('times follow the device into another time zone', () => {
  const at = Date.UTC(2026, 5, 1, 12, 30);
  const before = process.env['TZ'];
  const written = ['Europe/Stockholm', 'America/New_York', 'Asia/Tokyo'].map((zone) => {
    process.env['TZ'] = zone;
    return clockTime(at, at as Now);
  });
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
  expect(new Set(written).size).toBe(3);
});
