/**
 * Tunemates and audioConnections: two capped lists with the same rules, shown together.
 */
import { z } from 'zod';
import { clientId, roomCodeInput, uid } from './wire/fields.ts';
import { presenceRecord } from './presence.ts';
import { request } from './wire/request.ts';
import { roomKind } from './wire/room-kind.ts';

/** One person of the sidebar; `metIn` says on which of the two lists they are. */
export const tunemate = z.strictObject({
  uid,
  name: z.string(),
  metIn: z.array(roomKind),
  presence: presenceRecord,
});
export type Tunemate = z.infer<typeof tunemate>;

export const tunemateChange = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('tunemates/added'), tunemate }),
  z.strictObject({ type: z.literal('tunemates/removed'), uid, metIn: z.array(roomKind) }),
]);

const nothing = z.strictObject({});
const noticeId = z.string().max(40);

export const tunemateRequests = {
  /**
   * Asks a person in the same room to be the caller's tunemate: they accept or decline by the notification. Nothing
   * happens for two who are tunemates, nor where one has blocked the other; where the other has asked too, both are added.
   */
  'tunemates/ask': request({
    may: 'ask another member to be tunemates',
    needs: { room: 'member' },
    limit: 'invite',
    payload: z.strictObject({ kind: roomKind, code: roomCodeInput, clientId, uid }),
    value: nothing,
  }),
  'tunemates/accept': request({
    may: 'accept the request of a tunemate by its notification',
    limit: 'general',
    payload: z.strictObject({ id: noticeId }),
    value: nothing,
  }),
  'tunemates/decline': request({
    may: 'decline the request of a tunemate by its notification',
    limit: 'general',
    payload: z.strictObject({ id: noticeId }),
    value: nothing,
  }),
  /** Takes the person out of both lists, on both sides. */
  'tunemates/remove': request({
    may: 'remove a tunemate, on both sides',
    needs: { person: 'known' },
    limit: 'general',
    payload: z.strictObject({ uid }),
    value: z.strictObject({}),
  }),
} as const;
