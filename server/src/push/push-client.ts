/**
 * Sends one encrypted message to one push service (RFC 8030, 8291, 8292). Follows no redirect, waits ten seconds at
 * most and reads only the status of the answer.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { PushNews, Uid } from '@tunemate/protocol';
import { callOutside, isPublicAddress } from '../system/outside.ts';

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
      const { status } = await callOutside(url, {
        method: 'POST',
        headers: details.headers,
        body: details.body,
        withinMs: answerWithinMs,
        mostBytes: 0,
      });
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

/*
 * The subscriber chooses the address of a push, so it must never lead into our own network: https only, and no private
 * address, neither literally nor by the name's resolution when connecting.
 */
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
