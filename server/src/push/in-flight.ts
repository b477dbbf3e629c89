/**
 * Limits the pushes in flight: in all, to one person, and to one push service. The subscriber chooses the service, so
 * one that never answers must not use up the slots of the others.
 */
import { isIP } from 'node:net';

export const slotsOfPeople = { perKey: 10, inAll: 500 };
export const slotsOfServices = { perKey: 100 };

/** All hosts of one registered domain count as one: they cost their owner nothing. */
export function serviceOf(endpoint: string): string {
  const { host, hostname } = new URL(endpoint);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname.split('.').slice(-2).join('.') : host;
}
