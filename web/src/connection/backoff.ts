/**
 * How long to wait before the next attempt: exponential with full jitter, so that ten thousand tabs that lost the same
 * server do not come back in step (AWS Architecture Blog, "Exponential Backoff and Jitter").
 */

const firstWindowMs = 500;
const lastWindowMs = 30_000;

/**
 * Milliseconds before attempt number `attempt` (from 1): anywhere in a window that doubles from 0.5 s up to 30 s.
 * `random` answers a number from 0 up to 1; `atLeastMs` is what the server asked for.
 */
export function backoffMs(attempt: number, random: () => number, atLeastMs = 0): number {
  const windowMs = Math.min(lastWindowMs, firstWindowMs * 2 ** (attempt - 1));
  return Math.round(atLeastMs + random() * windowMs);
}
