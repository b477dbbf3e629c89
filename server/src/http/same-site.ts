/**
 * Prevents cross-site request forgery: a request that may change something must come from one of our own pages, as the
 * browser states by `Sec-Fetch-Site` or `Origin`. A request with neither header is refused too.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Origins } from './origins.ts';

/** True for a request from one of our pages or from the address bar. */
export function isFromOwnPage(headers: IncomingHttpHeaders, origins: Pick<Origins, 'isOwn'>): boolean {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin !== undefined) return origins.isOwn(origin);
  return site !== undefined;
}
