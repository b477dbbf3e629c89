/** The people of screen tests, and the server's documents about them. */
import type {
  Conversation,
  ConversationRow,
  Notification,
  PairId,
  PrivateMessage,
  Tunemate,
  Uid,
} from '@tunemate/protocol';
import { clientId, maraUid, uidOf } from '../connection-fixtures.ts';

export const ivoUid = uidOf('Ivo');

/** A name of the maximum length, without a space to break at. */
export const longName = 'Wolfeschlegelsteinhausenbergerdorffwelchevoraltern'.slice(0, 50);

export function presenceOf(uid: Uid, state: 'online' | 'offline' = 'online') {
  return { uid, state, last_changed: 1 };
}

export function aTunemate(
  name: string,
  more: Partial<Tunemate> = {},
  state: 'online' | 'offline' = 'online',
): Tunemate {
  const uid = uidOf(name);
  return { uid, name, metIn: ['video'], presence: presenceOf(uid, state), ...more };
}

/** Person 1, person 2 … */
export const tunemates = (count: number): Tunemate[] =>
  Array.from({ length: count }, (_, index) => aTunemate(`Person ${String(index + 1)}`));

/** One moment for all that a test makes, so that a list keeps the order in which they were made. */
const openedAtMs = Date.now();

export function aNotification(more: Partial<Notification> = {}): Notification {
  return {
    id: 'n1',
    type: 'now-playing',
    message: 'Ivo invites you to listen',
    senderName: 'Ivo',
    senderUid: ivoUid,
    timestamp: openedAtMs,
    isRead: false,
    room: null,
    ...more,
  };
}

export const pairOf = (one: Uid, other: Uid): PairId => [one, other].toSorted().join('_') as PairId;

/** A message between Mara and `other`; `other` is the sender by default. */
export function aMessage(other: Uid, number: number, more: Partial<PrivateMessage> = {}): PrivateMessage {
  return {
    pairId: pairOf(maraUid, other),
    number,
    clientId: clientId(number),
    sender: other,
    text: `message ${String(number)}`,
    image: null,
    timestamp: Date.now(),
    ...{ reply: null, edits: 0, state: 'shown', reactions: [], revision: 0 },
    ...more,
  };
}

export function aConversationRow(
  name: string,
  last: Partial<PrivateMessage> = {},
  more: Partial<ConversationRow> = {},
): ConversationRow {
  const uid = uidOf(name);
  return {
    pairId: pairOf(maraUid, uid),
    other: { uid, name },
    last: aMessage(uid, 1, last),
    presence: presenceOf(uid),
    unread: 0,
    ...{ isPinned: false, isMuted: false, isArchived: false },
    ...more,
  };
}

/** An open chat between Mara and `name`, with nothing in it but what the test names. */
export function aConversation(name: string, more: Partial<Conversation> = {}): Conversation {
  const uid = uidOf(name);
  return {
    pairId: pairOf(maraUid, uid),
    other: { uid, name },
    isGone: false,
    presence: presenceOf(uid),
    isSoulmate: false,
    isTunemate: true,
    isBlockedByMe: false,
    isClosed: false,
    messages: [],
    hasEarlierMessages: false,
    marks: [],
    clearedUpTo: 0,
    revision: 0,
    changed: [],
    ...more,
  };
}
