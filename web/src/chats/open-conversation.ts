/** The state of one open private chat, and what the server's answers and changes make of it. Pure. */
import { advanceMarks, type Marks } from '@tunemate/domain';
import type { Conversation, PrivateMessage, Uid } from '@tunemate/protocol';
import { newest, type UserEvent } from '../connection/person-updates.ts';
import { withLatestPage, withMessage, withoutGap, type MessageLog } from '../messages/message-log.ts';

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

/** Presence is sent for chats that have a message and that nobody blocked: a first message or an unblock may add it. */
export function mayHavePresenceNow(before: OpenConversation, after: OpenConversation): boolean {
  const isFirst = before.log.messages.length === 0 && after.log.messages.length > 0;
  return isFirst || (before.isClosed && !after.isClosed);
}

/** Marks never go back, even if an older one comes late. */
function raised(now: Marks, next: Marks): Marks {
  return advanceMarks(now, next) ?? now;
}
