/**
 * The far end of web push for tests: a push service on this machine that keeps what it is handed, and devices that read
 * it with the keys of their subscription (RFC 8188, 8291).
 */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { serve } from '../network/serve.ts';

export interface DeviceKeys {
  /** As a browser tells them to a server. */
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** The text of one message. Throws when it was not encrypted for this device. */
  open(body: Buffer): string;
}

export interface HandedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PushServer {
  readonly url: string;
  /** What it answers for a path; 201 where nothing is set. */
  readonly statuses: Map<string, number>;
  /** The body of that answer; empty where nothing is set. */
  readonly reasons: Map<string, string>;
  /** What it was handed for a path, oldest first. */
  at(path: string): HandedMessage[];
  close(): Promise<void>;
}

export function createDeviceKeys(): DeviceKeys {
  const ecdh = createECDH('prime256v1');
  const own = ecdh.generateKeys();
  const auth = randomBytes(16);
  const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, bytes));
  const info = (name: string) => Buffer.from(`Content-Encoding: ${name}\0`);
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    open(body) {
      const salt = body.subarray(0, 16);
      const keyEnd = 21 + (body[20] ?? 0);
      const theirs = body.subarray(21, keyEnd);
      const context = Buffer.concat([Buffer.from('WebPush: info\0'), own, theirs]);
      const secret = derive(ecdh.computeSecret(theirs), auth, context, 32);
      const cipher = createDecipheriv(
        'aes-128-gcm',
        derive(secret, salt, info('aes128gcm'), 16),
        derive(secret, salt, info('nonce'), 12),
      );
      cipher.setAuthTag(body.subarray(-16));
      const plain = Buffer.concat([cipher.update(body.subarray(keyEnd, -16)), cipher.final()]);
      return plain.toString('utf8').replace(/\u0002\0*$/, '');
    },
  };
}

/** `isSilent`: it takes what it is handed and answers nothing until it closes. */
export async function startPushServer({ isSilent = false } = {}): Promise<PushServer> {
  const received: HandedMessage[] = [];
  const statuses = new Map<string, number>();
  const reasons = new Map<string, string>();
  const { url, close } = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      if (!isSilent) response.writeHead(statuses.get(path) ?? 201).end(reasons.get(path));
    });
  });
  return {
    url,
    statuses,
    reasons,
    at: (path) => received.filter((each) => each.path === path),
    close,
  };
}
