/**
 * Limits the pushes in flight: in all, to one person, and to one push service. The subscriber chooses the service, so
 * one that never answers must not use up the places of the others.
 */
import { isIP } from 'node:net';
import { Tally } from '../tally.ts';

export const mostInFlight = { inAll: 500, perPerson: 10, perService: 100 } as const;

/** All hosts of one registered domain count as one: they cost their owner nothing. */
export function serviceOf(endpoint: string): string {
  const { host, hostname } = new URL(endpoint);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname.split('.').slice(-2).join('.') : host;
}

/** Counts the work that runs under each key, and runs no more than `most` at once. */
export class Places {
  readonly #most: number;
  readonly #taken = new Tally<string>();

  constructor(most: number) {
    this.#most = most;
  }

  /** False, without running the work, when no place was free. */
  async hold(key: string, work: () => Promise<void>): Promise<boolean> {
    if (this.#taken.of(key) >= this.#most) return false;
    this.#taken.add(key);
    try {
      await work();
    } finally {
      this.#taken.remove(key);
    }
    return true;
  }
}
