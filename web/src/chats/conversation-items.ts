/**
 * What an open chat shows, from top to bottom: days, the divider above unread messages, messages with their ticks.
 * Pure.
 */
import { tickOf } from '@tunemate/domain';
import type { PrivateMessage, Uid } from '@tunemate/protocol';
import { inRuns, type PlaceInRun } from '../messages/message-runs.ts';
import type { ChatImage, Waiting } from '../messages/outbox-storage.ts';
import type { OpenConversation } from './open-conversation.ts';

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
