/**
 * Streams: every live change belongs to the stream of a room, of its host or of a person, and carries that stream's next number.
 * A receiver ignores numbers that it already has and asks for a new snapshot when one is missing.
 */
import { z } from 'zod';
import { userCard } from '../accounts.ts';
import { chatChange } from '../chats.ts';
import { roomId, uid } from './fields.ts';
import { notificationChange } from '../notifications.ts';
import { hearing, presenceChange, presenceRecord } from '../presence.ts';
import { stampName } from '../rooms/room-chat.ts';
import { hostChange, ownRoomChange, roomChange } from '../rooms/rooms.ts';
import { ownAccountChange } from '../session.ts';
import { soulmateChange } from '../soulmate.ts';
import { tunemateChange } from '../tunemates.ts';

export const userChange = z.union([
  ownAccountChange,
  ownRoomChange,
  tunemateChange,
  soulmateChange,
  notificationChange,
  chatChange,
  presenceChange,
]);
export type UserChange = z.infer<typeof userChange>;

/** `room:` or `host:` and a room id, or `user:` and a uid. */
export const streamId = z
  .string()
  .regex(/^(?:room|host|user):[0-9A-Za-z]{22}$/)
  .brand<'StreamId'>();
export type StreamId = z.infer<typeof streamId>;

/** The stream whose changes all members of a room receive. */
export const roomStream = (id: z.infer<typeof roomId>): StreamId => streamId.parse(`room:${id}`);
/** The stream of a room that only its host follows. */
export const hostStream = (id: z.infer<typeof roomId>): StreamId => streamId.parse(`host:${id}`);
/** The stream whose changes all tabs of one person receive. */
export const userStream = (id: z.infer<typeof uid>): StreamId => streamId.parse(`user:${id}`);

/** Consecutive changes of one stream; the first has the number `from`. One packet, encoded once for all receivers. */
export const entries = z.strictObject({
  stream: streamId,
  from: z.number().int().positive(),
  /** Where one change stands for all numbers from `from` on: its own, the last of them. */
  to: z.number().int().positive().optional(),
  /** Of each change, where counts between them were left out. The last count stands for those before it. */
  numbers: z.array(z.number().int().positive()).optional(),
  changes: z.array(z.union([roomChange, hostChange, userChange])),
});
export type Entries = z.infer<typeof entries>;

/** Sent at once also where changes are collected for a moment: playback has to arrive in time. */
export const isUrgent = ({ type }: Entries['changes'][number]): boolean => type.startsWith('playback/');

/** Stands for the changes of its type right before it: of counts only the last is sent. */
export const overtakes = ({ type }: Entries['changes'][number]): boolean => type === 'rooms/headCount';

/** Ephemeral events: not numbered and not stored. */
export const ephemeral = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('chats/typing'), uid }),
  /** A person who is named in this room is typing. */
  z.strictObject({ type: z.literal('rooms/typing'), roomId, uid }),
  /** A member threw a stamp at the picture. It rises once and is no part of the chat. */
  z.strictObject({ type: z.literal('rooms/cheered'), roomId, uid, stamp: stampName }),
  /** To operators: who waits for them has changed. */
  z.strictObject({ type: z.literal('operators/waiting') }),
  /**
   * Someone whom the receiver can see has a new name, or went online or offline. A presence older than the known one
   * (`last_changed`) is ignored; null over a block: what is shown then stays.
   */
  z.strictObject({
    type: z.literal('people/changed'),
    person: userCard.extend({ presence: presenceRecord.nullable() }),
    /** The account was deleted: their chats are closed and show no presence. */
    isGone: z.literal(true).optional(),
  }),
  /** What a person hears who shows it to the receiver; null where that is over and nothing is left to show. */
  z.strictObject({ type: z.literal('presence/hears'), uid, hears: hearing.nullable() }),
]);
export type EphemeralEvent = z.infer<typeof ephemeral>;
