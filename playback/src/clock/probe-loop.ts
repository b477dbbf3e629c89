/**
 * Keeps a clock estimate fresh: decides when to probe the server's clock, sends the probes and feeds the answers to the
 * estimator. A burst on connecting, then sparse probes, and a burst again after anything that may have moved the clock
 * or the route (sleep, another network, the tab coming back). Socket, timer and local clock arrive as arguments.
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

/** What the server answers to a probe: its own time, in milliseconds since the epoch. */
export interface ProbeAnswer {
  readonly serverReceivedMs: number;
  readonly serverSentMs?: number;
}

/** What a probe loop needs from outside. */
export interface ProbeLoopPorts {
  readonly clock: ClockOffset;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly schedule: Schedule;
  /**
   * Sends one probe with the usual round trip so far (null before the first answer), so that the room knows how far
   * ahead to schedule; calls back when it was answered, or never.
   */
  readonly send: (onAnswer: (answer: ProbeAnswer) => void, roundTripMs: number | null) => void;
}

/** A running probe loop. */
export interface ProbeLoop {
  /** Begins a new burst: after a reconnect, a network change, or when the tab becomes visible again. */
  burst(): void;
  stop(): void;
}

/** Starts probing at once. */
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

/** The timer port: `setTimeout` in a browser, virtual time in the simulation. Runs `task` once after `delayMs`; returns the function that cancels it. */
export type Schedule = (task: () => void, delayMs: number) => () => void;
