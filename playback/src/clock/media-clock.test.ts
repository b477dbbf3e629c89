import { describe, expect, test } from 'vitest';
import { BrowserClock, clockLooksMs, MediaClock } from './media-clock.ts';

const clockStepMs = 40.25;

/** An element that plays from position 0 at time 0 and reports a new position every `stepMs`; 0 for a smooth one. */
const elementOf =
  (stepMs: number, rate = 1) =>
  (atMs: number) =>
    ((stepMs === 0 ? atMs : Math.floor(atMs / stepMs) * stepMs) / 1000) * rate;

/** Looks at an element as a page does, from `fromMs` to `untilMs`; returns when the last look was. */
function watch(clock: MediaClock, element: (atMs: number) => number, fromMs: number, untilMs: number): number {
  let atMs = fromMs;
  for (let count = 0; atMs < untilMs; count += 1) {
    clock.look(atMs, element(atMs));
    atMs += clockLooksMs[count % clockLooksMs.length] ?? 7;
  }
  return atMs;
}

function steppedClock(): MediaClock {
  const clock = new MediaClock(new BrowserClock());
  watch(clock, elementOf(clockStepMs), 0, 1000);
  return clock;
}

describe('the kind of a clock', () => {
  test('is determined from half a second of playing (SYNC-50)', () => {
    expect(steppedClock().kind).toBe('stepped');
    const smooth = new MediaClock(new BrowserClock());
    watch(smooth, elementOf(0), 0, 500);
    expect([smooth.kind, smooth.wantsLooks]).toEqual(['smooth', false]);
  });

  test('is not determined from an element that has not started to move (SYNC-50)', () => {
    const clock = new MediaClock(new BrowserClock());
    watch(clock, () => 12, 0, 2000);
    expect(clock.kind).toBe('unknown');
  });

  test('is not determined from a few looks (SYNC-50)', () => {
    const clock = new MediaClock(new BrowserClock());
    watch(clock, elementOf(0), 0, 100);
    expect([clock.kind, clock.isExact, clock.wantsLooks]).toEqual(['unknown', false, true]);
    expect(steppedClock().wantsLooks).toBe(true);
  });

  test('is not determined from an element that stands still after a seek (SYNC-50)', () => {
    const clock = new MediaClock(new BrowserClock());
    watch(clock, elementOf(0), 0, 30);
    clock.reset();
    watch(clock, () => 70, 30, 2000);
    expect(clock.kind).toBe('unknown');
  });

  test('once known it stays, though the element waits for data for a while (SYNC-50)', () => {
    const clock = new MediaClock(new BrowserClock());
    const atMs = watch(clock, elementOf(0), 0, 500);
    watch(clock, () => 0.5, atMs, 4000);
    expect(clock.kind).toBe('smooth');
  });

  test('is known of every element of a browser once one has played (SYNC-50)', () => {
    const browser = new BrowserClock();
    watch(new MediaClock(browser), elementOf(clockStepMs), 0, 1000);
    const next = new MediaClock(browser);
    watch(next, elementOf(clockStepMs), 1000, 1150);
    expect([next.kind, next.isExact]).toEqual(['stepped', true]);
  });

  test('is not determined from looks too far apart to see steps (SYNC-50)', () => {
    const clock = new MediaClock(new BrowserClock());
    for (let atMs = 0; atMs < 20_000; atMs += 250) clock.look(atMs, elementOf(clockStepMs)(atMs));
    expect(clock.kind).toBe('unknown');
  });
});

describe('whether a position is known exactly', () => {
  test('it is once the clock proved smooth, and on a stepped clock after a few steps since the last break', () => {
    const smooth = new MediaClock(new BrowserClock());
    expect(smooth.isExact).toBe(false);
    watch(smooth, elementOf(0), 0, 500);
    smooth.reset();
    expect(smooth.isExact).toBe(true);
    const stepped = steppedClock();
    expect(stepped.isExact).toBe(true);
    stepped.reset();
    expect(stepped.isExact).toBe(false);
    watch(stepped, elementOf(clockStepMs), 2000, 2200);
    expect(stepped.isExact).toBe(true);
  });

  test('three steps are enough, two are not', () => {
    const clock = steppedClock();
    clock.reset();
    const isExact = [2, 2.04, 2.08, 2.12].map((seconds, index) => {
      clock.look(2000 + 10 * index, seconds);
      return clock.isExact;
    });
    expect(isExact).toEqual([false, false, false, true]);
  });
});

