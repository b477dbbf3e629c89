/**
 * Rooms that ended: for 30 days the person who hosted one opens it again, as a new room with its name, kind, settings
 * and the queue from where it stopped. Who was there last is invited.
 */
import { z } from 'zod';
import { userCard } from '../accounts.ts';
import { clientId, roomCode, roomId } from '../wire/fields.ts';
import { limits } from '../wire/limits.ts';
import { request } from '../wire/request.ts';
import { roomKind } from '../wire/room-kind.ts';

const count = z.number().int().nonnegative();

export const endedRoom = z.strictObject({
  roomId,
  kind: roomKind,
  /** As it was. Another room may have it by now. */
  code: roomCode,
  name: z.string(),
  endedAt: z.number(),
  /** Of the track at which the queue stopped. */
  thumbnail: z.string().nullable(),
  /** Tracks of the queue from there on. */
  left: count,
  /** Who was there last beside its host. */
  people: z.array(userCard).max(limits.endedRoomPeople),
});
export type EndedRoom = z.infer<typeof endedRoom>;

export const beforeRequests = {
  /** The latest first; those that are open again are absent. */
  'rooms/before': request({
    may: 'list the rooms that ended while they hosted them',
    limit: 'general',
    payload: z.strictObject({}),
    value: z.strictObject({ rooms: z.array(endedRoom).max(limits.endedRooms) }),
  }),
  /** `invited`: of those who were there last, the tunemates and the soulmate of the caller, once each. */
  'rooms/openAgain': request({
    may: 'open a room again that ended while they hosted it',
    limit: 'roomCreate',
    payload: z.strictObject({ clientId, roomId }),
    value: z.strictObject({ kind: roomKind, code: roomCode, invited: count }),
  }),
} as const;
