/**
 * The origins that this installation accepts, and which requests come from its own pages. Origins come from the
 * settings and from the machine, never from a request.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { Config } from '../config.ts';

export type Origins = ReturnType<typeof createOrigins>;

const everyAddress = new Set(['0.0.0.0', '::']);

/** IPv4 addresses that other devices of the network can reach this machine by. */
function networkAddresses(): string[] {
  const found = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return found.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
}

/** `addressesOf` is called each time, because a laptop changes its network while the server runs. */
export function createOrigins(
  config: Pick<Config, 'publicUrl' | 'isPublicUrlGiven' | 'host'>,
  addressesOf: () => readonly string[] = networkAddresses,
) {
  let publicUrl = config.publicUrl;
  const namedAs = (host: string): string => publicUrl.replace('localhost', host);
  /** The fixed origins: PUBLIC_URL, and without that setting also the loopback names of this machine. */
  const all = (): readonly string[] =>
    config.isPublicUrlGiven ? [publicUrl] : [publicUrl, namedAs('127.0.0.1'), namedAs('[::1]')];
  /** What to open on another device of this network; empty when PUBLIC_URL is set or only the loopback is served. */
  const onNetwork = (): readonly string[] =>
    config.isPublicUrlGiven || !everyAddress.has(config.host) ? [] : addressesOf().map(namedAs);

  return {
    /** Scheme, host and port of links and redirects. */
    publicUrl: () => publicUrl,
    isSecure: () => publicUrl.startsWith('https:'),
    /** False where other ports of the same host are other people's servers. */
    isSecureHost: () => publicUrl.startsWith('https:') && new URL(publicUrl).port === '',
    /** Exact scheme, host and port of a page that may send requests or open sockets. */
    isOwn: (origin: string) => all().includes(origin) || onNetwork().includes(origin),
    all,
    onNetwork,
    /** Without PUBLIC_URL, PORT=0 is known only once the server listens. */
    listensOn(port: number) {
      if (!config.isPublicUrlGiven) publicUrl = new URL(`http://localhost:${String(port)}`).origin;
    },
  };
}

/** True for a request that a page of another site made a browser send; older browsers don't say so. */
export function isFromAnotherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

/**
 * True for a request from one of our pages or from the address bar, by `Sec-Fetch-Site` or `Origin`. Prevents
 * cross-site request forgery; a request with neither header is refused too.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, origins: Pick<Origins, 'isOwn'>): boolean {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin !== undefined) return origins.isOwn(origin);
  return site !== undefined;
}
