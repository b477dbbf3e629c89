/**
 * Reports: a person tells the operator of another person, or of one message of theirs, with a reason. No other person hears of it.
 */
import { z } from 'zod';
import { clientId, namedUid, roomCodeInput } from './wire/fields.ts';
import { limits } from './wire/limits.ts';
import { request } from './wire/request.ts';
import { roomKind } from './wire/room-kind.ts';

/** What is reported of the person: themselves, a message of a room that the caller sits in, or one of their own chat. */
export const reportedThing = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('person') }),
  z.strictObject({
    type: z.literal('roomMessage'),
    kind: roomKind,
    code: roomCodeInput,
    messageId: z.string().max(40),
  }),
  z.strictObject({ type: z.literal('privateMessage'), number: z.number().int().positive() }),
]);
export type ReportedThing = z.infer<typeof reportedThing>;

export const reportRequests = {
  'reports/send': request({
    may: 'report a person to the operator, or a message of theirs that they can read',
    needs: { person: 'known' },
    limit: 'report',
    payload: z.strictObject({
      clientId,
      uid: namedUid,
      about: reportedThing,
      reason: z.string().trim().min(1).max(limits.reportLength),
    }),
    value: z.strictObject({}),
  }),
} as const;
