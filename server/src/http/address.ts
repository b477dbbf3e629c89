/**
 * The visitor's address of a request. Headers that name another address than the peer's are trusted only from the
 * proxies in TRUST_PROXY, and of `X-Forwarded-For` only the last entry, which our own proxy wrote. Anything before it
 * comes from the visitor.
 */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
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

  return {
    of,
    networkOf: (request: IncomingMessage) => networkOf(of(request)),
    /**
     * True for a request from this machine without a proxy. Never true under a foreign name that resolves to 127.0.0.1
     * (DNS rebinding), or where the server is reachable from other machines.
     */
    isLocal(request: IncomingMessage) {
      const peer = peerOf(request.socket);
      const isDirect = !isForwarded(request) || isIn(proxies, peer);
      const hosts = [`http://${request.headers.host ?? ''}`, publicUrl()];
      return isDirect && isIn(loopback, of(request)) && hosts.every(namesLoopback);
    },
  };
}

/** True when the request has a forwarding header, from a proxy or from a client that pretends to be one. */
function isForwarded({ headers }: IncomingMessage): boolean {
  return Boolean(headers['x-forwarded-for'] ?? headers['forwarded'] ?? headers['x-real-ip']);
}

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
