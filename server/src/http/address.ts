/**
 * Where a request comes from: the visitor's address, and the origins that this installation accepts as its own. Origins
 * come from the settings and from the machine, never from a request. Headers that name another address than the peer's
 * are trusted only from the proxies in TRUST_PROXY, and of `X-Forwarded-For` only the last entry, which our own proxy
 * wrote. Anything before it comes from the visitor.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import type { Log } from '../system/ports.ts';

export type Addresses = ReturnType<typeof createAddresses>;

type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

interface AddressesDeps {
  /** Addresses and networks of the proxies in front (TRUST_PROXY). */
  trustProxy: readonly string[];
  publicUrl: () => string;
  log: Log;
}

const loopback = rangesOf(['127.0.0.0/8', '::1']);

export function createAddresses({ trustProxy, publicUrl, log }: AddressesDeps) {
  const proxies = rangesOf(trustProxy);
  let hasWarned = false;

  /** Behind an unknown proxy all visitors count as one; this is logged once. */
  function warnOnce(peer: string): void {
    if (hasWarned) return;
    hasWarned = true;
    const advice =
      'if a proxy of yours stands in front, set TRUST_PROXY to true (loopback and private addresses) or to its address, ' +
      'and let it set X-Forwarded-For; until then all its visitors share one limit';
    log.warn({ peer, advice }, 'request.forwarded-by-unknown');
  }

  function of(request: IncomingMessage): string {
    const peer = peerOf(request.socket);
    if (!isForwarded(request)) return peer;
    if (!isIn(proxies, peer)) {
      warnOnce(peer);
      return peer;
    }
    const entries = [request.headers['x-forwarded-for'] ?? []].flat().join(',');
    const last = entries.slice(entries.lastIndexOf(',') + 1).trim();
    return isIP(last) ? plain(last) : peer;
  }

  function isLocal(request: IncomingMessage): boolean {
    const peer = peerOf(request.socket);
    const isDirect = !isForwarded(request) || isIn(proxies, peer);
    const hosts = [`http://${request.headers.host ?? ''}`, publicUrl()];
    return isDirect && [peer, of(request)].every((each) => isIn(loopback, each)) && hosts.every(namesLoopback);
  }

  return {
    of,
    networkOf: (request: IncomingMessage) => networkOf(of(request)),
    /**
     * True for a request from this machine, through a proxy of this machine at most: one elsewhere speaks of its own
     * machine, and TRUST_PROXY=true takes every neighbour for a proxy. Never true under a foreign name that resolves to
     * 127.0.0.1 (DNS rebinding), or where the server is reachable from other machines.
     */
    isLocal,
    /**
     * True for a page that a person opened on this machine itself, with no proxy between: it may show mails and make the
     * first operator. Proxies betray themselves by their headers, or by the HTTP/1.0 that some speak by default.
     */
    isFromThisMachine: (request: IncomingMessage) =>
      isLocal(request) &&
      request.httpVersion !== '1.0' &&
      !proxyHeaders.some((name) => request.headers[name] !== undefined) &&
      namesLoopback(request.headers.origin ?? 'http://localhost'),
  };
}

/** True when the request has a forwarding header, from a proxy or from a client that pretends to be one. */
function isForwarded({ headers }: IncomingMessage): boolean {
  return Boolean(headers['x-forwarded-for'] ?? headers['forwarded'] ?? headers['x-real-ip']);
}

