/**
 * When to probe the server's clock: a burst on connecting, then sparsely, and a burst again after anything that may
 * have moved the clock or the route (sleep, another network, the tab coming back). Sends nothing and reads no clock.
 */
import {
  clockGoodUncertaintyMs,
  probeBurstCount,
  probeBurstSpacingMs,
  probeSleepMs,
  probeSteadySpacingMs,
  probeUnsureSpacingMs,
} from '../timings.ts';

/** How far a burst has come, and when the next probe was due (local milliseconds). */
export interface ProbePlan {
  readonly burstLeft: number;
  readonly dueAtMs: number;
}

/** A burst that begins now: on connecting, reconnecting, network change, and when the tab becomes visible. */
export function startBurst(nowMs: number): ProbePlan {
  return { burstLeft: probeBurstCount, dueAtMs: nowMs };
}

/**
 * The plan after the probe sent at `nowMs`. A probe that was sent much later than due means that the device slept,
 * and a new burst begins.
 */
export function afterProbe(plan: ProbePlan, nowMs: number, uncertaintyMs: number): ProbePlan {
  const hasSlept = nowMs - plan.dueAtMs > probeSleepMs;
  const burstLeft = (hasSlept ? probeBurstCount : plan.burstLeft) - 1;
  if (burstLeft > 0) {
    // Uneven spacing keeps a burst out of step with anything periodic on the way, such as a radio's beacon.
    const spacingMs = probeBurstSpacingMs * (1 + (burstLeft % 3) / 2);
    return { burstLeft, dueAtMs: nowMs + spacingMs };
  }
  const isGood = uncertaintyMs <= clockGoodUncertaintyMs;
  return { burstLeft: 0, dueAtMs: nowMs + (isGood ? probeSteadySpacingMs : probeUnsureSpacingMs) };
}
