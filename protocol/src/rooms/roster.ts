/**
 * The people of a room: those it names, more of them on demand, and the changes by which they come and go.
 */
import { z } from 'zod';
import { roomCodeInput, uid } from '../wire/fields.ts';
import { limits } from '../wire/limits.ts';
import { request } from '../wire/request.ts';
import { roomKind } from '../wire/room-kind.ts';

export const participant = z.strictObject({ uid, name: z.string(), online: z.boolean() });
export type Participant = z.infer<typeof participant>;

/** `people`: how many are in the room now. */
export const participantJoined = z.strictObject({
  type: z.literal('rooms/participantJoined'),
  participant,
  people: z.number().int().positive(),
});

/** So many people are in a large room: a person joined, or left an audience. Of several in a row only the last is sent. */
export const headCount = z.strictObject({ type: z.literal('rooms/headCount'), people: z.number().int().positive() });

export const participantLeft = z.strictObject({
  type: z.literal('rooms/participantLeft'),
  uid,
  people: z.number().int().nonnegative(),
  /** Set when the host removed them: until they may ask again, or for good. */
  removed: z.enum(['for-now', 'for-good']).optional(),
});

/** Which people of a room are asked for. */
const whichPeople = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('after'), uid: uid.nullable() }),
  /** Those in whose name these letters are, in either case. */
  z.strictObject({ type: z.literal('named'), letters: z.string().min(1).max(limits.nameLength) }),
  z.strictObject({ type: z.literal('these'), uids: z.array(uid).min(1).max(limits.rosterPage) }),
]);
export type WhichPeople = z.infer<typeof whichPeople>;

const somePeople = z.strictObject({
  participants: z.array(participant).max(limits.rosterPage),
  hasMore: z.boolean(),
});
export type SomePeople = z.infer<typeof somePeople>;

export const rosterRequests = {
  /** More of the people in a room: the page after one of them (null: the first), those so named, or just these. */
  'rooms/people': request({
    may: 'read who is in the room; a guest of an audience reads its first page only',
    needs: { room: 'member' },
    limit: 'general',
    isRead: true,
    payload: z.strictObject({ kind: roomKind, code: roomCodeInput, which: whichPeople }),
    value: somePeople,
  }),
} as const;
