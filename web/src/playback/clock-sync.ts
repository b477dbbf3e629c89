/**
 * Keeps this tab's estimate of the server's clock fresh while a room is open or about to be entered. The engine plans
 * the probes, which travel over the page's one connection. Bursts after anything that may have changed the clock or the
 * route.
 */
import { ClockOffset, startProbeLoop, type Schedule } from '@tunemate/playback';
import { limits } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';

export interface ClockSync {
  readonly clock: ClockOffset;
  /**
   * How far this tab's player is ahead of its room, null where it is not in step, and whether that plays. Each probe reports
   * it, and one soon after it is known again; and when it was not in step since the last probe.
   */
  note(driftMs: number | null, isPlaying: boolean): void;
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
  const missed = missedSpans();
  const loop = startProbeLoop({
    clock,
    nowMs,
    wallMs,
    schedule,
    send: (onAnswer, roundTripMs) => {
      const payload = {
        ...(roundTripMs !== null && { roundTripMs: Math.min(roundTripMs, mostMs) }),
        ...(driftMs !== null && Math.abs(driftMs) <= mostMs && { driftMs }),
        ...missed.since(wallMs()),
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
    note(next, isPlaying) {
      const isKnownAgain = driftMs === null && next !== null;
      driftMs = next;
      missed.note(wallMs(), isPlaying && next === null);
      if (isKnownAgain) loop.soon();
    },
    serverNow: () => clock.serverNow(nowMs()),
    burst: () => loop.burst(),
    stop() {
      stopWatching();
      loop.stop();
      // Else the server would not know until when this room was heard: its connection goes on.
      if (driftMs !== null) void connection.request('clock/probe', missed.since(wallMs()));
    },
  };
}

/** Notes come more often; between two that are further apart the page stood still. */
const stoodStillMs = 5000;

/** When a player was not in step since the last probe, though its room may have played. Times go on while a device sleeps. */
function missedSpans() {
  let spans: [fromMs: number, untilMs: number][] = [];
  let notedMs: number | null = null;
  let sinceMs: number | null = null;
  const end = (atMs: number): void => {
    if (sinceMs !== null) spans.push([sinceMs, atMs]);
    sinceMs = null;
  };
  return {
    note(atMs: number, isMissing: boolean): void {
      if (notedMs !== null && atMs - notedMs > stoodStillMs && sinceMs === null) spans.push([notedMs, atMs]);
      notedMs = atMs;
      if (isMissing) sinceMs ??= atMs;
      else end(atMs);
    },
    /** As a probe carries them, which begins the next ones; nothing where there was none. */
    since(atMs: number): { missed?: [number, number][] } {
      const isMissing = sinceMs !== null;
      end(atMs);
      if (isMissing) sinceMs = atMs;
      const some = spans.slice(-limits.missedSpans);
      spans = [];
      const agos = some.map(([fromMs, untilMs]): [number, number] => [atMs - fromMs, Math.max(0, atMs - untilMs)]);
      return agos.length === 0 ? {} : { missed: agos };
    },
  };
}
