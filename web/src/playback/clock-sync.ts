/**
 * Keeps this tab's estimate of the server's clock fresh while a room is open or about to be entered. The engine plans
 * the probes, which travel over the page's one connection. Bursts after anything that may have changed the clock or the
 * route.
 */
import { ClockOffset, startProbeLoop, type Schedule } from '@tunemate/playback';
import type { Connection } from '../connection/port.ts';

export interface ClockSync {
  readonly clock: ClockOffset;
  /** How far this tab's player is ahead of its room; each probe reports it, and one soon after it is known again. */
  driftMs: number | null;
  /** Server time now, in milliseconds since the epoch; NaN before the first answer. */
  serverNow(): number;
  /** The device woke up, or its network changed. */
  burst(): void;
  stop(): void;
}

export interface ClockSyncPorts {
  readonly connection: Connection;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
  /** The time of day, which goes on while the device sleeps. */
  readonly wallMs?: () => number;
  readonly schedule: Schedule;
}

/** The protocol's limit for both values of a probe. */
const mostMs = 60_000;

/** The estimate of each connection. */
const clocks = new WeakMap<Connection, ClockOffset>();

/** Starts probing at once. The estimate outlives reconnects, and the next call for this connection continues it. */
export function startClockSync({ connection, nowMs, schedule, wallMs = nowMs }: ClockSyncPorts): ClockSync {
  const known = clocks.get(connection);
  const clock = known?.isCurrent(nowMs()) === true ? known : new ClockOffset();
  clocks.set(connection, clock);
  let driftMs: number | null = null;
  const loop = startProbeLoop({
    clock,
    nowMs,
    wallMs,
    schedule,
    send: (onAnswer, roundTripMs) => {
      const payload = {
        ...(roundTripMs !== null && { roundTripMs: Math.min(roundTripMs, mostMs) }),
        ...(driftMs !== null && Math.abs(driftMs) <= mostMs && { driftMs }),
      };
      void connection.request('clock/probe', payload).then((result) => {
        if (result.ok) onAnswer(result.value);
      });
    },
  });
  let wasLive = connection.status.get().status === 'live';
  const stopWatching = connection.status.subscribe(() => {
    const isLive = connection.status.get().status === 'live';
    if (isLive && !wasLive) loop.burst();
    wasLive = isLive;
  });
  return {
    clock,
    get driftMs() {
      return driftMs;
    },
    set driftMs(next) {
      const isKnownAgain = driftMs === null && next !== null;
      driftMs = next;
      if (isKnownAgain) loop.soon();
    },
    serverNow: () => clock.serverNow(nowMs()),
    burst: () => loop.burst(),
    stop() {
      stopWatching();
      loop.stop();
    },
  };
}
