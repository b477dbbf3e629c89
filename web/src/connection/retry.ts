/**
 * Asking again until there is an answer. Only the caller knows that asking twice does no harm.
 */
import type { Result } from '@tunemate/protocol';
import type { Readable } from '../store/cell.ts';
import { backoffMs } from './backoff.ts';
import type { ConnectionStatus } from './port.ts';
import type { Clock } from './ports.ts';
import { unavailable } from './requests.ts';

export interface RetryParts {
  readonly status: Readable<ConnectionStatus>;
  /** Whether the line takes requests. */
  readonly isOpen: Readable<boolean>;
  readonly clock: Clock;
  readonly random: () => number;
  /** The line takes requests and they come to nothing: it is to be opened anew, and people to be told. */
  readonly reconnect: () => void;
  readonly signal?: AbortSignal;
}

/** A server that has just lost a connection to its database answers the next request. One that fails twice has lost more. */
const failuresToGiveUp = 2;

/** Answers the first result that is one. A refused session is an answer too; a closed connection waits to be started. */
export async function retryUntilAnswered<Value>(
  parts: RetryParts,
  ask: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  let failuresHere = 0;
  for (let attempt = 1; ; attempt += 1) {
    const line = await settledStatus(parts);
    if (parts.signal?.aborted) return unavailable;
    if (line.status === 'refused') return { ok: false, error: { code: line.code } };
    if (line.status === 'outdated') return { ok: false, error: { code: 'client/outdated' } };
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

/** The status once it is one that asking can start from, or whatever it is when the signal gives up. */
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
