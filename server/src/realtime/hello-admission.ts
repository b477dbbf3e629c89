/**
 * Admits hellos a few at a time, so that a crowd that comes back after a restart is served in order instead of all at
 * once and by nobody in time. The server tells the rest when to come again, by how long hellos take now.
 */
import type { Result } from '@tunemate/protocol';
import { accept, refuse } from '../system/ports.ts';

/** As many as fill the batches of presence; with more each only waits longer. */
const atOnce = 64;
/** Served within a second or two on a slow machine, which is before a page gives up. */
const mostWaiting = 1000;
const leastRetryMs = 1000;
const mostRetryMs = 20_000;
/** How much the latest hello counts in the usual time between two of them. */
const weight = 0.05;

export type HelloAdmission = ReturnType<typeof helloAdmission>;

export function helloAdmission(nowMs: () => number = () => performance.now(), most = { atOnce, mostWaiting }) {
  const waiting: (() => void)[] = [];
  let inside = 0;
  /** When the last of the refused ones was asked to come again. */
  let lastTurnMs = 0;
  let msPerHello = 1;
  let lastEndMs = nowMs();

  function leave(): void {
    const endMs = nowMs();
    // Between two crowds nothing is to be learned.
    if (waiting.length > 0) msPerHello += weight * (endMs - lastEndMs - msPerHello);
    lastEndMs = endMs;
    const next = waiting.shift();
    if (next) next();
    else inside -= 1;
  }

  return {
    /** Answers what gives the place back, or server/busy with the time to wait. */
    async enter(): Promise<Result<() => void>> {
      if (inside < most.atOnce) {
        inside += 1;
        return accept(leave);
      }
      if (waiting.length >= most.mostWaiting) {
        const now = nowMs();
        // Behind those that wait and those that were refused before. Turns that have passed no longer count.
        const turnMs = Math.max(lastTurnMs, now + waiting.length * msPerHello) + msPerHello;
        lastTurnMs = Math.min(turnMs, now + mostRetryMs);
        const retryAfterMs = Math.round(Math.min(mostRetryMs, Math.max(leastRetryMs, turnMs - now)));
        return refuse('server/busy', { retryAfterMs });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
      return accept(leave);
    },
  };
}
