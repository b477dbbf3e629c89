/**
 * When to probe the server's clock: a burst on connecting, then sparsely, and a burst again after anything that may
 * have moved the clock or the route (sleep, another network, the tab coming back). Sends nothing and reads no clock.
 */
import {
  CLOCK_GOOD_UNCERTAINTY_MS,
  PROBE_BURST_COUNT,
  PROBE_BURST_SPACING_MS,
  PROBE_SLEEP_MS,
  PROBE_STEADY_SPACING_MS,
  PROBE_UNSURE_SPACING_MS,
} from './timings.ts';

/** How far a burst has come, and when the next probe was due (local milliseconds). */
export type ProbePlan = { readonly burstLeft: number; readonly dueAtMs: number };

/** A burst that begins now: on connecting, reconnecting, network change, and when the tab becomes visible. */
export function startBurst(nowMs: number): ProbePlan {
  return { burstLeft: PROBE_BURST_COUNT, dueAtMs: nowMs };
}

/**
 * The plan after the probe sent at `nowMs`. A probe that was sent much later than due means that the device slept,
 * and a new burst begins.
 */
export function afterProbe(plan: ProbePlan, nowMs: number, uncertaintyMs: number): ProbePlan {
  const hasSlept = nowMs - plan.dueAtMs > PROBE_SLEEP_MS;
  const burstLeft = (hasSlept ? PROBE_BURST_COUNT : plan.burstLeft) - 1;
  if (burstLeft > 0) {
    // Uneven spacing keeps a burst out of step with anything periodic on the way, such as a radio's beacon.
    const spacingMs = PROBE_BURST_SPACING_MS * (1 + (burstLeft % 3) / 2);
    return { burstLeft, dueAtMs: nowMs + spacingMs };
  }
  const isGood = uncertaintyMs <= CLOCK_GOOD_UNCERTAINTY_MS;
  return { burstLeft: 0, dueAtMs: nowMs + (isGood ? PROBE_STEADY_SPACING_MS : PROBE_UNSURE_SPACING_MS) };
}
