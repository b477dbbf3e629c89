/** A slow chat: guests wait between their messages, the host does not. Deleting a message does not shorten the wait. */
import type { SlowSeconds } from '@tunemate/protocol';

/** How long until this person may send a message again; 0 when they may now. */
export function slowWaitMs(facts: {
  slowSeconds: SlowSeconds | null;
  isHost: boolean;
  /** When their last message in this room was sent; null for never. */
  lastAtMs: number | null;
  nowMs: number;
}): number {
  const { slowSeconds, isHost, lastAtMs, nowMs } = facts;
  if (slowSeconds === null || isHost || lastAtMs === null) return 0;
  const wholeMs = slowSeconds * 1000;
  // Sent while the clock was ahead: no guest waits until that time comes.
  if (lastAtMs - nowMs > wholeMs) return 0;
  return Math.min(wholeMs, Math.max(0, lastAtMs + wholeMs - nowMs));
}
