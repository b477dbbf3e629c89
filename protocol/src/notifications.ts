/** Notifications, the newest 20 of a person; `noticeKinds` says which there are. */
import { z } from 'zod';
import { clientId, roomCode, uid } from './wire/fields.ts';
import { noticeTypes } from './notification-kinds.ts';
import { request } from './wire/request.ts';
import { roomKind } from './wire/room-kind.ts';

export const notification = z.strictObject({
  id: z.string(),
  type: z.enum(noticeTypes),
  /** In English, for exports; pages compose their own. */
  message: z.string(),
  senderName: z.string(),
  senderUid: uid,
  timestamp: z.number(),
  isRead: z.boolean(),
  /** The room the inviter was in, so that one tap leads there; the one that its host is away from; or the one where two met. */
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
  /** To the room that is named, which the caller must be in; else to the one they are in, if any. */
  'notifications/invite': request({
    may: 'invite a tunemate or their soulmate to a room that they are in',
    needs: { person: 'known' },
    limit: 'invite',
    payload: z.strictObject({ clientId, uid, room: z.strictObject({ kind: roomKind, code: roomCode }).optional() }),
    value: z.strictObject({}),
  }),
  'notifications/dismiss': request({
    may: 'dismiss their own notification',
    limit: 'general',
    payload: z.strictObject({ id }),
    value: z.strictObject({}),
  }),
  'notifications/markRead': request({
    may: 'mark their own notifications as read',
    limit: 'general',
    payload: z.strictObject({}),
    value: z.strictObject({}),
  }),
} as const;
