/** The real clock, on a machine whose wall clock is set by others. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from './machine.ts';

afterEach(() => vi.useRealTimers());

/** From here on the wall clock is this much ahead of where it was, and stands still; monotonic time goes on. */
function setWallClock(byMs: number): number {
  vi.useFakeTimers({ toFake: ['Date'] });
  const setMs = Date.now() + byMs;
  vi.setSystemTime(setMs);
  return setMs;
}

describe('the clock of the server', () => {
  test('does not jump by the small steps of a time daemon', () => {
    const clock = systemClock();
    const before = clock.preciseNow();
    setWallClock(-200);
    const after = clock.preciseNow();
    expect(after).toBeGreaterThanOrEqual(before);
    expect(Number.isInteger(clock.now())).toBe(true);
  });

  test.each([3_600_000, -3_600_000])('takes the wall clock over when that was set by %i ms', (byMs) => {
    const clock = systemClock();
    const before = clock.preciseNow();
    const setMs = setWallClock(byMs);
    expect(clock.preciseNow()).toBe(setMs);
    expect(clock.preciseNow()).toBeGreaterThanOrEqual(setMs);
    expect(Math.sign(clock.preciseNow() - before)).toBe(Math.sign(byMs));
  });
});
