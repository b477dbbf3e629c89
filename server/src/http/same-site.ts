/**
 * Keeps other sites from acting in a visitor's name: whatever may change something must come from one of our own pages,
 * as the browser itself attests by `Sec-Fetch-Site` or `Origin`. A request that carries neither is refused too.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Origins } from './origins.ts';

/** True for a request that one of our pages, or the person at the address bar, caused. */
export function isFromOwnPage(headers: IncomingHttpHeaders, origins: Pick<Origins, 'isOwn'>): boolean {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin !== undefined) return origins.isOwn(origin);
  return site !== undefined;
}
