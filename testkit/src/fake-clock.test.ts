import { describe, expect, test } from 'vitest';
import { createFakeClock } from './fake-clock.ts';

describe('a fake clock', () => {
  test('fires timers in the order of their time, not of their making', () => {
    const clock = createFakeClock(0);
    const fired: [string, number][] = [];
    clock.schedule(() => fired.push(['late', clock.now()]), 20);
    clock.schedule(() => fired.push(['early', clock.now()]), 10);
    clock.advance(15);
    expect(fired).toEqual([['early', 10]]);
    clock.advance(5);
    expect(fired).toEqual([
      ['early', 10],
      ['late', 20],
    ]);
  });

  test('fires timers that a timer sets, and none that was taken back', () => {
    const clock = createFakeClock(0);
    let ticks = 0;
    const tick = () => {
      ticks += 1;
      clock.schedule(tick, 10);
    };
    clock.schedule(tick, 10);
    const takeBack = clock.schedule(() => expect.unreachable(), 30);
    takeBack();
    clock.advance(35);
    expect([ticks, clock.now(), clock.pending()]).toEqual([3, 35, 1]);
  });

  test('lets promises settle between timers', async () => {
    const clock = createFakeClock(0);
    const seen: number[] = [];
    const loop = async () => {
      for (let i = 0; i < 3; i++) {
        await new Promise<void>((resolve) => void clock.schedule(resolve, 5));
        seen.push(clock.now());
      }
    };
    void loop();
    await clock.advanceAsync(15);
    expect(seen).toEqual([5, 10, 15]);
  });
});
