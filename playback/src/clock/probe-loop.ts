/**
 * Keeps the clock estimate fresh: plans when to probe the server's clock, sends the probes and passes the answers to
 * the estimator. A burst on connecting, then probes that become rare while the estimate stays where it is, and another
 * burst after anything that may have changed the clock or the route (sleep, another network, a tab that becomes visible).
 * Has no socket, timer or clock of its own.
 */
import {
  clockLookMs,
  clockMovedMs,
  clockStoodStillMs,
  probeBurstCount,
  probeBurstSpacingMs,
  probeSettledSpacingMs,
  probeSleepMs,
  probesUntilSettled,
  probeUnansweredMs,
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
  /** Milliseconds that go on while the device sleeps, of any origin; by default the same, which shows no sleep. */
  readonly wallMs?: () => number;
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
  const { clock, nowMs, wallMs = nowMs, schedule, send } = ports;
  let plan = startBurst(nowMs());
  let cancel = (): void => undefined;
  let isStopped = false;
  let newestMs = Number.NaN;
  let apartMs = wallMs() - nowMs();

  function probe(): void {
    const sentAtMs = nowMs();
    newestMs = sentAtMs;
    send((answer) => {
      if (isStopped) return;
      const receivedAtMs = nowMs();
      const before = clock.offsetMs(receivedAtMs);
      clock.addSample({ ...answer, sentAtMs, receivedAtMs });
      if (sentAtMs !== newestMs) return;
      const movedMs = clock.missingMs(receivedAtMs) + clock.offsetMs(receivedAtMs) - before;
      plan = afterAnswer(plan, sentAtMs, Math.abs(movedMs));
      wait();
    }, clock.roundTripMs);
    const { burstLeft } = plan;
    plan = afterProbe(plan, sentAtMs);
    if (plan.burstLeft > burstLeft) clock.doubtPast(sentAtMs);
    wait();
  }

  /** In short pieces: a clock that stood still is noticed soon after the device wakes, not with the next probe. */
  function wait(): void {
    cancel();
    cancel = schedule(look, Math.min(clockLookMs, plan.dueAtMs - nowMs()));
  }

  function look(): void {
    const was = apartMs;
    apartMs = wallMs() - nowMs();
    if (Math.abs(apartMs - was) > clockStoodStillMs) startAgain();
    else if (plan.dueAtMs - nowMs() < 1) probe();
    else wait();
  }

  function startAgain(): void {
    plan = startBurst(nowMs());
    clock.doubtPast(plan.dueAtMs);
    probe();
  }

  probe();
  return {
    burst: () => {
      if (!isStopped) startAgain();
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
  /** Answers since the burst. */
  readonly answered: number;
  /** The pause before the next probe, once there is an answer to the last. */
  readonly spacingMs: number;
}

export function startBurst(nowMs: number): ProbePlan {
  return { burstLeft: probeBurstCount, dueAtMs: nowMs, answered: 0, spacingMs: probeUnsureSpacingMs };
}

/**
 * The plan after the probe sent at `nowMs`. A probe sent much later than due means that the device slept: a new burst
 * starts.
 */
export function afterProbe(plan: ProbePlan, nowMs: number): ProbePlan {
  const current = nowMs - plan.dueAtMs > probeSleepMs ? startBurst(nowMs) : plan;
  const burstLeft = Math.max(0, current.burstLeft - 1);
  // Uneven spacing keeps a burst out of phase with periodic traffic, such as a radio's beacon.
  const pauseMs =
    burstLeft > 0 ? probeBurstSpacingMs * (1 + (burstLeft % 3) / 2) : Math.min(current.spacingMs, probeUnansweredMs);
  return { ...current, burstLeft, dueAtMs: nowMs + pauseMs };
}

/** The plan once the newest probe was answered, which moved the estimate by `movedMs`. */
export function afterAnswer(plan: ProbePlan, sentAtMs: number, movedMs: number): ProbePlan {
  if (plan.burstLeft > 0) return plan;
  const answered = plan.answered + 1;
  const isSettled = answered >= probesUntilSettled && movedMs <= clockMovedMs;
  const spacingMs = isSettled ? Math.min(plan.spacingMs * 2, probeSettledSpacingMs) : probeUnsureSpacingMs;
  return { ...plan, answered, spacingMs, dueAtMs: sentAtMs + spacingMs };
}

/**
 * `setTimeout` in a browser, virtual time in the simulation. Runs `task` once after `delayMs`; returns the cancel
 * function.
 */
export type Schedule = (task: () => void, delayMs: number) => () => void;
