/**
 * An hour of one tab's clock in virtual time from one seed, with the real estimator and probe loop: how many probes it
 * sends, and how far it is off. Halfway the device sleeps without anything that tells the page.
 */
import { ClockOffset, startProbeLoop } from '../src/clock/server-clock.ts';
import { SimLine, someLine } from './network.ts';
import { SimRandom } from './random.ts';
import { SimTime } from './time.ts';

export interface ClockHour {
  readonly seed: number;
  readonly probes: number;
  /** Of each second once the first burst is over, without the half minute around the sleep. */
  readonly errorsMs: readonly number[];
  /** The share of those seconds in which the error was within the stated uncertainty. */
  readonly shareWithin: number;
  /** From waking until the clock is right to within 8 ms for good. */
  readonly noticedMs: number;
}

const hourMs = 3_600_000;
const sleepAtMs = hourMs / 2;
const rightMs = 8;
const aroundSleepMs = 15_000;
const settledAfterMs = 5000;
/** Two quartz clocks of ordinary machines: 25 parts per million. */
const mostSkew = 25e-6;

/** The same seed always gives the same hour. */
export function runClockHour(seed: number): ClockHour {
  const random = new SimRandom(seed);
  const time = new SimTime();
  const line = new SimLine(time, random, someLine(random));
  const skew = random.between(-mostSkew, mostSkew);
  const sleepMs = random.between(2000, 20_000);
  const clock = new ClockOffset();
  const wokeAtMs = sleepAtMs + sleepMs;
  const sleptMs = (): number => Math.max(0, Math.min(sleepMs, time.nowMs - sleepAtMs));
  const nowMs = (): number => (time.nowMs - sleptMs()) * (1 + skew);
  const isAsleep = (): boolean => time.nowMs >= sleepAtMs && time.nowMs < wokeAtMs;
  let probes = 0;
  startProbeLoop({
    clock,
    nowMs,
    wallMs: () => time.nowMs,
    // Timers stand still while the device sleeps.
    schedule: (task, delayMs) => {
      const dueMs = time.nowMs + delayMs;
      return time.at(time.nowMs < sleepAtMs && dueMs > sleepAtMs ? dueMs + sleepMs : dueMs, task);
    },
    send: (onAnswer) => {
      probes += 1;
      line.up(false, () => {
        const serverReceivedMs = time.nowMs;
        line.down(false, () => {
          if (!isAsleep()) onAnswer({ serverReceivedMs });
        });
      });
    },
  });
  const errorsMs: number[] = [];
  let within = 0;
  let lastWrongMs = wokeAtMs;
  for (let atMs = settledAfterMs; atMs < hourMs; atMs += 250) {
    time.runUntil(atMs);
    if (isAsleep()) continue;
    const errorMs = Math.abs(clock.serverNow(nowMs()) - time.nowMs);
    if (atMs > wokeAtMs && errorMs > rightMs && atMs < wokeAtMs + 2 * 60_000) lastWrongMs = atMs;
    if (atMs % 1000 !== 0 || Math.abs(atMs - sleepAtMs - sleepMs / 2) < aroundSleepMs + sleepMs / 2) continue;
    errorsMs.push(errorMs);
    if (errorMs <= clock.uncertaintyMs(nowMs())) within += 1;
  }
  return { seed, probes, errorsMs, shareWithin: within / errorsMs.length, noticedMs: lastWrongMs - wokeAtMs };
}
