/** Repeats an idempotent request until there is an answer. */
import type { Result } from '@tunemate/protocol';
import type { Readable } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';
import type { ConnectionStatus } from './port.ts';

/** The result of a request without an answer. */
export const unavailable = { ok: false, error: { code: 'server/unavailable' } } as const;

const patienceMs = 10_000;

/** How long a person waits for a lost connection: what they pressed then counts as failed, and does not go out later. */
export const patience = () => ({ signal: AbortSignal.timeout(patienceMs) });

interface RetryParts {
  readonly status: Readable<ConnectionStatus>;
  readonly isOpen: Readable<boolean>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Opens a new connection when requests can be sent but fail, so that the status shows the failure. */
  readonly reconnect: () => void;
  readonly signal?: AbortSignal;
}

/** A server that lost one database connection answers the next request; two failures mean that the database is down. */
const failuresToGiveUp = 2;

/** Returns the first final result. A refused session is final; a closed connection is not: it waits for a start. */
export async function retryUntilAnswered<Value>(
  parts: RetryParts,
  ask: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  let failuresHere = 0;
  for (let attempt = 1; ; attempt += 1) {
    const settled = await settledStatus(parts);
    if (parts.signal?.aborted) return unavailable;
    if (settled.status === 'refused') return { ok: false, error: { code: settled.code } };
    if (settled.status === 'outdated') return { ok: false, error: { code: 'client/outdated' } };
    const result = await ask();
    if (result.ok || (result.error.code !== 'server/unavailable' && result.error.code !== 'server/busy')) return result;
    failuresHere = parts.isOpen.get() && result.error.code === 'server/unavailable' ? failuresHere + 1 : 0;
    if (failuresHere === failuresToGiveUp) {
      failuresHere = 0;
      parts.reconnect();
    } else if (parts.isOpen.get()) {
      await pause(parts, backoffMs(attempt, parts.random, result.error.retryAfterMs));
    }
  }
}

/** The first status in which a request can be sent or is refused for good; the current one when `signal` aborts. */
function settledStatus({ status, isOpen, signal }: RetryParts): Promise<ConnectionStatus> {
  return new Promise((resolve) => {
    const stops = [status.subscribe(look), isOpen.subscribe(look)];
    function look(): void {
      const now = status.get();
      const isSettled = isOpen.get() || now.status === 'refused' || now.status === 'outdated';
      if (!isSettled && !signal?.aborted) return;
      for (const stop of stops) stop();
      signal?.removeEventListener('abort', look);
      resolve(now);
    }
    signal?.addEventListener('abort', look);
    look();
  });
}

function pause({ clock, signal }: RetryParts, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(done, waitMs);
    function done(): void {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}

const firstWindowMs = 500;
/** So that all are back within ten seconds when the server is, however long it was away. */
const lastWindowMs = 8000;

/**
 * Milliseconds before attempt number `attempt` (from 1): a random time within a window that doubles from 0.5 s to 8 s,
 * so that thousands of tabs don't reconnect at once (AWS Architecture Blog, "Exponential Backoff and Jitter").
 * `random` returns a number from 0 up to 1; `atLeastMs` is the wait that the server requires.
 */
export function backoffMs(attempt: number, random: () => number, atLeastMs = 0): number {
  const windowMs = Math.min(lastWindowMs, firstWindowMs * 2 ** (attempt - 1));
  return Math.round(atLeastMs + random() * windowMs);
}