describe('the position of a stepped clock', () => {
  const off = (clock: MediaClock, atMs: number, element: (atMs: number) => number): number =>
    Math.abs(clock.positionAt(atMs, element(atMs)) * 1000 - atMs);

  test('goes on from the newest steps, within 3 ms of the sound at any moment (SYNC-50)', () => {
    const clock = steppedClock();
    const element = elementOf(clockStepMs);
    let worstMs = 0;
    for (let atMs = 1000; atMs < 9000;) {
      const nextMs = watch(clock, element, atMs, atMs + 13);
      worstMs = Math.max(worstMs, off(clock, nextMs - 2, element));
      atMs = nextMs;
    }
    expect(worstMs).toBeLessThan(3);
  });

  test('is in the middle of the bounds that the steps give (SYNC-50)', () => {
    const clock = steppedClock();
    clock.reset();
    clock.look(2000, 2);
    clock.look(2010, 2.04);
    expect(clock.positionAt(2015, 2.04)).toBeCloseTo(2.04 + 0.005 + 0.005, 9);
    // Seen at once: the element cannot have gone on by more than a millisecond.
    clock.look(2039, 2.04);
    clock.look(2040, 2.074);
    expect(clock.positionAt(2040, 2.074)).toBeCloseTo(2.0745, 9);
  });

  test('is never behind the element’s own position, even where its steps contradict one another (SYNC-50)', () => {
    const clock = steppedClock();
    clock.reset();
    clock.look(2000, 2);
    clock.look(2010, 2.04);
    clock.look(2040, 2.04);
    clock.look(2050, 2.1);
    expect(clock.positionAt(2050, 2.1)).toBeCloseTo(2.1, 9);
  });

  test('goes by the newest steps alone: an element may run slightly slower than its rate (SYNC-50)', () => {
    const clock = steppedClock();
    const slow = elementOf(clockStepMs, 0.999);
    clock.reset();
    const atMs = watch(clock, slow, 1000, 20_000);
    expect(Math.abs(clock.positionAt(atMs - 2, slow(atMs - 2)) * 1000 - (atMs - 2) * 0.999)).toBeLessThan(5);
  });

  test('is not moved by a step that was seen late (SYNC-50)', () => {
    const clock = steppedClock();
    const element = elementOf(clockStepMs);
    const atMs = watch(clock, element, 1000, 1400);
    clock.look(atMs + 60, element(atMs + 60));
    expect(off(clock, atMs + 61, element)).toBeLessThan(3);
  });

  test('starts afresh after a seek or a pause (SYNC-50)', () => {
    const clock = steppedClock();
    clock.reset();
    expect(clock.positionAt(1010, 70)).toBe(70);
    const moved = (atMs: number) => elementOf(clockStepMs)(atMs) + 5;
    const atMs = watch(clock, moved, 1010, 1300);
    expect(Math.abs(clock.positionAt(atMs - 2, moved(atMs - 2)) * 1000 - (atMs - 2) - 5000)).toBeLessThan(3);
  });

  test('goes on at another rate from when that takes effect, 180 ms after it was set (SYNC-50)', () => {
    const clock = steppedClock();
    const changeMs = 1180;
    const exactMs = (atMs: number) => atMs + Math.max(0, atMs - changeMs) * 0.08;
    const element = (atMs: number) => (Math.floor(exactMs(atMs) / clockStepMs) * clockStepMs) / 1000;
    clock.changeRate(1000, 1.08);
    clock.changeRate(1100, 1.08);
    for (let atMs = 1000; atMs < 2000;) {
      const nextMs = watch(clock, element, atMs, atMs + 13);
      expect(Math.abs(clock.positionAt(nextMs - 2, element(nextMs - 2)) * 1000 - exactMs(nextMs - 2))).toBeLessThan(4);
      atMs = nextMs;
    }
  });

  test('goes on at another rate at once where the element stood still in between (SYNC-50)', () => {
    const clock = steppedClock();
    clock.changeRate(1000, 1.08);
    clock.reset();
    const element = (atMs: number) => elementOf(clockStepMs, 1.08)(atMs);
    const atMs = watch(clock, element, 1010, 1160);
    expect(Math.abs(clock.positionAt(atMs - 2, element(atMs - 2)) * 1000 - (atMs - 2) * 1.08)).toBeLessThan(4);
  });

  test('is the element’s own once that stands still (SYNC-50)', () => {
    const clock = steppedClock();
    watch(clock, () => 1, 1001, 2000);
    expect(clock.positionAt(2000, 1)).toBe(1);
  });

  test('leaves a smooth clock as it is', () => {
    const clock = new MediaClock(new BrowserClock());
    watch(clock, elementOf(0), 0, 1000);
    expect(clock.positionAt(1003, 0.9991)).toBe(0.9991);
  });
});

describe('the resting rate', () => {
  test('is slightly off 1 from the first start on, until the clock turns out to be smooth (SYNC-51)', () => {
    const clock = new MediaClock(new BrowserClock());
    const resting = clock.rateFor(1);
    expect(resting).not.toBe(1);
    expect(Math.abs(resting - 1)).toBeLessThan(0.0005);
    expect(clock.reportedRate(resting)).toBe(1);
    expect(steppedClock().rateFor(1)).toBe(resting);
    watch(clock, elementOf(0), 0, 1000);
    expect(clock.rateFor(1)).toBe(1);
  });

  test('leaves every other rate alone (SYNC-51)', () => {
    const clock = steppedClock();
    expect([clock.rateFor(1.02), clock.reportedRate(0.998)]).toEqual([1.02, 0.998]);
  });
});
