/**
 * Private chats: messages, what is done to them later (edits, deletions, reactions), ticks, the list of conversations,
 * blocks. Who received and who read a message follows from two rising marks per person: everything up to message number
 * n. Each later change gets the chat's next revision, a server time that only rises; a page applies the newest it knows
 * of each message.
 */
import { z } from 'zod';
import { userCard } from './accounts.ts';
import { clientId, emoji, messageText, namedUid, pairId, searchWords, uid } from './wire/fields.ts';
import { limits } from './wire/limits.ts';
import { presenceRecord } from './presence.ts';
import { request } from './wire/request.ts';

const messageNumber = z.number().int().nonnegative();

const timerDays = z.literal([1, 7, 30]).nullable();
/** After how many days the messages of a chat go, counted from the sending of each, and who set that; null: they stay. */
export const chatTimer = z.strictObject({ days: timerDays, by: uid, at: z.number() });
export type ChatTimer = z.infer<typeof chatTimer>;

export const chatImage = z.strictObject({
  imageId: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});

/** A recording. `waveform` is how loud each part of it is, from 0 to 100; the parts are equally long. */
export const chatVoice = z.strictObject({
  voiceId: z.string(),
  durationMs: z.number().int().positive(),
  waveform: z.array(z.number().int().min(0).max(100)).length(limits.voiceBars),
});

/** The message that a reply names, as its reader may see it now: gone when it was deleted, or hidden by the reader. */
export const quote = z.strictObject({
  number: messageNumber,
  /** By which the words of a deleted message are found in stored changes. */
  clientId,
  sender: uid,
  /** The beginning. Empty when it is gone. */
  text: z.string(),
  hasImage: z.boolean(),
  /** How long its recording is; absent without one. */
  voiceMs: z.number().int().optional(),
  isGone: z.boolean(),
});
export type Quote = z.infer<typeof quote>;

export const reaction = z.strictObject({ uid, emoji: z.string() });
export type Reaction = z.infer<typeof reaction>;

/** As one of the two sees it. A message that is deleted or hidden has no words, picture, recording, quote or reactions. */
export const privateMessage = z.strictObject({
  pairId,
  /** 1, 2, 3 … within the conversation. */
  number: messageNumber,
  clientId,
  sender: uid,
  text: z.string(),
  image: chatImage.nullable(),
  /** Of a voice message, which has neither text nor picture. */
  voice: chatVoice.optional(),
  timestamp: z.number(),
  reply: quote.nullable(),
  /** How often its sender has changed the text. */
  edits: z.number().int().nonnegative(),
  /** 'deleted' for both, or 'hidden' by the reader from themselves. */
  state: z.enum(['shown', 'deleted', 'hidden']),
  /** In the order in which people are in the pair's id, and of each person the earliest first. */
  reactions: z.array(reaction),
  /** The chat's revision when it was last changed; 0 if it never was. */
  revision: z.number().int().nonnegative(),
});
export type PrivateMessage = z.infer<typeof privateMessage>;

/** How far one person has got: all messages up to these numbers were delivered to and read by them. */
export const chatMarks = z.strictObject({ uid, deliveredUpTo: messageNumber, readUpTo: messageNumber });
export type ChatMarks = z.infer<typeof chatMarks>;

/** What one person made of a chat, for their own list; the other does not see it. */
const arrangement = {
  isPinned: z.boolean(),
  /** Its messages send no push, no toast and no sound. */
  isMuted: z.boolean(),
  /** A new message takes it back to the list, unless it is muted. */
  isArchived: z.boolean(),
};
export const chatArrangement = z.strictObject(arrangement);
export type ChatArrangement = z.infer<typeof chatArrangement>;

export const conversationRow = z.strictObject({
  pairId,
  other: userCard,
  /** The last message that is not hidden, without its quote and reactions. */
  last: privateMessage,
  /** Null when the caller may not see it: the account was deleted, or one has blocked the other. */
  presence: presenceRecord.nullable(),
  /** Messages, and reactions to one's own. */
  unread: z.number().int().nonnegative(),
  ...arrangement,
  /** The reader has not answered this person, who is on none of their lists: below the people whom they know. */
  isStranger: z.literal(true).optional(),
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
  /** The caller deleted it for themselves up to this message. */
  clearedUpTo: messageNumber,
  /** Absent where none was ever set. */
  timer: chatTimer.optional(),
  /** Of the last change to any of its messages. */
  revision: z.number().int().nonnegative(),
  /** Messages before these that changed after the revision asked for. Null when there are too many to list. */
  changed: z.array(privateMessage).nullable(),
});
export type Conversation = z.infer<typeof conversation>;

