/**
 * What counts as one network: an IPv4 address, or the /64 of an IPv6 address. One customer may own a /56 or a /48, so
 * these count as well. Everything that counts by address does it by these functions.
 */
import { Tally } from './tally.ts';

/** An IPv6 /64 as `networkOf` of `http/address` writes it, alone or before what else makes up a key. */
const ipv6Network = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):([0-9a-f]{1,4})(\|.*)?$/s;
/** Several visitors live in them. */
const sharesOf56 = 4;
const sharesOf48 = 16;

/** The keys that a key counts under, each with how many times the bound of one network it has. */
export function countedKeys(key: string): readonly (readonly [key: string, shares: number])[] {
  const [, prefix = '', subnet = '', rest = ''] = ipv6Network.exec(key) ?? [];
  if (prefix === '') return [[key, 1]];
  const upper = (Number.parseInt(subnet, 16) >> 8).toString(16);
  return [
    [key, 1],
    [`${prefix}:${upper}/56${rest}`, sharesOf56],
    [`${prefix}/48${rest}`, sharesOf48],
  ];
}

/** The /48 around an IPv6 network, for what one customer gets one share of; any other network is its own. */
export function customerOf(network: string): string {
  const prefix = ipv6Network.exec(network)?.[1];
  return prefix === undefined ? network : `${prefix}/48`;
}

/** Counts what is open of each network, towards a bound of `most` that the wider networks have several times. */
export function openPerNetwork(most: number) {
  const open = new Tally<string>();
  return {
    isFull: (network: string): boolean =>
      countedKeys(network).some(([key, shares]) => open.of(key) >= Math.max(1, most) * shares),
    /** Returns the function that ends it. */
    add(network: string): () => void {
      const keys = countedKeys(network).map(([key]) => key);
      keys.forEach((key) => open.add(key));
      return () => keys.forEach((key) => open.remove(key));
    },
  };
}
