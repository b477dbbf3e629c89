/**
 * The round-trip times of this process's connections, as their tabs measure them with clock probes. Stored with the
 * connection, so that every process knows the longest of a room, and only when the change matters. A tab that reports
 * too much can delay the host's commands by 1 s at most, which it could as well by answering late.
 */
import { isNewRoundTrip, maxLeadMs } from '@tunemate/playback';
import type { Clock, Log } from '../ports.ts';

/** The figure of one tab is stored at most this often. */
const spacingMs = 1000;
/** Stored again after this long in any case: the row may have been inserted again without it. */
const renewMs = 5 * 60_000;

export interface RoundTripsDeps {
  clock: Clock;
  log: Log;
  save: (measured: { connectionId: string; roundTripMs: number }) => Promise<void>;
}

export function roundTrips({ clock, log, save }: RoundTripsDeps) {
  const known = new Map<string, { roundTripMs: number; atMs: number }>();

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
      save({ connectionId, roundTripMs }).catch((error: unknown) => {
        known.delete(connectionId);
        log.warn({ err: error }, 'playback.round-trip-not-stored');
      });
    },
    /** Called when the connection has ended. */
    forget(connectionId: string): void {
      known.delete(connectionId);
    },
  };
}
export type RoundTrips = ReturnType<typeof roundTrips>;
