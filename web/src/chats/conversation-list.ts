/**
 * The list of conversations, kept live: loaded when a screen needs it, updated from the user stream, and loaded again
 * on each new connection. Pinned ones first, then people one knows, the newest first, then strangers, a hundred at once,
 * each with its number of unread messages; a count from the server replaces the count that is added up here.
 */
import { type ConversationRow, limits, type Refusal, type Uid, type UserChange } from '@tunemate/protocol';
import { newest, type PersonNews, type UserEvent } from '../connection/person-updates.ts';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';

export interface ConversationList {
  /** Pinned ones first, then the newest; null until it was loaded. */
  readonly rows: Readable<readonly ConversationRow[] | null>;
  /** True while they are those that this device stored: what is unread of them is not known. */
  readonly isKept: () => boolean;
  /** Unread messages of all conversations. */
  readonly unread: Readable<number>;
  /** How many chats come after these; 0 when all are listed. */
  readonly more: Readable<number>;
  /** Loads the next ones; answers why that failed. */
  loadMore(): Promise<Refusal | null>;
  /** Why the list could not be loaded; null when it is loaded or loading. */
  readonly failure: Readable<Refusal | null>;
  load(): Promise<void>;
  /** Loads the list unless it was loaded. */
  need(): void;
  receive(change: UserEvent): void;
  /** A new connection is live, with this many unread messages. */
  renew(unread: number): void;
}

/** `kept` answers the rows that this device stored. */
export function createConversationList(
  connection: Connection,
  self: Uid,
  kept: () => Promise<readonly ConversationRow[] | undefined> = () => Promise.resolve(undefined),
): ConversationList {
  const rows = cell<readonly ConversationRow[] | null>(null);
  const unread = cell(0);
  const failure = cell<Refusal | null>(null);
  const more = cell(0);
  let asking: Promise<void> | null = null;
  /** Changes that arrived while the list was being loaded. */
  let meanwhile: UserEvent[] = [];
  let isKept = false;
  rows.subscribe(() => {
    if (!isKept) unread.set(unreadOf(rows.get() ?? []));
  });

  async function ask(): Promise<void> {
    meanwhile = [];
    failure.set(null);
    const answer = await connection.requestUntilAnswered('chats/list', {});
    asking = null;
    if (!answer.ok) return failure.set(answer.error);
    const fresh = newestFirst(answer.value.conversations);
    more.set(answer.value.more ?? 0);
    isKept = false;
    rows.set(meanwhile.reduce((now, change) => afterChange(now, change, self), fresh));
  }

  function load(): Promise<void> {
    if (asking === null && rows.get() === null) void restore();
    asking ??= ask();
    return asking;
  }

  async function loadMore(): Promise<Refusal | null> {
    const from = rows.get()?.length ?? 0;
    const answer = await connection.request('chats/list', { from });
    if (!answer.ok) return answer.error;
    const now = rows.get() ?? [];
    // A chat may have moved up meanwhile.
    const next = answer.value.conversations.filter((row) => now.every(({ pairId }) => pairId !== row.pairId));
    more.set(answer.value.more ?? 0);
    rows.set(newestFirst([...now, ...next], now.length + next.length));
    return null;
  }

  /** Only until the server answers. */
  async function restore(): Promise<void> {
    const found = await kept();
    if (found === undefined || rows.get() !== null) return;
    isKept = true;
    rows.set(found);
  }

  return {
    rows,
    isKept: () => isKept,
    unread,
    more,
    loadMore,
    failure,
    load,
    need() {
      if (rows.get() === null) void load();
    },
    receive(change) {
      if (asking !== null) meanwhile.push(change);
      const now = rows.get();
      if (now !== null) rows.set(afterChange(now, change, self));
      // A count without the list would only grow.
      if (now === null ? isNews(change) : opensPresence(now, change) || hidesLast(now, change)) void load();
    },
    renew(count) {
      if (rows.get() !== null || count > 0) void load();
      if (rows.get() === null) unread.set(count);
    },
  };
}

type Rows = readonly ConversationRow[];

/** True when the server has to be asked whether the other person's presence is visible now. */
export function opensPresence(rows: Rows, change: UserEvent): boolean {
  if (change.type === 'chats/closed') return !change.isClosed;
  if (change.type !== 'chats/messageSent') return false;
  const known = rows.find(({ pairId }) => pairId === change.message.pairId);
  // Who answers for the first time is shown from then on.
  return known === undefined || (known.presence === null && change.message.sender === known.other.uid);
}

const isNews = ({ type }: UserEvent): boolean => type === 'chats/messageSent' || type === 'chats/messageChanged';

