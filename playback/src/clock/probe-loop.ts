/**
 * Keeps a clock estimate fresh: sends probes when the plan says so and feeds the answers to the estimator.
 * The socket, the timer and the local clock arrive as arguments; the loop owns nothing but the order of things.
 */
import type { ClockOffset } from './clock-offset.ts';
import { afterProbe, startBurst } from './probe-plan.ts';
import type { Schedule } from '../follow/schedule.ts';

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
