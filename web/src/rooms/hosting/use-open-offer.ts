/** The host's offer to hand over as long as it can be answered, by the server's time. */
import { limits, type HandOver } from '@tunemate/protocol';
import { useEffect, useState } from 'react';

export interface OpenOffer extends HandOver {
  /** When it was first seen here. */
  readonly leftMs: number;
}

/** `serverNow` is NaN before the clock is known; then the offer counts as new. */
export function useOpenOffer(handOver: HandOver | null, serverNow: () => number): OpenOffer | null {
  const [seen, setSeen] = useState<OpenOffer | null>(null);
  useEffect(() => {
    if (handOver === null) return undefined;
    const left = handOver.untilMs - serverNow();
    const leftMs = Number.isNaN(left) ? limits.handOverMs : Math.min(limits.handOverMs, left);
    const opens = setTimeout(() => setSeen(leftMs > 0 ? { ...handOver, leftMs } : null), 0);
    const closes = setTimeout(() => setSeen(null), Math.max(0, leftMs));
    return () => {
      clearTimeout(opens);
      clearTimeout(closes);
    };
  }, [handOver, serverNow]);
  return handOver !== null && seen?.untilMs === handOver.untilMs ? seen : null;
}
