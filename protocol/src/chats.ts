/**
 * Private chats: messages, ticks, the list of conversations, blocks. Who received and who read
 * a message follows from two rising marks per person: everything up to message number n.
 */
import { z } from 'zod';
import { userCard } from './accounts.ts';
import { clientId, namedUid, pairId, uid } from './wire/ids.ts';
import { limits } from './wire/limits.ts';
import { presenceRecord } from './presence.ts';
import { request } from './wire/request.ts';
import { messageText } from './wire/text.ts';

const messageNumber = z.number().int().nonnegative();

export const chatImage = z.strictObject({
  imageId: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});

export const privateMessage = z.strictObject({
  pairId,
  /** 1, 2, 3 … within the conversation. */
  number: messageNumber,
  clientId,
  sender: uid,
  text: z.string(),
  image: chatImage.nullable(),
  timestamp: z.number(),
});
export type PrivateMessage = z.infer<typeof privateMessage>;

/** How far one person has got: all messages up to these numbers were delivered to and read by them. */
export const chatMarks = z.strictObject({ uid, deliveredUpTo: messageNumber, readUpTo: messageNumber });
export type ChatMarks = z.infer<typeof chatMarks>;

export const conversationRow = z.strictObject({
  pairId,
  other: userCard,
  last: privateMessage,
  /** Null when the caller may not see it: the account was deleted, or one has blocked the other. */
  presence: presenceRecord.nullable(),
  unread: z.number().int().nonnegative(),
});
export type ConversationRow = z.infer<typeof conversationRow>;

export const conversation = z.strictObject({
  pairId,
  other: userCard,
  /** The account of the other was deleted. */
  isGone: z.boolean(),
  /** Null when the caller may not see it. */
  presence: presenceRecord.nullable(),
  isSoulmate: z.boolean(),
  isTunemate: z.boolean(),
  isBlockedByMe: z.boolean(),
  /** Nothing can be written: the account is gone, or one of the two has blocked the other. */
  isClosed: z.boolean(),
  messages: z.array(privateMessage),
  hasEarlierMessages: z.boolean(),
  marks: z.array(chatMarks),
});
export type Conversation = z.infer<typeof conversation>;

export const chatChange = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('chats/messageSent'), message: privateMessage, other: userCard }),
  z.strictObject({ type: z.literal('chats/marked'), pairId, marks: chatMarks }),
  z.strictObject({ type: z.literal('chats/blocked'), uid, isBlocked: z.boolean() }),
  /** To both: whether either has blocked the other, and not who. */
  z.strictObject({ type: z.literal('chats/closed'), uid, isClosed: z.boolean() }),
]);

export const chatRequests = {
  'chats/list': request({
    limit: 'general',
    payload: z.strictObject({ limit: z.number().int().min(1).optional() }),
    value: z.strictObject({ conversations: z.array(conversationRow).max(limits.chatList) }),
  }),
  'chats/open': request({
    limit: 'general',
    payload: z.strictObject({ uid: namedUid }),
    value: conversation,
  }),
  'chats/earlierMessages': request({
    needs: { chat: 'own' },
    limit: 'general',
    payload: z.strictObject({ pairId: z.string().max(100), before: messageNumber }),
    value: z.strictObject({ messages: z.array(privateMessage), hasEarlierMessages: z.boolean() }),
  }),
  'chats/send': request({
    needs: { person: 'known' },
    limit: 'chat',
    payload: z.strictObject({
      clientId,
      uid: namedUid,
      text: messageText.or(z.literal('')),
      imageId: z.string().max(40).optional(),
    }),
    value: z.strictObject({ message: privateMessage }),
  }),
  /** Moves one's own marks forwards. */
  'chats/mark': request({
    needs: { chat: 'own' },
    limit: 'receipts',
    payload: z.strictObject({ pairId: z.string().max(100), deliveredUpTo: messageNumber, readUpTo: messageNumber }),
    value: z.strictObject({}),
  }),
  /** Ephemeral: never stored. */
  'chats/typing': request({
    limit: 'receipts',
    payload: z.strictObject({ uid }),
    value: z.strictObject({}),
  }),
  'chats/block': request({
    needs: { person: 'known' },
    limit: 'general',
    payload: z.strictObject({ uid: namedUid, isBlocked: z.boolean() }),
    value: z.strictObject({}),
  }),
  /** Whom the caller has blocked, earliest first; `name` is empty when the account was deleted. */
  'chats/blocked': request({
    limit: 'general',
    payload: z.strictObject({}),
    value: z.strictObject({ people: z.array(userCard) }),
  }),
} as const;
