/** The people of the tests of screens, and what the server knows of them. */
import type {
  Conversation,
  ConversationRow,
  Notification,
  OwnSnapshot,
  PairId,
  PrivateMessage,
  Tunemate,
  Uid,
  UserDocument,
} from '@tunemate/protocol';

/** A uid from anything short: letters and digits stay, the rest is filled up. */
export const uidOf = (short: string): Uid =>
  short
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .slice(0, 22)
    .padEnd(22, 'x') as Uid;

export const MARA = uidOf('Mara');
export const IVO = uidOf('Ivo');

/** Who looks at the page. */
export const mara: UserDocument = {
  uid: MARA,
  name: 'Mara Lindqvist',
  email: 'mara@example.test',
  emailVerified: true,
  online: true,
  createdAt: 1,
  soulmate: null,
  tunemates: [],
  audioConnections: [],
  readReceipts: true,
};

/** As long as a name may be, without a place to break it. */
export const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorffwelchevoraltern'.slice(0, 50);

export function snapshotOf(own: Partial<OwnSnapshot> = {}): OwnSnapshot {
  return {
    seq: 0,
    user: mara,
    soulmate: null,
    tunemates: [],
    notifications: [],
    unreadChats: 0,
    serverNowMs: Date.now(),
    ...own,
  };
}

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

export function aNotification(more: Partial<Notification> = {}): Notification {
  return {
    id: 'n1',
    type: 'now-playing',
    message: 'Ivo invites you to listen',
    senderName: 'Ivo',
    senderUid: IVO,
    timestamp: Date.now(),
    isRead: false,
    room: null,
    ...more,
  };
}

export const pairOf = (one: Uid, other: Uid): PairId => [one, other].toSorted().join('_') as PairId;

/** A message between Mara and `other`, from `other` unless told. */
export function aMessage(other: Uid, number: number, more: Partial<PrivateMessage> = {}): PrivateMessage {
  return {
    pairId: pairOf(MARA, other),
    number,
    clientId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as PrivateMessage['clientId'],
    sender: other,
    text: `message ${String(number)}`,
    image: null,
    timestamp: Date.now(),
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
    pairId: pairOf(MARA, uid),
    other: { uid, name },
    last: aMessage(uid, 1, last),
    presence: presenceOf(uid),
    unread: 0,
    ...more,
  };
}

/** An open chat between Mara and `name`, with nothing in it but what the test names. */
export function aConversation(name: string, more: Partial<Conversation> = {}): Conversation {
  const uid = uidOf(name);
  return {
    pairId: pairOf(MARA, uid),
    other: { uid, name },
    isGone: false,
    presence: presenceOf(uid),
    isSoulmate: false,
    isTunemate: true,
    isBlockedByMe: false,
    messages: [],
    hasEarlierMessages: false,
    marks: [],
    ...more,
  };
}
