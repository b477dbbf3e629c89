import { describe, expect, test } from 'vitest';
import { afterAnswer, afterProbe, ClockOffset, type ProbePlan, startBurst, startProbeLoop } from './server-clock.ts';
import { runClockHour } from '../sim/clock-hour.ts';
import { SimTime } from '../sim/time.ts';
import {
  clockMovedMs,
  probeBurstCount,
  probeSettledSpacingMs,
  probesUntilSettled,
  probeUnansweredMs,
  probeUnsureSpacingMs,
} from '../timings.ts';

/** The times of the probes of a plan, each sent on time and answered so that the estimate moves by `movedMs`. */
function sendAll(count: number, movedMs: number): { sent: number[]; plan: ProbePlan } {
  const sent: number[] = [];
  let plan = startBurst(0);
  while (sent.length < count) {
    const { dueAtMs } = plan;
    sent.push(dueAtMs);
    plan = afterAnswer(afterProbe(plan, dueAtMs), dueAtMs, movedMs);
  }
  return { sent, plan };
}

const pausesOf = (sent: readonly number[]) => sent.slice(1).map((atMs, index) => atMs - (sent[index] ?? 0));

describe('the plan', () => {
  test('sends a burst of eight to sixteen within a second (SYNC-9)', () => {
    expect(probeBurstCount).toBeGreaterThanOrEqual(8);
    expect(probeBurstCount).toBeLessThanOrEqual(16);
    expect(sendAll(probeBurstCount, 0).sent.at(-1)).toBeLessThan(1000);
  });

  test('leaves uneven pauses in a burst, so that nothing periodic keeps step with it (SYNC-9)', () => {
    const { sent } = sendAll(probeBurstCount, 0);
    expect([...new Set(pausesOf(sent))].sort((a, b) => a - b)).toEqual([35, 52.5, 70]);
  });

  test('is sparse once the estimate stays where it is, and dense again when it moves (SYNC-9)', () => {
    const { sent, plan } = sendAll(probeBurstCount + probesUntilSettled + 6, clockMovedMs);
    expect(pausesOf(sent).slice(probeBurstCount).slice(-9)).toEqual([
      ...[1000, 1000, 2000, 4000, 8000, 16_000],
      ...[probeSettledSpacingMs, probeSettledSpacingMs, probeSettledSpacingMs],
    ]);
    const moved = afterAnswer(afterProbe(plan, plan.dueAtMs), plan.dueAtMs, clockMovedMs + 0.01);
    expect(moved.dueAtMs - plan.dueAtMs).toBe(probeUnsureSpacingMs);
  });

  test('a lost answer is asked for again soon, however sparse the probes are (SYNC-9)', () => {
    const { plan } = sendAll(probeBurstCount + probesUntilSettled + 9, 0);
    expect(afterProbe(plan, plan.dueAtMs).dueAtMs - plan.dueAtMs).toBe(probeUnansweredMs);
  });

  test('a probe that comes much too late begins a new burst (SYNC-9)', () => {
    const steady = { burstLeft: 0, dueAtMs: 10_000, answered: 99, spacingMs: probeSettledSpacingMs };
    expect(afterProbe(steady, 14_000).burstLeft).toBe(0);
    expect(afterProbe(steady, 3_000_000).burstLeft).toBe(probeBurstCount - 1);
  });
});

describe('an hour', () => {
  const hours = Array.from({ length: 20 }, (_, index) => runClockHour(index + 1));
  const at = (share: number) => {
    const sorted = Float64Array.from(hours.flatMap(({ errorsMs }) => errorsMs)).sort();
    return sorted[Math.floor(share * sorted.length)];
  };

  test('takes at most 400 probes, and the clock is right to p50 <= 0.7 ms and p95 <= 2 ms (SYNC-9)', () => {
    expect(Math.max(...hours.map(({ probes }) => probes))).toBeLessThanOrEqual(400);
    expect([at(0.5), at(0.95)].map((errorMs, index) => (errorMs ?? 9) <= (index === 0 ? 0.7 : 2))).toEqual([
      true,
      true,
    ]);
  });

  test('the true time lies inside the stated uncertainty all the time (SYNC-5)', () => {
    expect(hours.map(({ shareWithin }) => shareWithin).filter((share) => share < 1)).toEqual([]);
  });

  test('a sleep that nothing announces is noticed within five seconds of waking (SYNC-9)', () => {
    expect(Math.max(...hours.map(({ noticedMs }) => noticedMs))).toBeLessThan(5000);
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
