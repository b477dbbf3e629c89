/**
 * Tunemates and audioConnections: two capped lists with the same rules, shown together.
 */
import { z } from 'zod';
import { uid } from './wire/ids.ts';
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

export const tunemateRequests = {
  /** Takes the person out of both lists, on both sides. */
  'tunemates/remove': request({
    needs: { person: 'known' },
    limit: 'general',
    payload: z.strictObject({ uid }),
    value: z.strictObject({}),
  }),
} as const;
