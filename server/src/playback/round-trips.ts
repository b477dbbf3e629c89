/**
 * The round-trip times of this process's connections, as their tabs measure them with clock probes. Stored with the
 * connection, so that every process knows the longest of a room, and only when the change matters. A tab that reports
 * too much can delay the host's commands by 1 s at most, which it could as well by answering late.
 */
import { isNewRoundTrip, maxLeadMs } from '@tunemate/playback';
import type { Clock, Log } from '../system/ports.ts';

/** The figure of one tab is stored at most this often. */
const spacingMs = 1000;
/** What is measured within this time is stored together. */
const gatherMs = 250;
/** Of one statement. */
const mostAtOnce = 200;
/** Stored again after this long in any case: the row may have been inserted again without it. */
const renewMs = 5 * 60_000;

interface RoundTrip {
  connectionId: string;
  roundTripMs: number;
}

export interface RoundTripsDeps {
  clock: Clock;
  log: Log;
  save: (measured: readonly RoundTrip[]) => Promise<void>;
}

export function roundTrips({ clock, log, save }: RoundTripsDeps) {
  const known = new Map<string, { roundTripMs: number; atMs: number }>();
  const waiting: RoundTrip[] = [];
  let timer: NodeJS.Timeout | undefined;

  function saveAll(): void {
    timer = undefined;
    while (waiting.length > 0) saveSome(waiting.splice(0, mostAtOnce));
  }

  function saveSome(measured: readonly RoundTrip[]): void {
    save(measured).catch((error: unknown) => {
      for (const { connectionId } of measured) known.delete(connectionId);
      log.warn({ err: error }, 'playback.round-trip-not-stored');
    });
  }

  return {
    /** Returns at once. */
    note(connectionId: string, measuredMs: number): void {
      // Capped, because a round trip beyond the longest lead makes no difference.
      const roundTripMs = Math.round(Math.min(measuredMs, maxLeadMs));
      const before = known.get(connectionId) ?? null;
      const nowMs = clock.now();
      const sinceMs = before === null ? renewMs : nowMs - before.atMs;
      const isDue =
        sinceMs >= renewMs || (sinceMs >= spacingMs && isNewRoundTrip(before?.roundTripMs ?? null, roundTripMs));
      if (!isDue) return;
      known.set(connectionId, { roundTripMs, atMs: nowMs });
      waiting.push({ connectionId, roundTripMs });
      timer ??= setTimeout(saveAll, gatherMs);
    },
    /** Called when the connection has ended. */
    forget(connectionId: string): void {
      known.delete(connectionId);
    },
    /** Stores nothing more: what was measured ends with its connections. */
    close(): void {
      clearTimeout(timer);
    },
  };
}
export type RoundTrips = ReturnType<typeof roundTrips>;
