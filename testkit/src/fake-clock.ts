/**
 * Time that stands still until a test moves it, for code that takes its clock and timers as ports.
 * Timers fire in the order of their time, each with the clock showing exactly that time.
 */

/** A clock and the timers that run on it. All times in milliseconds. */
export interface FakeClock {
  now(): number;
  /** The same: this clock has no fractions. */
  preciseNow(): number;
  /** The machine's clock is set by so much, which this one follows once it is asked to `take` that. */
  set(byMs: number): void;
  aheadMs(): number;
  take(): void;
  /** Runs `task` once after `delayMs`; what it returns cancels that. */
  schedule(task: () => void, delayMs: number): () => void;
  /** Moves time forward and fires what falls due on the way, timers set meanwhile included. */
  advance(byMs: number): void;
  /** As `advance`, letting promises settle between one timer and the next. */
  advanceAsync(byMs: number): Promise<void>;
  /** How many timers wait. */
  pending(): number;
}

interface Timer {
  readonly dueAtMs: number;
  readonly task: () => void;
}

/** Makes a clock that shows `startAtMs` (by default a fixed day of 2030). */
export function createFakeClock(startAtMs = Date.UTC(2030, 0, 1)): FakeClock {
  let nowMs = startAtMs;
  let stepMs = 0;
  const timers = new Set<Timer>();

  function nextDue(untilMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.dueAtMs <= untilMs && (next === undefined || timer.dueAtMs < next.dueAtMs)) next = timer;
    }
    return next;
  }

  function fire(timer: Timer): void {
    timers.delete(timer);
    nowMs = timer.dueAtMs;
    timer.task();
  }

  return {
    now: () => nowMs,
    preciseNow: () => nowMs,
    set: (byMs) => void (stepMs += byMs),
    aheadMs: () => stepMs,
    take() {
      nowMs += stepMs;
      stepMs = 0;
    },
    schedule(task, delayMs) {
      const timer = { dueAtMs: nowMs + Math.max(0, delayMs), task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(byMs) {
      const untilMs = nowMs + byMs;
      for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) fire(timer);
      nowMs = untilMs;
    },
    async advanceAsync(byMs) {
      const untilMs = nowMs + byMs;
      await settled();
      for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) {
        fire(timer);
        await settled();
      }
      nowMs = untilMs;
      await settled();
    },
    pending: () => timers.size,
  };
}

/** One turn of the event loop: every promise chain that needs no I/O has run to its end. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
