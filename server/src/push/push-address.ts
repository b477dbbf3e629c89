/**
 * Decides which addresses a push may be sent to. The subscriber chooses the address, so it must never lead into our own
 * network: https only, and no private address, neither literally nor by the name's resolution when connecting.
 */
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

const inside = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(network, bits, 'ipv4');
}

const outside = new BlockList();
outside.addSubnet('2000::', 3, 'ipv6');
const wrapping = new BlockList();
// Transition addresses contain an IPv4 address; documentation addresses are never assigned.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  wrapping.addSubnet(network, bits, 'ipv6');
}

/** True for an IP address that anyone on the internet could reach. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !inside.check(address, 'ipv4');
  return family === 6 && outside.check(address, 'ipv6') && !wrapping.check(address, 'ipv6');
}

const isLoopback = (host: string): boolean => host === '127.0.0.1' || host === 'localhost';

/** The address if its text allows a push to it, else null. */
export function readPushAddress(text: string, allowLoopback: boolean): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.username !== '' || url.password !== '') return null;
  if (allowLoopback && url.protocol === 'http:' && isLoopback(url.hostname)) return url;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))) return null;
  return isLoopback(host) || host.endsWith('.localhost') ? null : url;
}

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** Resolves a name for a connection; fails when any of its addresses is not public. */
export function lookupPublic(host: string, options: LookupOptions, found: Found): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error) found(error, '');
    else if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
      found(new Error(`${host} resolves to a private network`), '');
    } else if (options.all) found(null, addresses);
    else found(null, first.address, first.family);
  });
}