export const chatChange = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('chats/messageSent'),
    message: privateMessage,
    other: userCard,
    /** To a receiver who has muted the chat. */
    isMuted: z.literal(true).optional(),
  }),
  /** After an edit, deletion or reaction: the message, and the number of unread ones, as the receiver sees them. */
  z.strictObject({
    type: z.literal('chats/messageChanged'),
    message: privateMessage,
    unread: z.number().int().nonnegative(),
  }),
  /** `unread` is for the person whose marks these are; null for the other. */
  z.strictObject({
    type: z.literal('chats/marked'),
    pairId,
    marks: chatMarks,
    unread: z.number().int().nonnegative().nullable(),
  }),
  z.strictObject({ type: z.literal('chats/arranged'), pairId, ...arrangement }),
  /** To both. */
  z.strictObject({ type: z.literal('chats/timerSet'), pairId, timer: chatTimer }),
  /** The person has deleted the chat for themselves up to this message. */
  z.strictObject({
    type: z.literal('chats/cleared'),
    pairId,
    upTo: messageNumber,
    unread: z.number().int().nonnegative(),
  }),
  z.strictObject({ type: z.literal('chats/blocked'), uid, isBlocked: z.boolean() }),
  /** To both: whether either has blocked the other, and not who. */
  z.strictObject({ type: z.literal('chats/closed'), uid, isClosed: z.boolean() }),
]);

/** A message that a search found. */
export const foundMessage = z.strictObject({
  pairId,
  number: messageNumber,
  other: userCard,
  sender: uid,
  /** Of the text, around what was found. */
  excerpt: z.string(),
  hasImage: z.boolean(),
  timestamp: z.number(),
});
export type FoundMessage = z.infer<typeof foundMessage>;

/** Words that messages must have, or have the beginnings of; the page begins after so many messages. */
const search = {
  words: searchWords,
  from: z
    .number()
    .int()
    .min(0)
    .max(limits.foundMessages * 20)
    .optional(),
};
const foundPage = z.strictObject({
  /** Newest first. */
  found: z.array(foundMessage).max(limits.foundMessages),
  hasMore: z.boolean(),
  /** False while older messages are still being added to the index. */
  isWhole: z.boolean(),
});

/** What the page behind a link says of itself: lines of text alone. */
export const linkPreview = z.strictObject({
  title: z.string(),
  description: z.string().nullable(),
  siteName: z.string().nullable(),
});
export type LinkPreview = z.infer<typeof linkPreview>;

/** A message of a chat. */
const ofMessage = { pairId: z.string().max(100), number: messageNumber };

