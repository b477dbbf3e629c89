import { describe, expect, test } from 'vitest';
import { ClockOffset, type ProbeAnswer, startProbeLoop } from './server-clock.ts';
import { SimTime } from '../sim/time.ts';
import { probeBurstCount, probeSleepMs } from '../timings.ts';

const epochMs = 1_800_000_000_000;

class WatchedClock extends ClockOffset {
  readonly doubtedAtMs: number[] = [];
  override doubtPast(localMs: number): void {
    this.doubtedAtMs.push(localMs);
    super.doubtPast(localMs);
  }
}

/** A line of 20 ms to a server whose clock may be moved; the machine may sleep, which stops its timers only. */
function line() {
  const time = new SimTime();
  const clock = new WatchedClock();
  let sleptMs = 0;
  let serverAheadMs = 0;
  const sentAtMs: number[] = [];
  const nowMs = () => time.nowMs + sleptMs;
  const loop = startProbeLoop({
    clock,
    nowMs,
    schedule: (task, delayMs) => time.after(delayMs, task),
    send: (onAnswer: (answer: ProbeAnswer) => void) => {
      sentAtMs.push(nowMs());
      time.after(10, () => {
        const serverReceivedMs = epochMs + nowMs() + serverAheadMs;
        time.after(10, () => onAnswer({ serverReceivedMs }));
      });
    },
  });
  const run = (ms: number) => time.runUntil(time.nowMs + ms);
  const sleep = (ms: number) => void (sleptMs += ms);
  const moveServer = (ms: number) => void (serverAheadMs += ms);
  const errorMs = () => clock.serverNow(nowMs()) - (epochMs + nowMs() + serverAheadMs);
  return { clock, loop, run, sleep, moveServer, errorMs, sentAtMs, doubtedAtMs: clock.doubtedAtMs, nowMs };
}

describe('probing the server’s clock', () => {
  test('a burst makes the clock known, and no probe is doubted during it', () => {
    const { clock, run, sentAtMs, doubtedAtMs, errorMs } = line();
    run(900);
    expect(sentAtMs).toHaveLength(probeBurstCount);
    expect([clock.isSynced, Math.abs(errorMs()) < 1]).toEqual([true, true]);
    run(30_000);
    expect(doubtedAtMs).toEqual([]);
  });

  test('a probe much later than due means that the device slept: doubts earlier probes, and starts a burst', () => {
    const { run, sleep, moveServer, sentAtMs, doubtedAtMs, errorMs } = line();
    run(20_000);
    const before = sentAtMs.length;
    sleep(probeSleepMs + 5000);
    moveServer(300);
    run(8000);
    expect(doubtedAtMs).toHaveLength(1);
    expect(sentAtMs.length - before).toBeGreaterThanOrEqual(probeBurstCount);
    expect(Math.abs(errorMs())).toBeLessThan(1);
  });

  test('a requested burst starts at once, doubts earlier probes, and replaces the scheduled probe', () => {
    const { loop, run, moveServer, sentAtMs, doubtedAtMs, errorMs, nowMs } = line();
    run(20_000);
    const before = sentAtMs.length;
    const askedAtMs = nowMs();
    moveServer(300);
    loop.burst();
    expect([sentAtMs.length - before, doubtedAtMs]).toEqual([1, [askedAtMs]]);
    run(900);
    expect(sentAtMs.length - before).toBe(probeBurstCount);
    expect(Math.abs(errorMs())).toBeLessThan(1);
  });

  test('a stopped loop sends nothing, and ignores later answers', () => {
    const { clock, loop, run, sentAtMs } = line();
    loop.stop();
    loop.burst();
    run(30_000);
    expect([sentAtMs.length, clock.roundTripMs]).toEqual([1, null]);
  });
});
