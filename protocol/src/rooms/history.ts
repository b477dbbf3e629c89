/**
 * What rooms have played. In the room its members see all of it. For 90 days after a member has left, or the room has
 * ended, they keep what was played while they were there, unless they don't want that.
 */
import { z } from 'zod';
import { roomCode, roomCodeInput, roomId, uid } from '../wire/fields.ts';
import { limits } from '../wire/limits.ts';
import { track } from '../playback.ts';
import { request } from '../wire/request.ts';
import { roomKind } from '../wire/room-kind.ts';

const inRoom = { kind: roomKind, code: roomCodeInput };
const nothing = z.strictObject({});
const number = z.number().int().positive();

/** A track that was played. `number` counts within the room, `at` is when it began, `by` the guest who proposed it. */
export const playedTrack = track.extend({
  number,
  at: z.number(),
  by: z.strictObject({ uid, name: z.string() }).nullable(),
});
export type PlayedTrack = z.infer<typeof playedTrack>;

/** The latest first. */
const page = z.array(playedTrack).max(limits.playedPage);
const before = number.optional();

/** What one person keeps of a room. `code` is null of a room that they are not in. */
export const roomHistory = z.strictObject({
  roomId,
  kind: roomKind,
  code: roomCode.nullable(),
  name: z.string(),
  tracks: number,
  /** When the first and the last of the tracks began. */
  from: z.number(),
  to: z.number(),
});
export type RoomHistory = z.infer<typeof roomHistory>;

/** Ten minutes or more in a room with one other person, who was there as well. `last` is the last track of `tracks`. */
export const eveningWith = z.strictObject({ uid, name: z.string(), tracks: number, last: track });
export type EveningWith = z.infer<typeof eveningWith>;

export const historyRequests = {
  /** What this room has played, also before the caller came; with `before` older tracks than that one. */
  'rooms/played': request({
    may: 'read what the room has played',
    needs: { room: 'member' },
    limit: 'general',
    isRead: true,
    payload: z.strictObject({ ...inRoom, before }),
    value: z.strictObject({ tracks: page, total: z.number().int().nonnegative(), from: z.number().nullable() }),
  }),
  /** The caller's own, the latest first. `isKept` is whether anything is kept for them. */
  'rooms/histories': request({
    may: 'list their own histories of rooms',
    limit: 'general',
    isRead: true,
    payload: nothing,
    value: z.strictObject({ isKept: z.boolean(), histories: z.array(roomHistory).max(limits.histories) }),
  }),
  'rooms/history': request({
    may: 'read what one of their rooms played while they were in it',
    limit: 'general',
    isRead: true,
    payload: z.strictObject({ roomId, before }),
    value: z.strictObject({ tracks: page }),
  }),
  /**
   * The soulmate or tunemate with whom the caller has just had an evening, whom the question names whether to show what one
   * hears: null once the caller has answered that, and without such an evening within a day.
   */
  'rooms/firstEvening': request({
    may: 'read with which soulmate or tunemate they have just had an evening, until they chose who sees what they hear',
    limit: 'general',
    payload: nothing,
    value: z.strictObject({ evening: eveningWith.nullable() }),
  }),
  /** Deletes what was played up to now from the caller's own history of this room; one that is gone stays so. */
  'rooms/forgetHistory': request({
    may: 'delete their own history of a room',
    limit: 'general',
    payload: z.strictObject({ roomId }),
    value: nothing,
  }),
  /** With `isKept` false nothing is kept for the caller from now on, and what was kept is deleted. */
  'rooms/keepHistory': request({
    may: 'switch their own history off, which deletes it, or on',
    limit: 'general',
    payload: z.strictObject({ isKept: z.boolean() }),
    value: nothing,
  }),
} as const;
