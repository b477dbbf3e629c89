/**
 * The real clock: monotonic between corrections, so that players never see it jump by the small steps of a time daemon,
 * and taken over again from the wall clock once the two are far apart (a suspended machine).
 */
import type { Clock } from './ports.ts';

const toleratedMs = 250;

export function systemClock(): Clock {
  let originMs = Date.now() - performance.now();
  const preciseNow = (): number => {
    const nowMs = originMs + performance.now();
    const aheadMs = nowMs - Date.now();
    if (Math.abs(aheadMs) <= toleratedMs) return nowMs;
    originMs -= aheadMs;
    return nowMs - aheadMs;
  };
  return { preciseNow, now: () => Math.floor(preciseNow()) };
}
