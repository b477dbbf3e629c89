/**
 * One open private chat: what the server's answers and changes make of it, and what it shows from top to bottom (days,
 * the divider above unread messages, messages with their ticks). Pure.
 */
import { advanceMarks, type Marks, tickOf } from '@tunemate/domain';
import type { Conversation, PrivateMessage, Uid } from '@tunemate/protocol';
import { newest, type UserEvent } from '../connection/person-updates.ts';
import {
  inRuns,
  type MessageLog,
  type PlaceInRun,
  withLatestPage,
  withMessage,
  withoutGap,
} from '../messages/message-log.ts';
import type { ChatImage, Waiting } from '../messages/outbox.ts';

export type PrivateLog = MessageLog<PrivateMessage>;

export interface OpenConversation extends Omit<Conversation, 'messages' | 'hasEarlierMessages' | 'marks'> {
  readonly log: PrivateLog;
  readonly mine: Marks;
  readonly theirs: Marks;
  /** The number after which everything was unread when the chat was opened; null when nothing was. */
  readonly unreadAfter: number | null;
}

/** The current user and the other person. */
export interface Pair {
  readonly self: Uid;
  readonly uid: Uid;
}

const noMarks: Marks = { deliveredUpTo: 0, readUpTo: 0 };

/** The messages that the server's latest page is joined to. */
export function knownMessages(before: OpenConversation | null): PrivateLog {
  return withoutGap(before?.log ?? { messages: [], hasEarlierMessages: false });
}

/** The server's answer, with the missed pages before its messages, joined to the state before it: null opens the chat. */
export function joined(
  before: OpenConversation | null,
  { messages, hasEarlierMessages, marks, ...rest }: Conversation,
  { self, uid }: Pair,
): OpenConversation {
  const mine = marks.find((one) => one.uid === self) ?? noMarks;
  const theirs = marks.find((one) => one.uid === uid) ?? noMarks;
  const hasUnread = messages.some(({ number, sender }) => sender === uid && number > mine.readUpTo);
  return {
    ...rest,
    log: withLatestPage(knownMessages(before), { messages, hasEarlierMessages }),
    mine: raised(before?.mine ?? noMarks, mine),
    theirs: raised(before?.theirs ?? noMarks, theirs),
    unreadAfter: before === null && hasUnread ? mine.readUpTo : (before?.unreadAfter ?? null),
  };
}

/** The state after a change; the same object when the change is not about this chat. */
export function withChange(now: OpenConversation, change: UserEvent, { self, uid }: Pair): OpenConversation {
  if (change.type === 'chats/messageSent') return withSent(now, change.message);
  if (change.type === 'chats/marked' && change.pairId === now.pairId) {
    const whose = change.marks.uid === self ? 'mine' : 'theirs';
    return { ...now, [whose]: raised(now[whose], change.marks) };
  }
  if (change.type === 'chats/blocked' && change.uid === uid) {
    return { ...now, isBlockedByMe: change.isBlocked };
  }
  if (change.type === 'chats/closed' && change.uid === uid) {
    return { ...now, isClosed: change.isClosed, presence: change.isClosed ? null : now.presence };
  }
  // Where the server sent no presence, none may be shown.
  if (change.type === 'presence/changed' && change.presence.uid === uid && now.presence !== null) {
    return { ...now, presence: change.presence };
  }
  if (change.type === 'people/changed' && change.person.uid === uid) {
    const { name, presence } = change.person;
    const other = { uid, name };
    if (change.isGone) return { ...now, other, isGone: true, isClosed: true, presence: null };
    return { ...now, other, presence: now.presence && newest(now.presence, presence) };
  }
  if (change.type === 'soulmate/changed') return { ...now, isSoulmate: change.soulmate?.uid === uid };
  return now;
}

export function withSent(now: OpenConversation, message: PrivateMessage): OpenConversation {
  return message.pairId === now.pairId ? { ...now, log: withMessage(now.log, message) } : now;
}

