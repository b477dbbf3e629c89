/**
 * Requests over the current link: each gets exactly one result. A lost link and an answer that does not come in time
 * are server/unavailable. Knows no message by name.
 */
import type { RequestName, Result } from '@tunemate/protocol';
import type { Clock, Link } from './ports.ts';

const defaultTimeoutMs = 10_000;

export const unavailable = { ok: false, error: { code: 'server/unavailable' } } as const;

export interface Requests {
  /** Sends at once on the current link. */
  send(name: RequestName, payload: unknown, timeoutMs?: number): Promise<Result<unknown>>;
  useLink(link: Link | null): void;
}

export function createRequests(clock: Clock): Requests {
  let link: Link | null = null;
  const giveUpOnes = new Set<() => void>();

  return {
    send(name, payload, timeoutMs = defaultTimeoutMs) {
      const current = link;
      if (current === null) return Promise.resolve(unavailable);
      return new Promise((resolve) => {
        const settle = (result: Result<unknown>): void => {
          giveUpOnes.delete(giveUp);
          cancelTimer();
          resolve(result);
        };
        const giveUp = (): void => settle(unavailable);
        const cancelTimer = clock.schedule(giveUp, timeoutMs);
        giveUpOnes.add(giveUp);
        current.send(name, payload, settle);
      });
    },
    useLink(next) {
      link = next;
      for (const giveUp of Array.from(giveUpOnes)) giveUp();
    },
  };
}
