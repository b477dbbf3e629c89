/**
 * Soulmate: at most one, mutual, by a request that the other accepts.
 */
import { z } from 'zod';
import { userCard } from './accounts.ts';
import { clientId, uid } from './ids.ts';
import { presenceRecord } from './presence.ts';
import { request } from './request.ts';

export const soulmateCard = userCard.extend({ presence: presenceRecord });
export type SoulmateCard = z.infer<typeof soulmateCard>;

export const soulmateChange = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('soulmate/changed'), soulmate: soulmateCard.nullable() }),
]);

export const soulmateRequests = {
  'soulmate/ask': request(z.strictObject({ clientId, uid }), z.strictObject({})),
  /** Accepts or declines by the notification that carried the request. */
  'soulmate/accept': request(z.strictObject({ id: z.string().max(40) }), z.strictObject({ soulmate: soulmateCard })),
  'soulmate/decline': request(z.strictObject({ id: z.string().max(40) }), z.strictObject({})),
  'soulmate/part': request(z.strictObject({}), z.strictObject({})),
} as const;
