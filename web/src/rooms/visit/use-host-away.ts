/** Whether the host has been away for long enough to say so: five seconds of server time (HOST-10). */
import { limits } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import type { ClockSync } from '../../playback/clock-sync.ts';

/** `hostAwaySince` is server time in milliseconds, null while the host is here. */
export function useHostAway(hostAwaySince: number | null, clockSync: ClockSync): boolean {
  const [saidSince, setSaidSince] = useState<number | null>(null);
  useEffect(() => {
    if (hostAwaySince === null) return undefined;
    const serverMs = clockSync.serverNow();
    const awayMs = Number.isNaN(serverMs) ? 0 : serverMs - hostAwaySince;
    const timer = setTimeout(() => setSaidSince(hostAwaySince), Math.max(0, limits.hostAwayBannerMs - awayMs));
    return () => clearTimeout(timer);
  }, [hostAwaySince, clockSync]);
  return hostAwaySince !== null && saidSince === hostAwaySince;
}
