import { describe, expect, test } from 'vitest';
import { ClockOffset } from './clock-offset.ts';
import { afterProbe, startBurst, startProbeLoop } from './probe-loop.ts';
import { SimTime } from '../sim/time.ts';
import { probeBurstCount, probeSteadySpacingMs, probeUnsureSpacingMs } from '../timings.ts';

/** The times of the probes that a plan leads to when each is sent on time. */
function sendAll(count: number, uncertaintyMs: number): number[] {
  const sent: number[] = [];
  let plan = startBurst(0);
  while (sent.length < count) {
    sent.push(plan.dueAtMs);
    plan = afterProbe(plan, plan.dueAtMs, uncertaintyMs);
  }
  return sent;
}

describe('the plan', () => {
  test('sends a burst of eight to sixteen within a second (SYNC-9)', () => {
    expect(probeBurstCount).toBeGreaterThanOrEqual(8);
    expect(probeBurstCount).toBeLessThanOrEqual(16);
    expect(sendAll(probeBurstCount, 2).at(-1)).toBeLessThan(1000);
  });

  test('leaves uneven pauses in a burst, so that nothing periodic keeps step with it (SYNC-9)', () => {
    const sent = sendAll(probeBurstCount, 2);
    const pauses = sent.slice(1).map((atMs, index) => atMs - (sent[index] ?? 0));
    expect([...new Set(pauses)].sort((a, b) => a - b)).toEqual([35, 52.5, 70]);
  });

  test('is sparse afterwards, less so while the clock is uncertain (SYNC-9)', () => {
    const gap = (uncertaintyMs: number): number => {
      const [before = 0, last = 0] = sendAll(probeBurstCount + 1, uncertaintyMs).slice(-2);
      return last - before;
    };
    expect([gap(2), gap(8)]).toEqual([probeSteadySpacingMs, probeSteadySpacingMs]);
    expect(gap(100)).toBe(probeUnsureSpacingMs);
  });

  test('a probe that comes much too late begins a new burst (SYNC-9)', () => {
    const steady = { burstLeft: 0, dueAtMs: 10_000 };
    expect(afterProbe(steady, 14_000, 2).burstLeft).toBe(0);
    expect(afterProbe(steady, 3_000_000, 2).burstLeft).toBe(probeBurstCount - 1);
  });
});

describe('the loop', () => {
  function world() {
    const time = new SimTime();
    const clock = new ClockOffset();
    let sent = 0;
    const loop = startProbeLoop({
      clock,
      nowMs: () => time.nowMs,
      schedule: (task, delayMs) => time.after(delayMs, task),
      send: (onAnswer) => {
        sent += 1;
        time.after(15, () => {
          const serverReceivedMs = time.nowMs + 1e12;
          time.after(15, () => onAnswer({ serverReceivedMs }));
        });
      },
    });
    return { time, clock, loop, sentSoFar: () => sent };
  }

  test('synchronises within a second of connecting (SYNC-9)', () => {
    const { time, clock } = world();
    time.runUntil(1000);
    expect(clock.serverNow(1000)).toBeCloseTo(1e12 + 1000, 0);
  });

  test('bursts again when asked to, and stops for good (SYNC-9)', () => {
    const { time, loop, sentSoFar } = world();
    time.runUntil(3000);
    const before = sentSoFar();
    loop.burst();
    time.runUntil(4000);
    expect(sentSoFar() - before).toBe(probeBurstCount);
    loop.stop();
    loop.burst();
    time.runUntil(60_000);
    expect(sentSoFar() - before).toBe(probeBurstCount);
  });
});
