/**
 * How long the lines of this process's connections are, as their tabs measure it with their clock probes. Written down
 * beside the connection, so that every process knows the longest of a room, and only when it would change something.
 * A tab that claims too much can delay what the host does by 1 s at most, which it could as well by answering late.
 */
import { isNewRoundTrip, maxLeadMs } from '@tunemate/playback';
import type { Clock, Log } from '../ports.ts';

/** A tab whose figures jump about is written down this often at most. */
const spacingMs = 1000;
/** Written again after this long in any case: the row may have been put back without it. */
const renewMs = 5 * 60_000;

export interface RoundTripsDeps {
  clock: Clock;
  log: Log;
  save: (connectionId: string, roundTripMs: number) => Promise<void>;
}

export function roundTrips({ clock, log, save }: RoundTripsDeps) {
  const known = new Map<string, { roundTripMs: number; atMs: number }>();

  return {
    /** Returns at once. */
    note(connectionId: string, measuredMs: number): void {
      // Nothing beyond the longest lead makes a difference.
      const roundTripMs = Math.round(Math.min(measuredMs, maxLeadMs));
      const before = known.get(connectionId) ?? null;
      const nowMs = clock.now();
      const sinceMs = before === null ? renewMs : nowMs - before.atMs;
      const isDue =
        sinceMs >= renewMs || (sinceMs >= spacingMs && isNewRoundTrip(before?.roundTripMs ?? null, roundTripMs));
      if (!isDue) return;
      known.set(connectionId, { roundTripMs, atMs: nowMs });
      save(connectionId, roundTripMs).catch((error: unknown) => {
        known.delete(connectionId);
        log.warn({ err: error }, 'playback.round-trip-not-stored');
      });
    },
    /** The connection is gone. */
    forget(connectionId: string): void {
      known.delete(connectionId);
    },
  };
}
export type RoundTrips = ReturnType<typeof roundTrips>;
