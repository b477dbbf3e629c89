/**
 * Sends one encrypted message to one push service (RFC 8030, 8291, 8292). Follows no redirect, waits ten seconds at
 * most and reads only the status of the answer.
 */
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { PushNews } from '@tunemate/protocol';
import { lookupPublic, readPushAddress } from './push-address.ts';
import type { Device, KeyPair } from './push-store.ts';

const answerWithinMs = 10_000;
const daySeconds = 24 * 60 * 60;
/** A join request lapses after this time. */
const joinRequestSeconds = 30 * 60;

export interface PushClient {
  readonly publicKey: string;
  /** 'expired': the subscription has ended for good. Throws when the service can't be reached or refuses otherwise. */
  send(device: Device, news: PushNews): Promise<'sent' | 'expired'>;
}

export interface PushClientOptions {
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
