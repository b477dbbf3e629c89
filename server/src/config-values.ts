/** What values the settings of `config.ts` take: addresses, folders, names of hosts, numbers. */
import { isIP } from 'node:net';
import { readAddress } from '@tunemate/protocol';
import { z } from 'zod';
import { databaseUrlsOf, isPrivateHost, privateNetworks } from './system/private-hosts.ts';

// Without `abort` the check below would read the protocol of an invalid address and throw.
export const url = (protocols: string[]) =>
  z.url({ abort: true }).refine((value) => protocols.includes(new URL(value).protocol) && /^\w+:\/\//u.test(value));
/**
 * The address under which people open the server. Links are made of its origin, so nothing else of it could be kept.
 */
export const ownAddress = url(['http:', 'https:']).refine((value) => {
  const { pathname, search, hash, username, password, hostname, port: ownPort } = new URL(value);
  const isOrigin =
    pathname === '/' && ownPort !== '0' && [search, hash, username, password].every((part) => part === '');
  const isName = /^(?:[\w-]+\.)*[\w-]+$|^\[[\da-f:.]+\]$/iu.test(hostname);
  return (
    isOrigin && isName && !value.includes('?') && !value.includes('#') && hostname !== '0.0.0.0' && hostname !== '[::]'
  );
});
/** A percent sign that escapes nothing would stop the reader of the password. */
export const canBeUnescaped = (value: string): boolean => !/%(?![\da-f]{2})/iu.test(value);
/** What follows the host is the number of a database. */
export const namesRedis = (value: string): boolean =>
  new URL(value).hostname !== '' && /^\/?\d{0,4}$/u.test(new URL(value).pathname);
/** Secrets have settings of their own: an address is shown and logged. */
export const serverAddress = url(['http:', 'https:']).refine((value) => {
  const { username, password, hash, search } = new URL(value);
  return [username, password, hash, search].every((part) => part === '');
});
/** As a browser's bar shows it: the app of a music server stands behind a `#`. */
export const addressInBar = z.string().refine((value) => serverAddress.safeParse(value.replace(/#.*$/su, '')).success);
/** A bucket, and below it what all names begin with. Pictures of private chats cross no foreign network unencrypted. */
export const bucketAddress = serverAddress.refine((value) => {
  const { protocol, hostname, pathname } = new URL(value);
  const isBucket = /^\/[a-z\d][a-z\d.-]{1,61}[a-z\d](?:\/[\w-][\w.-]{0,100}){0,8}\/*$/u.test(pathname);
  return isBucket && !value.includes('?') && !value.includes('#') && (protocol === 'https:' || isPrivateHost(hostname));
});
/** Part of a header, in which these have a meaning. */
export const storeKey = z.string().regex(/^[^\s/,="'\u{80}-\u{10FFFF}]{3,200}$/u);

/** Nothing expands '~' and '$' here or removes quotes, as a shell does: they would name a folder in the current one. */
export const folder = z
  .string()
  .min(1)
  .refine((path) => !/^[~"']|[$`]|^%\w+%|^\w{2,}:\/\//u.test(path) && path.trim() === path);
export const sender = z.string().refine((typed) => {
  // In a name without quotes these begin something else, such as a group of addresses.
  const [, inBrackets, bare] = /^(?:"[^"<>\r\n]*"\s*|[^"<>:;\r\n]*)<([^<>\s]+)>$|^([^<>\s]+)$/u.exec(typed) ?? [];
  const address = inBrackets ?? bare ?? '';
  return readAddress(address) !== null || address.endsWith('@localhost');
});
export const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isWithin = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
  return maxBits > 0 && isWithin && more.length === 0;
}

export const proxies = flag
  .transform((isTrusted) => (isTrusted ? privateNetworks : []))
  .or(
    z
      .string()
      .transform((list) => list.split(',').map((each) => each.trim()))
      .refine((list) => list.every(isNetwork)),
  );
/** Not what else `Number` takes: blanks are 0 to it, which would switch the limits off. */
export const decimal = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,9})?$/u)
  .transform(Number);
export const port = decimal.pipe(z.number().int().max(65_535));
export const listenAddress = z
  .string()
  .refine((host) => isIP(host) > 0 || /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/iu.test(host));

/** Names alone, which belong to the internet: no addresses, ports, paths, or names of one's own network. */
export const linkHosts = z
  .string()
  .max(4000)
  .transform((list) => list.split(',').map((each) => each.trim().toLowerCase()))
  .refine((list) =>
    list.every(
      (host) =>
        /^(?:[a-z\d][a-z\d-]{0,62}\.){1,10}[a-z][a-z\d-]{0,62}$/u.test(host) &&
        !/(?:^|\.)(?:localhost|local|internal|lan|home|intranet|home\.arpa)$/u.test(host),
    ),
  );

const databaseAddress = url(['postgres:', 'postgresql:'])
  // The driver would wait for ever at a port that is none.
  .refine((value) => port.safeParse(new URL(value).searchParams.get('port') || '0').success);
export const isDatabaseAddress = (value: string): boolean => {
  const urls = databaseUrlsOf(value);
  const isOfHost = (one: string): boolean => urls.length === 1 || new URL(one).hostname !== '';
  return urls.every((one) => databaseAddress.safeParse(one).success && isOfHost(one));
};
