/**
 * Timers that stay exact in a background tab. There a browser fires the timers of a silent page on whole seconds, later
 * on whole minutes, but not those of a worker; so while the page is hidden a worker runs them too.
 */
import type { Schedule } from '@tunemate/playback';
import { deviceClock } from '../../store/clock.ts';

/** Starts a timer outside the page, which sends back the id when it is due. */
export type OutsideTimers = (id: number, delayMs: number) => void;

interface SteadySchedulePorts {
  readonly page: Pick<Document, 'hidden' | 'addEventListener'>;
  readonly nowMs: () => number;
  readonly schedule: Schedule;
  /** Null where the browser allows none. Called once, when the page is first hidden. */
  readonly startOutside: (onDue: (id: number) => void) => OutsideTimers | null;
}

export function createSteadySchedule({ page, nowMs, schedule, startOutside }: SteadySchedulePorts): Schedule {
  const waiting = new Map<number, { readonly run: () => void; readonly dueAtMs: number }>();
  let outside: OutsideTimers | null | undefined;
  let lastId = 0;

  function keepOutside(id: number, dueAtMs: number): void {
    outside ??= startOutside((due) => waiting.get(due)?.run());
    outside?.(id, Math.max(0, dueAtMs - nowMs()));
  }

  page.addEventListener('visibilitychange', () => {
    if (!page.hidden) return;
    for (const [id, { dueAtMs }] of waiting) keepOutside(id, dueAtMs);
  });

  return (task, delayMs) => {
    lastId += 1;
    const id = lastId;
    const dueAtMs = nowMs() + delayMs;
    const cancel = (): void => {
      cancelInside();
      waiting.delete(id);
    };
    const run = (): void => {
      cancel();
      task();
    };
    const cancelInside = schedule(run, delayMs);
    waiting.set(id, { run, dueAtMs });
    if (page.hidden) keepOutside(id, dueAtMs);
    return cancel;
  };
}

/** Null where the browser allows no worker. */
function startTimerWorker(onDue: (id: number) => void): OutsideTimers | null {
  try {
    const worker = new Worker(new URL('./timer-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<number>) => onDue(data));
    return (id, delayMs) => worker.postMessage({ id, delayMs }, []);
  } catch {
    // The browser allows no worker here, so only the timers of the page remain.
    return null;
  }
}

let ofThisPage: Schedule | null = null;

export const pageTimers: Schedule = (task, delayMs) => {
  ofThisPage ??= createSteadySchedule({
    page: document,
    nowMs: () => performance.now(),
    schedule: (later, inMs) => deviceClock.schedule(later, inMs),
    startOutside: startTimerWorker,
  });
  return ofThisPage(task, delayMs);
};
