/**
 * Whose address a request comes from. `X-Forwarded-For` is believed only with TRUST_PROXY, and then only its last entry:
 * the one that our own proxy wrote. Anything before it was written by the visitor.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export interface Addresses {
  of: (request: IncomingMessage) => string;
  /** From this very machine, with no proxy in between. */
  isLocal: (request: IncomingMessage) => boolean;
}

export function createAddresses(trustProxy: boolean): Addresses {
  function of(request: IncomingMessage): string {
    const peer = plain(request.socket.remoteAddress ?? '');
    if (!trustProxy) return peer;
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1)?.trim() ?? '';
    return isIP(forwarded) ? plain(forwarded) : peer;
  }
  return {
    of,
    isLocal(request) {
      const { headers } = request;
      const isForwarded = Boolean(headers['x-forwarded-for'] ?? headers['forwarded'] ?? headers['x-real-ip']);
      if (isForwarded && !trustProxy) return false;
      const address = of(request);
      return isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
    },
  };
}

/** IPv4 in IPv6 clothes becomes IPv4 again. */
export const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** What limits count as one visitor: an IPv4 address, or the /64 network that one IPv6 subscriber owns. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::') ? Array.from({ length: 8 - first.length - last.length }, () => '0') : [];
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
