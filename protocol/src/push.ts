/**
 * Web push: each device subscribes for itself to be notified while the app is closed.
 */
import { z } from 'zod';
import { pushedNames } from './notification-kinds.ts';
import { uid } from './wire/fields.ts';
import { route } from './wire/request.ts';
import { roomKind } from './wire/room-kind.ts';

const endpoint = z.url().max(1000);
const nothing = z.strictObject({});

/** What a push message holds: the sender and the kind of event, never the text. */
export const pushNews = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('message'), uid, name: z.string() }),
  /** A notification of a kind that is pushed (`noticeKinds`). */
  z.strictObject({
    type: z.enum(pushedNames),
    uid,
    name: z.string(),
    /** The room that it lets into; null where its host is asked first, or where there is none. */
    room: z.strictObject({ kind: roomKind, code: z.string() }).nullable(),
  }),
  z.strictObject({ type: z.literal('joinRequest'), uid, name: z.string(), kind: roomKind, code: z.string() }),
]);
export type PushNews = z.infer<typeof pushNews>;

export const pushRoutes = {
  /** The server's public key, as browsers want it to subscribe. */
  'GET /api/push/key': route({
    may: 'read the public key for push messages',
    session: 'verified',
    limit: 'general',
    payload: nothing,
    value: z.strictObject({ publicKey: z.string() }),
  }),
  /** Subscribes this device, for this session; doing it twice is the same. The browser makes `endpoint` and `keys`. */
  'POST /api/push/subscribe': route({
    may: 'subscribe this device to push messages',
    session: 'verified',
    limit: 'general',
    payload: z.strictObject({
      endpoint,
      keys: z.strictObject({ p256dh: z.string().min(80).max(100), auth: z.string().min(20).max(30) }),
    }),
    value: nothing,
  }),
  'POST /api/push/unsubscribe': route({
    may: 'unsubscribe this device from push messages',
    session: 'verified',
    limit: 'general',
    payload: z.strictObject({ endpoint }),
    value: nothing,
  }),
} as const;