/** True when the server has to be asked for the message that is the last one now, or for a chat that is shown again. */
function hidesLast(rows: Rows, change: UserEvent): boolean {
  if (change.type !== 'chats/messageChanged') return false;
  const { pairId, number, state } = change.message;
  const row = rows.find((each) => each.pairId === pairId);
  return state === 'hidden' ? row?.last.number === number : row === undefined;
}

/** The rows after one change; the same array when the change does not concern them. */
export function afterChange(rows: Rows, change: UserEvent, self: Uid): Rows {
  if (change.type === 'chats/messageSent') return withMessage(rows, change, self);
  if (change.type === 'chats/messageChanged') {
    return rows.map((row) => (row.pairId === change.message.pairId ? withChanged(row, change) : row));
  }
  if (change.type === 'chats/arranged') {
    const { isPinned, isMuted, isArchived } = change;
    const arranged = rows.map((row) =>
      row.pairId === change.pairId ? { ...row, isPinned, isMuted, isArchived } : row,
    );
    return newestFirst(arranged, rows.length);
  }
  if (change.type === 'chats/cleared') return withoutCleared(rows, change);
  if (change.type === 'people/changed') {
    return rows.map((row) => (row.other.uid === change.person.uid ? withPerson(row, change) : row));
  }
  if (change.type === 'chats/marked' && change.marks.uid === self) {
    const { pairId, unread } = change;
    return rows.map((row) => (row.pairId === pairId ? { ...row, unread: unread ?? row.unread } : row));
  }
  if (change.type === 'presence/changed') {
    const { presence } = change;
    return rows.map((row) => (row.presence !== null && row.other.uid === presence.uid ? { ...row, presence } : row));
  }
  if (change.type === 'chats/closed' && change.isClosed) {
    return rows.map((row) => (row.other.uid === change.uid ? { ...row, presence: null } : row));
  }
  return rows;
}

/** A row without presence keeps none: the server decides with the row whether it is visible. */
function withPerson(row: ConversationRow, { person, isGone }: PersonNews): ConversationRow {
  const presence = isGone ? null : row.presence && newest(row.presence, person.presence);
  return { ...row, other: { uid: person.uid, name: person.name }, presence };
}

/** Strangers are the first who have no room, so that they push no person away whom one knows. */
function newestFirst(rows: Rows, loaded = 0): Rows {
  const order = (one: ConversationRow, other: ConversationRow): number =>
    Number(other.isPinned) - Number(one.isPinned) ||
    Number(one.isStranger ?? false) - Number(other.isStranger ?? false) ||
    other.last.timestamp - one.last.timestamp;
  return rows.toSorted(order).slice(0, Math.max(limits.chatList, loaded));
}

export function unreadOf(rows: Rows): number {
  return rows.reduce((sum, { unread }) => sum + unread, 0);
}

type Cleared = Extract<UserChange, { type: 'chats/cleared' }>;

/** A chat with a message after those that were deleted stays. */
function withoutCleared(rows: Rows, { pairId, upTo, unread }: Cleared): Rows {
  return rows
    .filter((row) => row.pairId !== pairId || row.last.number > upTo)
    .map((row) => (row.pairId === pairId ? { ...row, unread } : row));
}

const notArranged = { isPinned: false, isMuted: false, isArchived: false };

type Sent = Extract<UserChange, { type: 'chats/messageSent' }>;

function withMessage(rows: Rows, { message, other }: Sent, self: Uid): Rows {
  const known = rows.find(({ pairId }) => pairId === message.pairId);
  if (known !== undefined && message.number <= known.last.number) return rows;
  const unread = (known?.unread ?? 0) + (message.sender === self ? 0 : 1);
  const arranged = known ?? notArranged;
  // Of a new one the server says whether it is of a stranger: the list is loaded again.
  const isStranger = message.sender !== self && known?.isStranger === true;
  const row = {
    ...{ pairId: message.pairId, other, last: message, presence: known?.presence ?? null, unread },
    ...{ isPinned: arranged.isPinned, isMuted: arranged.isMuted, isArchived: arranged.isArchived && arranged.isMuted },
    ...(isStranger && { isStranger: true as const }),
  };
  return newestFirst([row, ...rows.filter((one) => one !== known)], rows.length);
}

type Changed = Extract<UserChange, { type: 'chats/messageChanged' }>;

/** An older message becomes the last one when those after it were hidden, and a hidden one when it is shown again. */
function withChanged(row: ConversationRow, { message, unread }: Changed): ConversationRow {
  const isLast = message.state !== 'hidden' && message.number >= row.last.number;
  return { ...row, unread, last: isLast ? { ...message, reply: null, reactions: [] } : row.last };
}
