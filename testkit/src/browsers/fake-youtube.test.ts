import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeClock, FakeDelays } from './fake-youtube-parts.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('the stand-in for YouTube tells the time since its last message, and a second of it at most', () => {
  const clock = new FakeClock(new FakeDelays(1));
  expect([clock.hasReported, clock.reportedPosition(), clock.reportedRate]).toEqual([false, undefined, undefined]);
  clock.move(20);
  clock.run(true);
  clock.tell(true);
  vi.advanceTimersByTime(800);
  expect(clock.position).toBeCloseTo(20.8, 6);
  expect(clock.reportedPosition()).toBeCloseTo(20.8, 1);
  vi.advanceTimersByTime(2000);
  expect(clock.position).toBeCloseTo(22.8, 6);
  expect(clock.reportedPosition()).toBeCloseTo(21, 1);
});

test('it says that it plays during an advert, whose clock is the video’s and stands still', () => {
  const clock = new FakeClock(new FakeDelays(1));
  clock.move(20);
  for (let message = 0; message < 10; message += 1) {
    clock.tell(true);
    vi.advanceTimersByTime(250);
    expect(clock.position).toBe(20);
    expect(clock.reportedPosition()).toBeCloseTo(20.25, 6);
  }
});

test('its delays differ from one to the next, stay in their bounds, and are the same for the same seed', () => {
  const draw = (seed: number) => {
    const delays = new FakeDelays(seed);
    return Array.from({ length: 50 }, () => delays.of('start'));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(new Set(draw(7)).size).toBe(50);
  expect(Math.min(...draw(7))).toBeGreaterThanOrEqual(300);
  expect(Math.max(...draw(7))).toBeLessThanOrEqual(2000);
});
