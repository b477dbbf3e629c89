/**
 * Sends one encrypted message to one push service (RFC 8030, 8291, 8292). Follows no redirect, waits ten seconds at
 * most and reads only the status of the answer.
 */
import { createHash } from 'node:crypto';
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { PushNews, Uid } from '@tunemate/protocol';

export interface KeyPair {
  publicKey: string;
  privateKey: string;
}

export interface Device {
  endpoint: string;
  uid: Uid;
  p256dh: string;
  auth: string;
  /** The session that subscribed; the subscription ends with it. */
  sessionId: string;
}

const answerWithinMs = 10_000;
const daySeconds = 24 * 60 * 60;
/** A join request lapses after this time. */
const joinRequestSeconds = 30 * 60;

export interface PushClient {
  readonly publicKey: string;
  /** 'expired': the subscription has ended for good. Throws when the service can't be reached or refuses otherwise. */
  send(device: Device, news: PushNews): Promise<'sent' | 'expired'>;
}

interface PushClientOptions {
  keys: KeyPair;
  /** The contact that push services are given: an https origin or a mailto address. */
  contact: () => string;
  /** Tests only: plain http to this machine. */
  allowLoopback: boolean;
}

export function pushClient({ keys, contact, allowLoopback }: PushClientOptions): PushClient {
  return {
    publicKey: keys.publicKey,
    async send({ endpoint, p256dh, auth }, news) {
      const url = readPushAddress(endpoint, allowLoopback);
      if (!url) return 'expired';
      // Read when somebody is pushed to, and not at every start.
      const { default: webPush } = await import('web-push');
      const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(news), {
        vapidDetails: { subject: contact(), ...keys },
        TTL: news.type === 'joinRequest' ? joinRequestSeconds : daySeconds,
        contentEncoding: 'aes128gcm',
        urgency: 'high',
        topic: topicOf(news),
      });
      const status = await post(url, details.headers, details.body);
      if (status === 404 || status === 410) return 'expired';
      if (status < 200 || status > 299) throw new Error(`the push service answered ${String(status)}`);
      return 'sent';
    },
  };
}

/** Of several unseen messages of one kind by one person a push service keeps the last. */
function topicOf({ type, uid }: PushNews): string {
  return createHash('sha256').update(`${type} ${uid}`).digest('base64url').slice(0, 32);
}

function post(url: URL, headers: Record<string, unknown>, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: headers as Record<string, string>,
      signal: AbortSignal.timeout(answerWithinMs),
    };
    const outgoing =
      url.protocol === 'http:' ? httpRequest(url, options) : httpsRequest(url, { ...options, lookup: lookupPublic });
    outgoing.on('error', reject);
    outgoing.once('response', (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    outgoing.end(body);
  });
}

/*
 * The subscriber chooses the address of a push, so it must never lead into our own network: https only, and no private
 * address, neither literally nor by the name's resolution when connecting.
 */
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
