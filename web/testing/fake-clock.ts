/** Time for tests of models: it stands still until the test moves it, and its timers run in the order of their time. */
import type { Clock } from '../src/store/clock.ts';

/** Every promise chain that needs no I/O has run to its end. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface FakeClock extends Clock {
  /** Moves time forward by so many milliseconds and runs what falls due on the way. */
  advance(byMs: number): void;
  /** As `advance`, with promises settled between one timer and the next. */
  advanceAsync(byMs: number): Promise<void>;
  /** How many timers wait. */
  pending(): number;
}

/** A clock that shows `startAtMs`, by default a fixed day of 2030. */
export function createFakeClock(startAtMs = Date.UTC(2030, 0, 1)): FakeClock {
  let nowMs = startAtMs;
  let timers: readonly { readonly dueAtMs: number; readonly task: () => void }[] = [];

  /** Runs the first timer that is due by then; false when none is. */
  function runNext(untilMs: number): boolean {
    const next = timers.toSorted((one, other) => one.dueAtMs - other.dueAtMs)[0];
    if (next === undefined || next.dueAtMs > untilMs) return false;
    timers = timers.filter((one) => one !== next);
    nowMs = next.dueAtMs;
    next.task();
    return true;
  }

  return {
    now: () => nowMs,
    schedule(task, delayMs) {
      const timer = { dueAtMs: nowMs + Math.max(0, delayMs), task };
      timers = [...timers, timer];
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    advance(byMs) {
      const untilMs = nowMs + byMs;
      while (runNext(untilMs));
      nowMs = untilMs;
    },
    async advanceAsync(byMs) {
      const untilMs = nowMs + byMs;
      await settle();
      while (runNext(untilMs)) await settle();
      nowMs = untilMs;
      await settle();
    },
    pending: () => timers.length,
  };
}
