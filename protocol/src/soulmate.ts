/**
 * Soulmate: at most one, mutual, by a request that the other accepts.
 */
import { z } from 'zod';
import { userCard } from './accounts.ts';
import { clientId, uid } from './wire/fields.ts';
import { presenceRecord } from './presence.ts';
import { request } from './wire/request.ts';

export const soulmateCard = userCard.extend({ presence: presenceRecord });
export type SoulmateCard = z.infer<typeof soulmateCard>;

/** A request that waits for its answer. */
export const askedSoulmate = userCard.extend({ askedAt: z.number() });
export type AskedSoulmate = z.infer<typeof askedSoulmate>;

export const soulmateChange = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('soulmate/changed'), soulmate: soulmateCard.nullable() }),
  /** To who asked: all their requests that wait, newest first. */
  z.strictObject({ type: z.literal('soulmate/asked'), asked: z.array(askedSoulmate) }),
]);

export const soulmateRequests = {
  'soulmate/ask': request({
    may: 'ask a tunemate or a chat partner to be their soulmate, while neither has one',
    needs: { person: 'known' },
    limit: 'soulmate',
    payload: z.strictObject({ clientId, uid }),
    value: z.strictObject({}),
  }),
  /** Accepts or declines by the notification that carried the request. */
  'soulmate/accept': request({
    may: 'accept the request of a soulmate by its notification',
    limit: 'general',
    payload: z.strictObject({ id: z.string().max(40) }),
    value: z.strictObject({ soulmate: soulmateCard }),
  }),
  'soulmate/decline': request({
    may: 'decline the request of a soulmate by its notification',
    limit: 'general',
    payload: z.strictObject({ id: z.string().max(40) }),
    value: z.strictObject({}),
  }),
  /** Takes a request back. Also when there is none any more. */
  'soulmate/takeBack': request({
    may: 'take their own request to be soulmates back',
    needs: { person: 'known' },
    limit: 'general',
    payload: z.strictObject({ uid }),
    value: z.strictObject({}),
  }),
  /** Those of the caller's tunemates who have a soulmate, for choosing among the others. */
  'soulmate/taken': request({
    may: 'read which of their tunemates have a soulmate',
    limit: 'general',
    payload: z.strictObject({}),
    value: z.strictObject({ uids: z.array(uid) }),
  }),
  'soulmate/part': request({
    may: 'part from their soulmate',
    limit: 'general',
    payload: z.strictObject({}),
    value: z.strictObject({}),
  }),
} as const;
