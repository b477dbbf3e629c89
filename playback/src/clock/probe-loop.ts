/**
 * Keeps the clock estimate fresh: plans when to probe the server's clock, sends the probes and passes the answers to
 * the estimator. A burst on connecting, then sparse probes, and another burst after anything that may have changed the
 * clock or the route (sleep, another network, a tab that becomes visible). Has no socket, timer or clock of its own.
 */
import {
  clockGoodUncertaintyMs,
  probeBurstCount,
  probeBurstSpacingMs,
  probeSleepMs,
  probeSteadySpacingMs,
  probeUnsureSpacingMs,
} from '../timings.ts';
import type { ClockOffset } from './clock-offset.ts';

/** The server's answer to a probe: its own time, in milliseconds since the epoch. */
export interface ProbeAnswer {
  readonly serverReceivedMs: number;
  readonly serverSentMs?: number;
}

export interface ProbeLoopPorts {
  readonly clock: ClockOffset;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly schedule: Schedule;
  /**
   * Sends one probe with the median round trip so far (null before the first answer), from which the server computes
   * the lead of commands; calls back with the answer, or never.
   */
  readonly send: (onAnswer: (answer: ProbeAnswer) => void, roundTripMs: number | null) => void;
}

export interface ProbeLoop {
  /** Starts a new burst: after a reconnect, a network change, or when the tab becomes visible again. */
  burst(): void;
  stop(): void;
}

/** Sends the first probe at once. */
export function startProbeLoop(ports: ProbeLoopPorts): ProbeLoop {
  const { clock, nowMs, schedule, send } = ports;
  let plan = startBurst(nowMs());
  let cancel = (): void => undefined;
  let isStopped = false;

  function probe(): void {
    const sentAtMs = nowMs();
    send((answer) => {
      if (!isStopped) clock.addSample({ ...answer, sentAtMs, receivedAtMs: nowMs() });
    }, clock.roundTripMs);
    const { burstLeft } = plan;
    plan = afterProbe(plan, sentAtMs, clock.uncertaintyMs(sentAtMs));
    if (plan.burstLeft > burstLeft) clock.doubtPast(sentAtMs);
    cancel = schedule(probe, plan.dueAtMs - sentAtMs);
  }

  probe();
  return {
    burst: () => {
      if (isStopped) return;
      cancel();
      plan = startBurst(nowMs());
      clock.doubtPast(plan.dueAtMs);
      probe();
    },
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}

/** The rest of the current burst, and when the next probe is due (local milliseconds). */
export interface ProbePlan {
  readonly burstLeft: number;
  readonly dueAtMs: number;
}

export function startBurst(nowMs: number): ProbePlan {
  return { burstLeft: probeBurstCount, dueAtMs: nowMs };
}

/**
 * The plan after the probe sent at `nowMs`. A probe sent much later than due means that the device slept: a new burst
 * starts.
 */
export function afterProbe(plan: ProbePlan, nowMs: number, uncertaintyMs: number): ProbePlan {
  const hasSlept = nowMs - plan.dueAtMs > probeSleepMs;
  const burstLeft = (hasSlept ? probeBurstCount : plan.burstLeft) - 1;
  if (burstLeft > 0) {
    // Uneven spacing keeps a burst out of phase with periodic traffic, such as a radio's beacon.
    const spacingMs = probeBurstSpacingMs * (1 + (burstLeft % 3) / 2);
    return { burstLeft, dueAtMs: nowMs + spacingMs };
  }
  const isGood = uncertaintyMs <= clockGoodUncertaintyMs;
  return { burstLeft: 0, dueAtMs: nowMs + (isGood ? probeSteadySpacingMs : probeUnsureSpacingMs) };
}

/**
 * `setTimeout` in a browser, virtual time in the simulation. Runs `task` once after `delayMs`; returns the cancel
 * function.
 */
export type Schedule = (task: () => void, delayMs: number) => () => void;