export const chatRequests = {
  'chats/list': request({
    may: 'list their own chats',
    limit: 'general',
    isRead: true,
    /** `from`: how many of the list are left out at its beginning. */
    payload: z.strictObject({
      limit: z.number().int().min(1).optional(),
      from: z.number().int().min(0).max(limits.chatListFrom).optional(),
    }),
    /** Pinned ones first, people one knows before strangers, each by their last message. `more`: how many come after these. */
    value: z.strictObject({
      conversations: z.array(conversationRow).max(limits.chatList),
      more: z.number().int().min(1).optional(),
    }),
  }),
  'chats/open': request({
    may: 'open a chat with a person, and receive its changes',
    limit: 'general',
    /** `since`: the revision that the page has; with it the answer lists what changed after it. */
    payload: z.strictObject({ uid: namedUid, since: z.number().int().nonnegative().optional() }),
    value: conversation,
  }),
  'chats/earlierMessages': request({
    may: 'read earlier messages of it',
    needs: { chat: 'own' },
    limit: 'general',
    isRead: true,
    /** `downTo`: the page is longer, so that it reaches this message if it can. */
    payload: z.strictObject({ pairId: z.string().max(100), before: messageNumber, downTo: messageNumber.optional() }),
    value: z.strictObject({ messages: z.array(privateMessage), hasEarlierMessages: z.boolean() }),
  }),
  /** In all chats of the caller but those with people whom they have blocked. */
  'chats/search': request({
    may: 'search all their own chats',
    limit: 'messageSearch',
    isRead: true,
    payload: z.strictObject(search),
    value: foundPage,
  }),
  'chats/searchInChat': request({
    may: 'search it',
    needs: { chat: 'own' },
    limit: 'messageSearch',
    isRead: true,
    payload: z.strictObject({ pairId: z.string().max(100), ...search }),
    value: foundPage,
  }),
  /** The first message of a day: of those that the caller sees, the first that was sent at this time or later. */
  'chats/firstSince': request({
    may: 'find the first message of a day in it',
    needs: { chat: 'own' },
    limit: 'general',
    isRead: true,
    payload: z.strictObject({ pairId: z.string().max(100), since: z.number().int().nonnegative() }),
    value: z.strictObject({ number: messageNumber.nullable() }),
  }),
  'chats/send': request({
    may: 'send a message to a person; a first one is limited, and a block refuses it',
    needs: { person: 'known' },
    limit: 'chat',
    payload: z.strictObject({
      clientId,
      uid: namedUid,
      text: messageText.or(z.literal('')),
      imageId: z.string().max(40).optional(),
      /** Of a recording, alone: without text and picture. */
      voiceId: z.string().max(40).optional(),
      /** The number of a message of the same chat. */
      replyTo: messageNumber.optional(),
    }),
    value: z.strictObject({ message: privateMessage }),
  }),
  /** The `edits`-th change of the text, from 1: two tabs that change one text at a time don't undo each other. */
  'chats/edit': request({
    may: 'edit their own message, for 15 minutes and while there is no block',
    needs: { chat: 'own' },
    limit: 'chat',
    payload: z.strictObject({ ...ofMessage, clientId, text: messageText, edits: z.number().int().min(1) }),
    value: z.strictObject({}),
  }),
  /** For both, for good. */
  'chats/delete': request({
    may: 'delete their own message for both, at any time',
    needs: { chat: 'own' },
    limit: 'reactions',
    payload: z.strictObject(ofMessage),
    value: z.strictObject({}),
  }),
  /** Deletes a message for the caller alone, or takes that back. */
  'chats/hide': request({
    may: 'delete a message for themselves, or take that back',
    needs: { chat: 'own' },
    limit: 'reactions',
    payload: z.strictObject({ ...ofMessage, isHidden: z.boolean() }),
    value: z.strictObject({}),
  }),
  'chats/react': request({
    may: 'react to a message while there is no block',
    needs: { chat: 'own' },
    limit: 'reactions',
    payload: z.strictObject({ ...ofMessage, clientId, emoji, isOn: z.boolean() }),
    value: z.strictObject({}),
  }),
  /** Of the first link of a message that may have one. Null without, and for a page that could not be read. */
  'chats/preview': request({
    may: 'read the preview of a link in a message (LINK_PREVIEWS)',
    needs: { chat: 'own' },
    limit: 'previews',
    turn: 'previews',
    payload: z.strictObject(ofMessage),
    value: z.strictObject({ preview: linkPreview.nullable() }),
  }),
  /** Moves one's own marks forwards. Reactions up to `seenRevision` were on the screen. */
  'chats/mark': request({
    may: 'mark messages to them as delivered and read',
    needs: { chat: 'own' },
    limit: 'receipts',
    payload: z.strictObject({
      pairId: z.string().max(100),
      deliveredUpTo: messageNumber,
      readUpTo: messageNumber,
      seenRevision: z.number().int().nonnegative().optional(),
    }),
    value: z.strictObject({}),
  }),
  /** What is left out stays as it is. A pinned chat is not archived, and an archived one is not pinned. */
  'chats/arrange': request({
    may: 'pin, mute or archive it for themselves',
    needs: { chat: 'own' },
    limit: 'general',
    payload: z.strictObject({ pairId: z.string().max(100), ...chatArrangement.partial().shape }),
    value: z.strictObject({}),
  }),
  'chats/setTimer': request({
    may: 'set for both after how many days new messages of it go',
    needs: { chat: 'own' },
    limit: 'general',
    payload: z.strictObject({ pairId: z.string().max(100), days: timerDays }),
    value: z.strictObject({}),
  }),
  /** Deletes the chat for the caller, up to the last message that they have seen. */
  'chats/clear': request({
    may: 'delete it for themselves',
    needs: { chat: 'own' },
    limit: 'general',
    payload: z.strictObject({ pairId: z.string().max(100), upTo: messageNumber }),
    value: z.strictObject({}),
  }),
  /** Ephemeral: never stored. */
  'chats/typing': request({
    may: 'show a chat partner that they are typing',
    limit: 'receipts',
    payload: z.strictObject({ uid }),
    value: z.strictObject({}),
  }),
  'chats/block': request({
    may: 'block a person, or end that',
    needs: { person: 'known' },
    limit: 'general',
    payload: z.strictObject({ uid: namedUid, isBlocked: z.boolean() }),
    value: z.strictObject({}),
  }),
  /** Whom the caller has blocked, earliest first; `name` is empty when the account was deleted. */
  'chats/blocked': request({
    may: 'list the people whom they have blocked',
    limit: 'general',
    payload: z.strictObject({}),
    value: z.strictObject({ people: z.array(userCard) }),
  }),
} as const;
