import { manualTimer } from '../../../testing/connection-fixtures.ts';
import { describe, expect, test } from 'vitest';
import {
  contextTimeHeardAt,
  startTicks,
  tickEveryMs,
  ticksBetween,
  ticksInRound,
  type TickSounds,
} from './ear-ticks.ts';

describe('ticks that align two devices', () => {
  test('two devices that look at different moments find the same ticks', () => {
    const all = ticksBetween(10_000, 14_000);
    expect(all.map(({ atMs }) => atMs)).toEqual([10_500, 11_000, 11_500, 12_000, 12_500, 13_000, 13_500, 14_000]);
    expect([...ticksBetween(10_000, 11_730), ...ticksBetween(11_730, 14_000)]).toEqual(all);
    expect(new Set(all.map(({ place }) => place)).size).toBe(ticksInRound);
  });

  test('a tick is scheduled for the time when it is heard, not when it is computed', () => {
    // What is heard now was computed 200 ms ago: the page is at 5,000 ms, the audio clock already at 3.2 s.
    const heard = { contextTime: 3, performanceTime: 5000 };
    expect(contextTimeHeardAt(5250, heard)).toBeCloseTo(3.25);
  });
});

describe('the player of ticks', () => {
  function device(clockAheadMs: number, offsetMs: { now: number }) {
    const timer = manualTimer();
    const played: number[] = [];
    const sounds: TickSounds = {
      heardNow: () => ({ contextTime: timer.nowMs() / 1000, performanceTime: timer.nowMs() }),
      playAt: (contextTime) => void played.push(contextTime * 1000),
      close: () => undefined,
    };
    const stop = startTicks({
      sounds,
      nowMs: timer.nowMs,
      serverNow: () => timer.nowMs() + clockAheadMs,
      offsetMs: () => offsetMs.now,
      schedule: timer.schedule,
      onTick: () => undefined,
    });
    return { timer, played, stop };
  }

  test('plays each tick once, at the same server time on every device', () => {
    const first = device(1_000_130, { now: 0 });
    first.timer.pass(4000);
    expect(first.played.length).toBeGreaterThanOrEqual(8);
    for (const [index, atMs] of first.played.entries()) {
      expect((atMs + 1_000_130) % tickEveryMs).toBeCloseTo(0, 6);
      if (index > 0) expect(atMs - (first.played[index - 1] ?? 0)).toBeCloseTo(tickEveryMs, 6);
    }
  });

  test('a device that is heard 40 ms late ticks 40 ms sooner, from the next tick on', () => {
    const offsetMs = { now: 0 };
    const { timer, played } = device(0, offsetMs);
    timer.pass(1200);
    const before = played.length;
    offsetMs.now = 40;
    timer.pass(2000);
    expect(played.slice(0, before).map((atMs) => atMs % tickEveryMs)).toEqual(Array(before).fill(0));
    expect(played.slice(before).map((atMs) => Math.round(atMs % tickEveryMs))).toEqual(
      Array(played.length - before).fill(tickEveryMs - 40),
    );
  });

  test('plays nothing while the clock is unknown, and nothing after a stop', () => {
    const unknown = device(Number.NaN, { now: 0 });
    unknown.timer.pass(2000);
    expect(unknown.played).toEqual([]);
    const { timer, played, stop } = device(0, { now: 0 });
    timer.pass(1000);
    stop();
    const before = played.length;
    timer.pass(3000);
    expect(played.length).toBe(before);
  });
});
