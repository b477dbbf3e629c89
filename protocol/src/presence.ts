/**
 * Presence: who is online, derived by the server from open connections. Clients never write it.
 */
import { z } from 'zod';
import { roomCode, uid } from './wire/fields.ts';
import { request } from './wire/request.ts';
import { roomKind } from './wire/room-kind.ts';

/** presence/{uid}. */
export const presenceRecord = z.strictObject({
  uid,
  state: z.enum(['online', 'offline']),
  last_changed: z.number(),
});
export type PresenceRecord = z.infer<typeof presenceRecord>;

export const presenceChange = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('presence/changed'), presence: presenceRecord }),
  /** This person no longer shows the receiver what they hear. */
  z.strictObject({ type: z.literal('presence/hearingEnded'), uid }),
]);

/** To whom a person shows what they hear; 'tunemates' includes the soulmate. */
export const hearingAudience = z.enum(['nobody', 'soulmate', 'tunemates']);
export type HearingAudience = z.infer<typeof hearingAudience>;

/**
 * What a person hears in a room, as the server knows the track: its words are never those of a page. `title` is null for
 * a track that it does not know. `untilMs` is when they heard it last; null while it plays.
 */
export const hearing = z.strictObject({
  uid,
  title: z.string().nullable(),
  artist: z.string().nullable(),
  thumbnail: z.string().nullable(),
  untilMs: z.number().nullable(),
});
export type Hearing = z.infer<typeof hearing>;

export const presenceRequests = {
  'presence/listenAlong': request({
    may: 'read which room a person is in who shows them what they hear, as that room’s door',
    needs: { person: 'known' },
    limit: 'general',
    payload: z.strictObject({ uid }),
    value: z.strictObject({ kind: roomKind, code: roomCode }),
  }),
} as const;
