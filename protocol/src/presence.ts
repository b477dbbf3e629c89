/**
 * Presence: who is online, derived by the server from open connections. Clients never write it.
 */
import { z } from 'zod';
import { uid } from './wire/fields.ts';

/** presence/{uid}. */
export const presenceRecord = z.strictObject({
  uid,
  state: z.enum(['online', 'offline']),
  last_changed: z.number(),
});
export type PresenceRecord = z.infer<typeof presenceRecord>;

export const presenceChange = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('presence/changed'), presence: presenceRecord }),
]);