/** What proxies and tunnels add to a request; no browser does. */
const proxyHeaders = [
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-forwarded-server'],
  ...['forwarded', 'x-real-ip', 'via', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip'],
];

/** `10.0.0.0/8`, or one address. */
function rangesOf(networks: readonly string[]): readonly AddressRange[] {
  return networks.map((network) => {
    if (network.includes('/')) return ipaddr.parseCIDR(network);
    const address = ipaddr.parse(network);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
}

function isIn(ranges: readonly AddressRange[], text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}

/** True for a server address that only this machine can reach. */
function namesLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || isIn(loopback, host);
}

/** The peer's address; empty once the connection is closed. */
export const peerOf = ({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string => plain(remoteAddress ?? '');

/** Unwraps IPv4-mapped IPv6 addresses (::ffff:a.b.c.d). */
const plain = (address: string): string => (isIP(address) === 0 ? '' : ipaddr.process(address).toString());

/** What limits count as one visitor: an IPv4 address, or the /64 network that one IPv6 subscriber owns. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return groups.map((group) => group.toString(16)).join(':');
}

export type Origins = ReturnType<typeof createOrigins>;

/** An origin for links, and the interface that has its address. */
export interface LinkChoice {
  origin: string;
  of: string;
  /** Whether a page elsewhere was last opened with it. */
  isOpened: boolean;
}

const everyAddress = new Set(['0.0.0.0', '::']);

/** An address of this machine, and the network interface that has it. */
export interface NetworkAddress {
  address: string;
  of: string;
}

/** IPv4 addresses that other devices of the network can reach this machine by. */
function networkAddresses(): NetworkAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([of, found = []]) =>
    found.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => ({ address, of })),
  );
}

/** Private networks, such as those of houses and flats. */
const privateNetworks = rangesOf(['192.168.0.0/16', '10.0.0.0/8', '172.16.0.0/12']);
/** Of containers, machines inside this one, and tunnels: friends are seldom there. */
const innerInterface = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|podman|cni|flannel|lxc|tun|tap|utun|wg|zt|tailscale)/;

/** 0 for an address that friends in the same house most likely reach. */
const distanceOf = ({ address, of }: NetworkAddress): number =>
  Number(innerInterface.test(of)) * 2 + Number(!isIn(privateNetworks, address));

/** `addressesOf` is called each time, because a laptop changes its network while the server runs. */
export function createOrigins(
  config: Pick<Config, 'publicUrl' | 'isPublicUrlGiven' | 'host'>,
  addressesOf: () => readonly NetworkAddress[] = networkAddresses,
) {
  let publicUrl = config.publicUrl;
  const namedAs = (host: string): string => publicUrl.replace('localhost', host);
  /** The fixed origins: PUBLIC_URL, and without that setting also the loopback names of this machine. */
  const all = (): readonly string[] =>
    config.isPublicUrlGiven ? [publicUrl] : [publicUrl, namedAs('127.0.0.1'), namedAs('[::1]')];
  /** What to open on another device of this network; empty when PUBLIC_URL is set or only the loopback is served. */
  const onNetwork = (): readonly string[] => choices().map(({ origin }) => origin);
  /** The origin that a page elsewhere was last opened at. */
  let openedAt: string | null = null;

  /** Of the machine alone, never of a request: a request only says which of them it was sent to. */
  function choices(): LinkChoice[] {
    if (config.isPublicUrlGiven || !everyAddress.has(config.host)) return [];
    const all = addressesOf().toSorted((one, other) => distanceOf(one) - distanceOf(other));
    const named = all.map(({ address, of }) => ({
      origin: namedAs(address),
      of,
      isOpened: namedAs(address) === openedAt,
    }));
    return named.toSorted((one, other) => Number(other.isOpened) - Number(one.isOpened));
  }

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
    /** What links for other people begin with: an address that they reach, where this machine has one. */
    linkUrl: () => choices()[0]?.origin ?? publicUrl,
    /** The addresses that links can have, the best first; none where PUBLIC_URL is set. */
    choices,
    /** Another machine opened a page under this name. */
    noteOpened(host: string | undefined, peer: string) {
      const origin = `http://${host ?? ''}`;
      if (origin === openedAt || isIn(loopback, peer)) return;
      const own = onNetwork();
      // A browser of this machine that goes the long way round says nothing about friends.
      if (own.includes(origin) && !own.includes(namedAs(peer))) openedAt = origin;
    },
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
