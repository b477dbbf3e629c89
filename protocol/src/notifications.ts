/**
 * Notifications: tunemate invitations ('now-playing') and soulmate requests ('soulmate'); the newest 20.
 */
import { z } from 'zod';
import { clientId, roomCode, uid } from './ids.ts';
import { request } from './request.ts';
import { roomKind } from './room-kind.ts';

export const notification = z.strictObject({
  id: z.string(),
  type: z.enum(['now-playing', 'soulmate']),
  message: z.string(),
  senderName: z.string(),
  senderUid: uid,
  timestamp: z.number(),
  isRead: z.boolean(),
  /** The room the inviter was in, so that one tap leads there (HOME-9). */
  room: z
    .strictObject({
      kind: roomKind,
      code: roomCode,
      name: z.string(),
      /** Until when the invitation lets in by itself; null where the host has to be asked. */
      letsInUntil: z.number().nullable(),
      hasEnded: z.boolean(),
    })
    .nullable(),
});
export type Notification = z.infer<typeof notification>;

export const notificationChange = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('notifications/added'), notification, removed: z.array(z.string()) }),
  z.strictObject({ type: z.literal('notifications/removed'), id: z.string() }),
  z.strictObject({ type: z.literal('notifications/read') }),
  /** The room of earlier invitations has ended. */
  z.strictObject({ type: z.literal('notifications/roomEnded'), kind: roomKind, code: roomCode }),
]);

const id = z.string().max(40);
export const notificationRequests = {
  'notifications/invite': request(z.strictObject({ clientId, uid }), z.strictObject({})),
  'notifications/dismiss': request(z.strictObject({ id }), z.strictObject({})),
  'notifications/markRead': request(z.strictObject({}), z.strictObject({})),
} as const;