/** The server sends presence for chats with a message and without a block: a first message or an unblock may add it. */
export function mayHavePresenceNow(before: OpenConversation, after: OpenConversation): boolean {
  const isFirst = before.log.messages.length === 0 && after.log.messages.length > 0;
  return isFirst || (before.isClosed && !after.isClosed);
}

/** Marks never go back, even if an older one comes late. */
function raised(now: Marks, next: Marks): Marks {
  return advanceMarks(now, next) ?? now;
}

export interface MessageItem extends PlaceInRun {
  readonly type: 'message';
  /** Stays the same when a message of the current user is confirmed. */
  readonly key: string;
  /** Null until the server has it. */
  readonly number: number | null;
  readonly isMine: boolean;
  readonly text: string;
  readonly image: ChatImage | null;
  readonly atMs: number;
  /** Only on messages of the current user; null when sending failed. */
  readonly tick: ReturnType<typeof tickOf> | 'sending' | null;
  /** While the server does not have it. */
  readonly waiting: Waiting | null;
}

export type ConversationItem =
  | { readonly type: 'day'; readonly key: string; readonly atMs: number }
  | { readonly type: 'unread'; readonly key: string }
  | MessageItem;

type Entry = Omit<MessageItem, keyof PlaceInRun>;

/** All items, oldest first. Days are this device's. */
export function conversationItems(
  { log, theirs, unreadAfter }: Pick<OpenConversation, 'log' | 'theirs' | 'unreadAfter'>,
  waiting: readonly Waiting[],
  self: Uid,
): readonly ConversationItem[] {
  const confirmed = new Set<string>(log.messages.filter(({ sender }) => sender === self).map((one) => one.clientId));
  const lastAtMs = log.messages.at(-1)?.timestamp ?? 0;
  const entries = [
    ...log.messages.map((message) => stored(message, self, theirs)),
    ...waiting.filter(({ clientId }) => !confirmed.has(clientId)).map((message) => unsent(message, lastAtMs)),
  ];
  const firstUnread =
    unreadAfter === null ? -1 : entries.findIndex((entry) => !entry.isMine && (entry.number ?? 0) > unreadAfter);

  const isSameDay = (one: Entry, other: Entry | undefined): boolean => dayOf(one.atMs) === dayOf(other?.atMs ?? 0);
  const messages = inRuns(
    entries,
    (entry, before, index) => before.isMine === entry.isMine && index !== firstUnread && isSameDay(entry, before),
  );
  return messages.flatMap((message, index): ConversationItem[] => [
    ...(isSameDay(message, messages[index - 1])
      ? []
      : [{ type: 'day' as const, key: `day ${dayOf(message.atMs)}`, atMs: message.atMs }]),
    ...(index === firstUnread ? [{ type: 'unread' as const, key: 'unread' }] : []),
    message,
  ]);
}

function stored(message: PrivateMessage, self: Uid, theirs: OpenConversation['theirs']): Entry {
  const { number, sender, clientId, text, image, timestamp } = message;
  const isMine = sender === self;
  return {
    type: 'message',
    key: isMine ? clientId : String(number),
    number,
    isMine,
    text,
    image,
    atMs: timestamp,
    tick: isMine ? tickOf(number, theirs) : null,
    waiting: null,
  };
}

function unsent(message: Waiting, notBeforeMs: number): Entry {
  const { clientId, text, image, writtenAtMs, failure } = message;
  return {
    type: 'message',
    key: clientId,
    number: null,
    isMine: true,
    text,
    image,
    atMs: Math.max(writtenAtMs, notBeforeMs),
    tick: failure === null ? 'sending' : null,
    waiting: message,
  };
}

/** A day of this device's calendar, as a number that differs from every other day's. */
function dayOf(atMs: number): number {
  const date = new Date(atMs);
  return (date.getFullYear() * 12 + date.getMonth()) * 31 + date.getDate();
}
