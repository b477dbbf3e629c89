/** Timers of a background page whose own timers fire on whole seconds only. */
import { beforeEach, describe, expect, test } from 'vitest';
import { manualTimer } from '../../../testing/connection-fixtures.ts';
import { createSteadySchedule, type OutsideTimers } from './page-timers.ts';

class Page extends EventTarget {
  hidden = false;
  hide(hidden: boolean): void {
    this.hidden = hidden;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

describe('timers of a page in the background', () => {
  let timer: ReturnType<typeof manualTimer>;
  let page: Page;
  let firedAtMs: number[];
  beforeEach(() => {
    timer = manualTimer();
    page = new Page();
    firedAtMs = [];
  });

  function steady(hasWorker = true) {
    const startMs = timer.nowMs();
    let workers = 0;
    /** A hidden page's timers fire on whole seconds only. */
    function heldBack(task: () => void, delayMs: number): () => void {
      const fire = (): void => {
        const pastMs = (timer.nowMs() - startMs) % 1000;
        if (page.hidden && pastMs > 0) cancel = timer.schedule(task, 1000 - pastMs);
        else task();
      };
      let cancel = timer.schedule(fire, delayMs);
      return () => cancel();
    }
    const schedule = createSteadySchedule({
      page,
      nowMs: timer.nowMs,
      schedule: heldBack,
      startOutside(onDue): OutsideTimers | null {
        workers += 1;
        return hasWorker ? (id, delayMs) => void timer.schedule(() => onDue(id), delayMs) : null;
      },
    });
    const after = (delayMs: number) => schedule(() => firedAtMs.push(timer.nowMs() - startMs), delayMs);
    return { after, workers: () => workers };
  }
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 10) timer.pass(10);
  };

  test('come when they are due, each once', () => {
    const { after } = steady();
    page.hide(true);
    after(300);
    after(650);
    pass(3000);
    expect(firedAtMs).toEqual([300, 650]);
  });

  test('come when they are due if the page was hidden after they were set', () => {
    const { after } = steady();
    after(300);
    pass(100);
    page.hide(true);
    pass(3000);
    expect(firedAtMs).toEqual([300]);
  });

  test('can be cancelled', () => {
    const { after } = steady();
    page.hide(true);
    after(300)();
    pass(3000);
    expect(firedAtMs).toEqual([]);
  });

  test('are the page’s own while it is visible, and where the browser allows no worker', () => {
    const seen = steady();
    seen.after(300);
    pass(1000);
    expect([firedAtMs, seen.workers()]).toEqual([[300], 0]);
    const alone = steady(false);
    page.hide(true);
    alone.after(300);
    pass(2000);
    expect(firedAtMs).toEqual([300, 1000]);
  });
});
