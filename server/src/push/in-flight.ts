/**
 * Limits the pushes in flight: in all, to one person, and to one push service. The subscriber chooses the service, so
 * one that never answers must not use up the places of the others.
 */
import { isIP } from 'node:net';

export const mostInFlight = { inAll: 500, perPerson: 10, perService: 100 } as const;

/** All hosts of one registered domain count as one: they cost their owner nothing. */
export function serviceOf(endpoint: string): string {
  const { host, hostname } = new URL(endpoint);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname.split('.').slice(-2).join('.') : host;
}

/** Counts the work that runs under each key, and runs no more than `most` at once. */
export class Places {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** False, without running the work, when no place was free. */
  async hold(key: string, work: () => Promise<void>): Promise<boolean> {
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= this.#most) return false;
    this.#taken.set(key, taken + 1);
    try {
      await work();
    } finally {
      const left = (this.#taken.get(key) ?? 1) - 1;
      if (left > 0) this.#taken.set(key, left);
      else this.#taken.delete(key);
    }
    return true;
  }
}
