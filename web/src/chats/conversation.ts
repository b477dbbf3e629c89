/**
 * One open private chat: what the server's answers and changes make of it, and what it shows from top to bottom (days,
 * the divider above unread messages, messages with their ticks). Pure.
 */
import { advanceMarks, type Marks, quoteOf, tickOf } from '@tunemate/domain';
import type { ChatTimer, Conversation, PrivateMessage, Quote, Reaction, Uid } from '@tunemate/protocol';
import { newest, type UserEvent } from '../connection/person-updates.ts';
import {
  inRuns,
  type MessageLog,
  type DrawnMessage,
  type PlaceInRun,
  withLatestPage,
  withEarlierPage,
  withMessage,
  withoutGap,
} from '../messages/message-log.ts';
import type { ChatImage, ChatVoice, ToPerson, Waiting } from '../messages/outbox.ts';

/** A recipient, and the message that is answered. */
export interface ToReader extends ToPerson {
  readonly reply?: Quote | null;
}

export type PrivateLog = MessageLog<PrivateMessage>;

export interface OpenConversation extends Omit<Conversation, 'messages' | 'hasEarlierMessages' | 'marks' | 'changed'> {
  /** What is shown. */
  readonly log: PrivateLog;
  /** The newest messages, while the log is at earlier ones that the user went to; null while the log ends with them. */
  readonly newest: PrivateLog | null;
  /** Changed messages that are not in the log: a page with an older state of one may still be on its way. */
  readonly beside: ReadonlyMap<number, PrivateMessage>;
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

/** The messages that the newest belong to. */
export const endOf = (now: OpenConversation): PrivateLog => now.newest ?? now.log;

/** The messages that the server's latest page is joined to. */
export function knownMessages(before: OpenConversation | null): PrivateLog {
  return withoutGap(before === null ? { messages: [], hasEarlierMessages: false } : endOf(before));
}

/** The server's answer, with the missed pages before its messages, joined to the state before it: null opens the chat. */
export function joined(
  before: OpenConversation | null,
  { messages, hasEarlierMessages, marks, changed, ...rest }: Conversation,
  { self, uid }: Pair,
): OpenConversation {
  const mine = marks.find((one) => one.uid === self) ?? noMarks;
  const theirs = marks.find((one) => one.uid === uid) ?? noMarks;
  const hasUnread = messages.some(({ number, sender }) => sender === uid && number > mine.readUpTo);
  // With more changes than the answer lists, what was loaded before may be out of date.
  const known = knownMessages(changed === null ? null : before);
  const latest = withLatestPage(known, { messages, hasEarlierMessages });
  const away = changed === null || before === null || before.newest === null ? null : before.log;
  const opened: OpenConversation = {
    ...rest,
    log: away ?? latest,
    newest: away && latest,
    beside: before?.beside ?? new Map(),
    mine: raised(before?.mine ?? noMarks, mine),
    theirs: raised(before?.theirs ?? noMarks, theirs),
    unreadAfter: before === null && hasUnread ? mine.readUpTo : (before?.unreadAfter ?? null),
  };
  const cleared = Math.max(rest.clearedUpTo, before?.clearedUpTo ?? 0);
  return withoutCleared((changed ?? []).reduce(withChanged, { ...opened, clearedUpTo: 0 }), cleared);
}

/** The state after a page of messages before those of the log. */
export const withPage = (now: OpenConversation, page: PrivateLog): OpenConversation =>
  withLog(now, withEarlierPage(now.log, page), now.newest);

/** The state after a page that begins in the log or right behind it. */
export function withLaterPage(now: OpenConversation, { messages }: PrivateLog): OpenConversation {
  const last = now.log.messages.at(-1)?.number ?? 0;
  const later = messages.filter(({ number }) => number > last);
  return withLog(now, { ...now.log, messages: [...now.log.messages, ...later] }, now.newest);
}

/** The state at a page somewhere before the newest messages. */
export const withDistantPage = (now: OpenConversation, page: PrivateLog): OpenConversation =>
  withLog(now, page, endOf(now));

/** The state at the newest messages. */
export const atNewest = (now: OpenConversation): OpenConversation =>
  now.newest === null ? now : { ...now, log: now.newest, newest: null };

/** Some messages of a page may have changed since it was read. A log that reaches the newest messages ends with them. */
function withLog(now: OpenConversation, log: PrivateLog, newest: PrivateLog | null): OpenConversation {
  const read = { ...now, log, newest, beside: new Map<number, PrivateMessage>(), clearedUpTo: 0 };
  const seen = [...now.beside.values()].reduce(withChanged, withoutCleared(read, now.clearedUpTo));
  const last = seen.log.messages.at(-1)?.number;
  const reaches = last === undefined || last + 1 >= (seen.newest?.messages[0]?.number ?? 0);
  return seen.newest !== null && reaches
    ? { ...seen, log: withEarlierPage(seen.newest, seen.log), newest: null }
    : seen;
}

/** The state after a message was edited, deleted, hidden or reacted to, and what quotes it with it. */
export function withChanged(now: OpenConversation, message: PrivateMessage): OpenConversation {
  const { number, revision } = message;
  const here = [now.log, now.newest].flatMap((log) => log?.messages.find((each) => each.number === number) ?? []);
  const known = here[0] ?? now.beside.get(number);
  if (message.pairId !== now.pairId || (known !== undefined && known.revision > revision)) return now;
  const quote = quoteOf(message);
  const changed = inLogs(now, (messages) =>
    messages.map((each) =>
      each.number === number ? message : each.reply?.number === number ? { ...each, reply: quote } : each,
    ),
  );
  return {
    ...changed,
    beside: here.length > 0 ? now.beside : new Map([...now.beside, [number, message]]),
    revision: Math.max(now.revision, revision),
  };
}

/** The state after a change; the same object when the change is not about this chat. */
export function withChange(now: OpenConversation, change: UserEvent, { self, uid }: Pair): OpenConversation {
  if (change.type === 'chats/messageSent') return withSent(now, change.message);
  if (change.type === 'chats/messageChanged') return withChanged(now, change.message);
  if (change.type === 'chats/marked' && change.pairId === now.pairId) {
    const whose = change.marks.uid === self ? 'mine' : 'theirs';
    return { ...now, [whose]: raised(now[whose], change.marks) };
  }
  if (change.type === 'chats/cleared') return change.pairId === now.pairId ? withoutCleared(now, change.upTo) : now;
  if (change.type === 'chats/timerSet') return change.pairId === now.pairId ? { ...now, timer: change.timer } : now;
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

/** The user deleted the chat up to this message, here or on another device. */
function withoutCleared(now: OpenConversation, upTo: number): OpenConversation {
  if (upTo <= now.clearedUpTo) return now;
  const cleared = inLogs(now, (messages) =>
    messages
      .filter(({ number }) => number > upTo)
      .map((each) =>
        each.reply !== null && each.reply.number <= upTo
          ? { ...each, reply: quoteOf({ ...each.reply, image: null, state: 'deleted' }) }
          : each,
      ),
  );
  const hasEarlier = (log: PrivateLog): PrivateLog => ({
    ...log,
    hasEarlierMessages: log.hasEarlierMessages && (log.messages[0]?.number ?? 0) > upTo + 1,
  });
  return {
    ...cleared,
    clearedUpTo: upTo,
    log: hasEarlier(cleared.log),
    newest: cleared.newest && hasEarlier(cleared.newest),
    beside: new Map(),
    unreadAfter: null,
  };
}

type Messages = PrivateLog['messages'];

function inLogs(now: OpenConversation, change: (messages: Messages) => Messages): OpenConversation {
  const inLog = (log: PrivateLog): PrivateLog => ({ ...log, messages: change(log.messages) });
  return { ...now, log: inLog(now.log), newest: now.newest && inLog(now.newest) };
}

export function withSent(now: OpenConversation, message: PrivateMessage): OpenConversation {
  if (message.pairId !== now.pairId) return now;
  const end = withMessage(endOf(now), message);
  return now.newest === null ? { ...now, log: end } : { ...now, newest: end };
}

/** The server sends presence for chats with a message and without a block: a first message or an unblock may add it. */
export function mayHavePresenceNow(before: OpenConversation, after: OpenConversation): boolean {
  const isFirst = before.log.messages.length === 0 && after.log.messages.length > 0;
  // Who answers for the first time is shown from then on.
  const last = after.log.messages.at(-1);
  const isAnswer =
    after.presence === null &&
    !after.isClosed &&
    last?.sender === after.other.uid &&
    last !== before.log.messages.at(-1);
  return isFirst || isAnswer || (before.isClosed && !after.isClosed);
}

/** Marks never go back, even if an older one comes late. */
function raised(now: Marks, next: Marks): Marks {
  return advanceMarks(now, next) ?? now;
}

export interface MessageItem extends DrawnMessage {
  readonly type: 'message';
  /** Null until the server has it. */
  readonly number: number | null;
  readonly image: ChatImage | null;
  readonly voice: ChatVoice | null;
  readonly reply: Quote | null;
  readonly edits: number;
  readonly reactions: readonly Reaction[];
  /** Only on messages of the current user; null when sending failed. */
  readonly tick: ReturnType<typeof tickOf> | 'sending' | null;
}

export type ConversationItem =
  | { readonly type: 'day'; readonly key: string; readonly atMs: number }
  | { readonly type: 'unread'; readonly key: string }
  /** Who set the timer of the chat last. */
  | { readonly type: 'timer'; readonly key: string; readonly timer: ChatTimer }
  | MessageItem;

type Entry = Omit<MessageItem, keyof PlaceInRun>;

/** All items, oldest first. Days are this device's. */
export function conversationItems(
  {
    log,
    theirs,
    unreadAfter,
    timer,
    newest: away,
  }: Pick<OpenConversation, 'log' | 'theirs' | 'unreadAfter'> & Partial<Pick<OpenConversation, 'timer' | 'newest'>>,
  waiting: readonly Waiting<ToReader>[],
  self: Uid,
  /** Numbers of messages whose new text the server does not have yet. */
  edited: ReadonlySet<number> = new Set(),
): readonly ConversationItem[] {
  const confirmed = new Set<string>(log.messages.filter(({ sender }) => sender === self).map((one) => one.clientId));
  const lastAtMs = log.messages.at(-1)?.timestamp ?? 0;
  const entries = [
    ...log.messages
      .filter(({ state }) => state !== 'hidden')
      .map((message) => stored(message, self, edited.has(message.number) ? 'sending' : tickOf(message.number, theirs))),
    ...waiting.filter(({ clientId }) => !confirmed.has(clientId)).map((message) => unsent(message, lastAtMs)),
  ];
  const firstUnread =
    unreadAfter === null ? -1 : entries.findIndex((entry) => !entry.isMine && (entry.number ?? 0) > unreadAfter);

  const isSameDay = (one: Entry, other: Entry | undefined): boolean => dayOf(one.atMs) === dayOf(other?.atMs ?? 0);
  const messages = inRuns(
    entries,
    (entry, before, index) => before.isMine === entry.isMine && index !== firstUnread && isSameDay(entry, before),
  );
  const items = messages.flatMap((message, index): ConversationItem[] => [
    ...(isSameDay(message, messages[index - 1])
      ? []
      : [{ type: 'day' as const, key: `day ${dayOf(message.atMs)}`, atMs: message.atMs }]),
    ...(index === firstUnread ? [{ type: 'unread' as const, key: 'unread' }] : []),
    message,
  ]);
  return timer === undefined
    ? items
    : withTimer(items, timer, { isWhole: !log.hasEarlierMessages, isAtEnd: (away ?? null) === null });
}

/** Before the first message that was sent after it, where that place is on the screen. */
function withTimer(
  items: readonly ConversationItem[],
  timer: ChatTimer,
  { isWhole, isAtEnd }: { isWhole: boolean; isAtEnd: boolean },
): readonly ConversationItem[] {
  const line = { type: 'timer', key: 'timer', timer } as const;
  const after = items.findIndex((item) => item.type === 'message' && item.atMs > timer.at);
  if (after < 0) return isAtEnd ? [...items, line] : items;
  const isFirst = items.slice(0, after).every(({ type }) => type !== 'message');
  if (isFirst && !isWhole) return items;
  const before = items[after - 1];
  const isNextDay = before?.type === 'day' && dayOf(before.atMs) !== dayOf(timer.at);
  return items.toSpliced(isNextDay ? after - 1 : after, 0, line);
}

function stored(message: PrivateMessage, self: Uid, tick: MessageItem['tick']): Entry {
  const { number, sender, clientId, text, image, voice = null, timestamp, reply, edits, state, reactions } = message;
  const isMine = sender === self;
  return {
    type: 'message',
    key: isMine ? clientId : String(number),
    number,
    isMine,
    text,
    image,
    voice,
    ...{ reply, edits, isDeleted: state === 'deleted', reactions },
    atMs: timestamp,
    tick: isMine && state === 'shown' ? tick : null,
    waiting: null,
  };
}

function unsent(message: Waiting<ToReader>, notBeforeMs: number): Entry {
  const { clientId, text, image, voice = null, writtenAtMs, failure, reply = null } = message;
  return {
    type: 'message',
    key: clientId,
    number: null,
    isMine: true,
    text,
    image,
    voice,
    ...{ reply, edits: 0, isDeleted: false, reactions: [] },
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
