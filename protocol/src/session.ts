/**
 * The session of a socket: the first request of every connection, and the snapshot of one's own stream.
 */
import { z } from 'zod';
import { userDocument } from './accounts.ts';
import { tabId, uid } from './wire/fields.ts';
import { hearing, hearingAudience } from './presence.ts';
import { notification } from './notifications.ts';
import { request } from './wire/request.ts';
import { askedSoulmate, soulmateCard } from './soulmate.ts';
import { tunemate } from './tunemates.ts';

/** Everything the home screen and the sidebar need, as of `seq` of the person's own stream. */
export const userSnapshot = z.strictObject({
  seq: z.number().int().nonnegative(),
  user: userDocument,
  soulmate: soulmateCard.nullable(),
  /** The user's soulmate requests that wait, newest first. */
  asked: z.array(askedSoulmate),
  tunemates: z.array(tunemate),
  /** What those of them hear, or heard within a day, who show it; absent for none. */
  hears: z.array(hearing).optional(),
  notifications: z.array(notification),
  unreadChats: z.number().int().nonnegative(),
  /** How many chats have unread words or reactions of people whom the user knows, and are not archived; absent for none. */
  chatsWaiting: z.number().int().positive().optional(),
  serverNowMs: z.number(),
});
export type UserSnapshot = z.infer<typeof userSnapshot>;

export const ownAccountChange = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('accounts/changed'),
    name: z.string(),
    readReceipts: z.boolean(),
    /** Absent in changes of older versions. */
    linkPreviews: z.boolean().optional(),
    hearingShownTo: hearingAudience.optional(),
  }),
  /** These sessions have ended; the server closes their connections. */
  z.strictObject({ type: z.literal('accounts/sessionsEnded'), sessionIds: z.array(z.string()) }),
  /** Newer ones of this person took the places of these connections; the server closes them. */
  z.strictObject({ type: z.literal('session/letGo'), connectionIds: z.array(z.string()) }),
]);

export const sessionRequests = {
  /**
   * Must come first and within 5 s. Refused with client/outdated when the server has another protocol version, and with
   * auth/required when the page belongs to another person (`uid`) than the session, with all that was sent behind it.
   */
  'session/hello': request({
    may: 'open the session of a connection, first and within 5 s',
    limit: 'general',
    payload: z.strictObject({ protocolVersion: z.number().int(), tabId, uid: uid.optional() }),
    value: userSnapshot,
  }),
} as const;
