/** The hosts of addresses, and which of them stay on this machine or in a network of the operator's own. */
import { BlockList, isIP } from 'node:net';

/** Where proxies usually run: on this machine, or in a private network beside it. */
export const privateNetworks = [
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
];

/** This machine, a network beside it, or a name that the internet does not have, as of another container. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replaceAll(/[[\]]/gu, '');
  const family = isIP(host);
  if (family === 0) return !host.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa)$/u.test(host);
  const list = new BlockList();
  for (const [network = '', bits = '128'] of privateNetworks.map((each) => each.split('/'))) {
    list.addSubnet(network, Number(bits), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** Of a network as limits count it: an IPv4 address, or the first half of an IPv6 address. */
export const isPrivateNetwork = (network: string): boolean =>
  isPrivateHost(isIP(network) === 0 && network.includes(':') ? `${network}::` : network);

/** A DATABASE_URL for each host of one, which has them with commas between: `postgres://ann@db1,db2:5433/tunemate`. */
export function databaseUrlsOf(databaseUrl: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/su.exec(databaseUrl) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [databaseUrl];
}

interface Addresses {
  DATABASE_URL?: string | undefined;
  REDIS_URL?: string | undefined;
}

/** Settings whose address leads to a public host without TLS. `sslmode=disable` is taken as the operator's word that the way is a private one. */
export function withoutTlsOf({ DATABASE_URL, REDIS_URL }: Addresses): string[] {
  const isPublic = (name: string): boolean => name !== '' && !name.startsWith('/') && !isPrivateHost(name);
  const isOpen = (url: string): boolean => {
    const { searchParams: asked, hostname } = new URL(url);
    // The driver goes where `host` says; a path is a socket of this machine.
    if (!isPublic(asked.get('host') ?? hostname)) return false;
    return !asked.has('sslmode') && !['true', '1'].includes(asked.get('ssl') ?? '');
  };
  return [
    ...(DATABASE_URL !== undefined && databaseUrlsOf(DATABASE_URL).some(isOpen) ? ['DATABASE_URL'] : []),
    ...(REDIS_URL?.startsWith('redis:') === true && isPublic(new URL(REDIS_URL).hostname) ? ['REDIS_URL'] : []),
  ];
}
