/**
 * The chat of a room: its messages, what is done to them later (edits, deletions, stamps), and who is typing. Each
 * change is one entry of the room's stream.
 */
import { z } from 'zod';
import { clientId, messageText, roomCodeInput, uid } from '../wire/fields.ts';
import { request } from '../wire/request.ts';
import { roomKind } from '../wire/room-kind.ts';
import { stampNames } from '../wire/stamps.ts';

const inRoom = { kind: roomKind, code: roomCodeInput };
const nothing = z.strictObject({});
const messageId = z.string().max(40);

export const stampName = z.enum(stampNames);
export type StampName = z.infer<typeof stampName>;

/** How many people pressed a stamp on a message, and whether the reader of this is among them. */
export const stampCount = z.strictObject({ stamp: stampName, count: z.number().int().positive(), isMine: z.boolean() });
export type StampCount = z.infer<typeof stampCount>;

/** The message that a reply answers, as it is now. */
export const roomQuote = z.strictObject({
  id: z.string(),
  /** Null of a message that is no longer stored. */
  sender: uid.nullable(),
  senderName: z.string(),
  /** The beginning. Empty when it is gone. */
  text: z.string(),
  isGone: z.boolean(),
});
export type RoomQuote = z.infer<typeof roomQuote>;

export const roomMessage = z.strictObject({
  id: z.string(),
  /** 1, 2, 3 … within the room: the order in which all members see the messages. */
  number: z.number().int().positive(),
  /** The id that the sender's tab gave it, so that this tab recognises it. */
  clientId,
  sender: uid,
  senderName: z.string(),
  /** Empty once the message was deleted for all. */
  text: z.string(),
  isDeleted: z.boolean(),
  /** Left out when its sender deleted it. */
  isDeletedByHost: z.literal(true).optional(),
  timestamp: z.number(),
  stamps: z.array(stampCount),
  /** Only of a message that answers another one. */
  reply: roomQuote.optional(),
  /** How often its sender has changed the text; left out while they have not. */
  edits: z.number().int().positive().optional(),
});
export type RoomMessage = z.infer<typeof roomMessage>;

/** The part of the room's changes that is about its chat. */
export const roomChatChanges = [
  z.strictObject({ type: z.literal('rooms/messageSent'), message: roomMessage }),
  /** The text as it is after so many edits. */
  z.strictObject({
    type: z.literal('rooms/messageEdited'),
    messageId: z.string(),
    text: z.string(),
    edits: z.number().int().positive(),
  }),
  z.strictObject({
    type: z.literal('rooms/messageDeleted'),
    messageId: z.string(),
    isDeletedByHost: z.literal(true).optional(),
  }),
  /** A member pressed a stamp on a message, or took it back; `count` is how many have pressed it by then. */
  z.strictObject({
    type: z.literal('rooms/stamped'),
    messageId: z.string(),
    uid,
    stamp: stampName,
    isOn: z.boolean(),
    count: z.number().int().nonnegative(),
  }),
] as const;

export const roomChatRequests = {
  'rooms/sendMessage': request({
    may: 'write in the chat of the room; while it is slow, a guest waits between two messages',
    needs: { room: 'member' },
    limit: 'chat',
    /** `replyTo`: a message of the same room. */
    payload: z.strictObject({ ...inRoom, clientId, text: messageText, replyTo: messageId.optional() }),
    value: z.strictObject({ message: roomMessage }),
  }),
  /** The `edits`-th change of one's own text, from 1, for 15 minutes: of two tabs that edit at a time one is refused. */
  'rooms/editMessage': request({
    may: 'edit their own message of the room, for 15 minutes',
    needs: { room: 'member' },
    limit: 'chat',
    payload: z.strictObject({ ...inRoom, messageId, clientId, text: messageText, edits: z.number().int().min(1) }),
    value: nothing,
  }),
  /** Deletes a message for all: the host any, its sender for 15 minutes. One that is deleted already stays so. */
  'rooms/deleteMessage': request({
    may: 'delete their own message of the room for all, for 15 minutes; the host may delete any, at any time',
    needs: { room: 'member' },
    limit: 'general',
    payload: z.strictObject({ ...inRoom, messageId }),
    value: nothing,
  }),
  /** Presses a stamp on a message, or takes it back; twice is once. */
  'rooms/stamp': request({
    may: 'press a stamp on a message of the room, or take it back',
    needs: { room: 'member' },
    limit: 'reactions',
    payload: z.strictObject({ ...inRoom, messageId, stamp: stampName, isOn: z.boolean() }),
    value: nothing,
  }),
  'rooms/cheer': request({
    may: 'throw a stamp at the picture',
    needs: { room: 'member' },
    limit: 'reactions',
    payload: z.strictObject({ ...inRoom, stamp: stampName }),
    value: nothing,
  }),
  /** The page of messages before the one named, oldest first; longer, so that it reaches `downTo` if it can. */
  'rooms/earlierMessages': request({
    may: 'read earlier messages of the room',
    needs: { room: 'member' },
    limit: 'general',
    isRead: true,
    payload: z.strictObject({ ...inRoom, before: messageId, downTo: messageId.optional() }),
    value: z.strictObject({ messages: z.array(roomMessage), hasEarlierMessages: z.boolean() }),
  }),
  /** Ephemeral: never stored. Sent on in rooms of at most `limits.typingPeople`. */
  'rooms/typing': request({
    may: 'show that they are typing, in a room of few people',
    needs: { room: 'member' },
    limit: 'receipts',
    payload: z.strictObject(inRoom),
    value: nothing,
  }),
} as const;
