/** The clock of the server, on a machine that sleeps and whose clock is set by others. */
import { expect, test } from 'vitest';
import { systemClock } from './machine.ts';

const hourMs = 3_600_000;

/** A machine that has run for an hour. */
function machine() {
  let [wallMs, awakeMs, upMs] = [1_800_000_000_000, hourMs, hourMs];
  return {
    wallMs: () => wallMs,
    awakeMs: () => awakeMs,
    upMs: () => upMs,
    pass(byMs: number) {
      wallMs += byMs;
      awakeMs += byMs;
      upMs += byMs;
    },
    sleep(byMs: number) {
      wallMs += byMs;
      upMs += byMs;
    },
    set(byMs: number) {
      wallMs += byMs;
    },
  };
}

test('shows what the machine shows, in whole milliseconds where that is asked for', () => {
  const one = machine();
  const clock = systemClock(one);
  one.pass(12.5);
  expect(clock.preciseNow()).toBe(one.wallMs());
  expect(clock.now()).toBe(Math.floor(one.wallMs()));
  expect(Math.abs(systemClock().now() - Date.now())).toBeLessThan(1000);
});

test.each([250, -250, 1900])('makes up the small steps of a time daemon (%i ms) slowly', (byMs) => {
  const one = machine();
  const clock = systemClock(one);
  one.set(byMs);
  const before = clock.preciseNow();
  one.pass(1000);
  expect(clock.preciseNow() - before).toBeCloseTo(1000 + Math.sign(byMs) * 0.5, 3);
  expect(clock.aheadMs()).toBe(0);
  for (let seconds = 0; seconds < 4000; seconds += 1) {
    one.pass(1000);
    clock.preciseNow();
  }
  expect(clock.preciseNow()).toBeCloseTo(one.wallMs(), 3);
});

test.each([24 * hourMs, -hourMs, 40 * 24 * hourMs, 5000])('a step of %i ms moves it only once it is taken', (byMs) => {
  const one = machine();
  const clock = systemClock(one);
  const before = clock.preciseNow();
  one.set(byMs);
  one.pass(1000);
  expect(clock.preciseNow() - before).toBe(1000);
  expect(clock.aheadMs()).toBe(byMs);
  clock.take();
  expect(clock.preciseNow()).toBe(one.wallMs());
  expect(clock.aheadMs()).toBe(0);
});

test('a step that is taken back is none', () => {
  const one = machine();
  const clock = systemClock(one);
  one.set(hourMs);
  expect(clock.aheadMs()).toBe(hourMs);
  one.set(-hourMs);
  expect(clock.aheadMs()).toBe(0);
  expect(clock.preciseNow()).toBe(one.wallMs());
});

test.each([60_000, 3 * hourMs])('follows a sleep of %i ms, also of a machine whose clock is set meanwhile', (byMs) => {
  const one = machine();
  const clock = systemClock(one);
  one.sleep(byMs);
  expect(clock.preciseNow()).toBe(one.wallMs());
  expect(clock.aheadMs()).toBe(0);
  const before = clock.preciseNow();
  one.sleep(byMs);
  one.set(24 * hourMs);
  expect(clock.preciseNow() - before).toBe(byMs);
  expect(clock.aheadMs()).toBe(24 * hourMs);
});
