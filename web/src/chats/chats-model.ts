/**
 * Private chats of the current user, for as long as the page lives: the list, unsent and half-written messages, and the
 * marks for messages that arrive, on every screen. Chats are opened and closed with their screen.
 */
import { advanceMarks, type Marks } from '@tunemate/domain';
import type {
  ChatArrangement,
  ClientId,
  PairId,
  Payload,
  PrivateMessage,
  Result,
  Uid,
  UserSnapshot,
  Value,
} from '@tunemate/protocol';
import { newClientId } from '../connection/ids.ts';
import { onUserEvent, type UserEvent } from '../connection/person-updates.ts';
import type { Connection } from '../connection/port.ts';
import { createOutbox, outboxStorage, type Outbox, type Waiting } from '../messages/outbox.ts';
import { cell, type Readable } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';
import type { Kept } from '../store/kept.ts';
import type { LenientStorage } from '../store/lenient-storage.ts';
import { createConversationList, type ConversationList } from './conversation-list.ts';
import type { ToReader } from './conversation.ts';
import { createConversationModel, type ConversationModel, type Receipts } from './conversation-model.ts';
import { createKeptChats } from './kept-chats.ts';
import { uploadImage, uploadVoice } from './images.ts';
import { createPendingActs, type PendingActs } from './acts/pending-acts.ts';
import { createTypingPeople } from '../messages/typing-people.ts';

export interface ChatsModel {
  readonly self: Uid;
  readonly list: ConversationList;
  readonly outbox: Outbox<ToReader>;
  readonly acts: PendingActs;
  readonly drafts: Drafts;
  /** The chat with one person; close it with its screen. */
  open(uid: Uid): ConversationModel;
  /** Messages up to this number were read, on whatever screen. */
  read(pairId: PairId, number: number): void;
  /** Who is typing to the user. */
  readonly typing: Readable<ReadonlySet<Uid>>;
  /** What the user makes of a chat for their own list. */
  arrange(pairId: PairId, more: Partial<ChatArrangement>): Promise<Result<object>>;
  /** Deletes a chat for the user, up to this message. */
  clear(pairId: PairId, upTo: number): Promise<Result<object>>;
  /** One page of what is found, in one chat or in all. */
  search(asked: Asked): Promise<Result<Value<'chats/search'>>>;
  /** The number of the first message from this time on; null without one. */
  firstSince(pairId: PairId, sinceMs: number): Promise<Result<{ number: number | null }>>;
  /** Uploads an image and sends it as a separate message. */
  sendImage(uid: Uid, file: File): Promise<Result<object>>;
  /** Uploads a recording and sends it. */
  sendVoice(to: ToReader, recording: Blob): Promise<Result<object>>;
}

type Asked = Payload<'chats/search'> & { pairId?: PairId | undefined };

export interface ChatsParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly storage: LenientStorage;
  readonly fetch: typeof fetch;
  readonly kept: Kept;
}

/** `snapshot` is the latest one of the user stream, `missed` are the changes that followed it. */
export function createChatsModel(
  { connection, clock, storage, fetch, kept }: ChatsParts,
  snapshot: UserSnapshot,
  missed: readonly UserEvent[],
): ChatsModel {
  const self = snapshot.user.uid;
  const opened = new Set<ConversationModel>();
  const drafts = createDrafts(storage, self);
  const receipts = createReceipts(connection, clock);
  const keptChats = createKeptChats(kept, self);
  const list = createConversationList(connection, self, keptChats.rows);
  keptChats.keepRows(list.rows);
  const acts = createPendingActs({ connection, clock, storage, self, newClientId });
  const onSent = (message: PrivateMessage): void => {
    for (const conversation of opened) conversation.confirm(message);
  };
  const outbox = createPrivateOutbox({ connection, clock, storage, self, newClientId, onSent });

  // Messages that came while no page was open count as delivered to this device once the list is loaded.
  list.rows.subscribe(() => {
    for (const { pairId, last, unread } of list.rows.get() ?? [])
      if (unread > 0) receipts.delivered(pairId, last.number);
  });

  function receive(change: UserEvent): void {
    if (change.type === 'chats/messageSent') {
      const { sender, clientId, pairId, number } = change.message;
      if (sender === self) outbox.confirm(clientId);
      else receipts.delivered(pairId, number);
    }
    keptChats.receive(change);
    list.receive(change);
    acts.receive(change);
    for (const conversation of opened) conversation.receive(change);
  }

  function renew({ unreadChats }: UserSnapshot): void {
    list.renew(unreadChats);
    outbox.sendAll();
    acts.sendAll();
    for (const conversation of opened) conversation.renew();
  }

  connection.onUserSnapshot(renew);
  onUserEvent(connection, receive);
  renew(snapshot);
  missed.forEach(receive);

  return {
    self,
    list,
    outbox,
    acts,
    drafts,
    read: receipts.read,
    typing: typingToUser(connection, clock),
    ...requestsOf(connection),
    async sendImage(uid, file) {
      const answer = await uploadImage(fetch, uid, file);
      if (answer.ok) outbox.send({ uid }, '', { image: answer.value });
      return answer;
    },
    async sendVoice(to, recording) {
      const answer = await uploadVoice(fetch, to.uid, recording);
      if (answer.ok) outbox.send(to, '', { voice: answer.value });
      return answer;
    },
    open(uid) {
      const conversation = createConversationModel({ connection, clock, receipts, self, uid, kept: keptChats });
      opened.add(conversation);
      return {
        ...conversation,
        close() {
          opened.delete(conversation);
          conversation.close();
        },
      };
    },
  };
}

/** What only asks the server: its changes come back on the user's stream. */
function requestsOf(connection: Connection): Pick<ChatsModel, 'arrange' | 'clear' | 'firstSince' | 'search'> {
  return {
    firstSince: (pairId, since) => connection.request('chats/firstSince', { pairId, since }),
    arrange: (pairId, more) => connection.request('chats/arrange', { pairId, ...more }),
    clear: (pairId, upTo) => connection.request('chats/clear', { pairId, upTo }),
    search: ({ pairId, ...asked }) =>
      pairId === undefined
        ? connection.request('chats/search', asked)
        : connection.request('chats/searchInChat', { pairId, ...asked }),
  };
}

const gatherMs = 200;
const againAfterMs = 1000;

/**
 * Sends the current user's marks: delivered as soon as any page has a message, read when it was on the screen.
 * Marks are collected for a short time, sent one conversation after another, and never go back.
 */
export function createReceipts(connection: Connection, clock: Clock): Receipts {
  const asked = new Map<PairId, Marks & { seenRevision: number }>();
  const waiting = new Set<PairId>();
  let isSending = false;

  function raise(pairId: PairId, marks: Marks, seenRevision = 0): void {
    const before = asked.get(pairId) ?? { deliveredUpTo: 0, readUpTo: 0, seenRevision: 0 };
    const next = advanceMarks(before, marks);
    if (next === null && seenRevision <= before.seenRevision) return;
    asked.set(pairId, { ...before, ...next, seenRevision: Math.max(before.seenRevision, seenRevision) });
    waiting.add(pairId);
    sendSoon(gatherMs);
  }

  function sendSoon(delayMs: number): void {
    if (isSending) return;
    isSending = true;
    clock.schedule(() => void sendAll(), delayMs);
  }

  async function sendAll(): Promise<void> {
    let pauseMs: number | null = null;
    for (const pairId of waiting) {
      const marks = asked.get(pairId);
      waiting.delete(pairId);
      if (marks === undefined) continue;
      const { seenRevision, ...upTo } = marks;
      const seen = seenRevision > 0 ? { seenRevision } : {};
      const answer = await connection.requestUntilAnswered('chats/mark', { pairId, ...upTo, ...seen });
      if (answer.ok || answer.error.code !== 'limit/too-many') continue;
      waiting.add(pairId);
      pauseMs = answer.error.retryAfterMs ?? againAfterMs;
      break;
    }
    isSending = false;
    if (waiting.size > 0) sendSoon(pauseMs ?? gatherMs);
  }

  return {
    delivered: (pairId, number) => raise(pairId, { deliveredUpTo: number, readUpTo: 0 }),
    read: (pairId, number, seenRevision) => raise(pairId, { deliveredUpTo: number, readUpTo: number }, seenRevision),
  };
}

interface PrivateOutboxParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly storage: LenientStorage;
  readonly self: Uid;
  readonly newClientId: () => ClientId;
  readonly onSent: (message: PrivateMessage) => void;
}

export function createPrivateOutbox(parts: PrivateOutboxParts): Outbox<ToReader> {
  const { connection, clock, storage, self, newClientId, onSent } = parts;
  return createOutbox<ToReader, PrivateMessage>({
    clock,
    storage: outboxStorage(storage, self, (message): message is Waiting<ToReader> => message.uid !== undefined),
    newClientId,
    deliver({ clientId, uid, text, image, voice, reply }) {
      const media = { ...(image && { imageId: image.imageId }), ...(voice && { voiceId: voice.voiceId }) };
      const carried = { ...media, ...(reply && { replyTo: reply.number }) };
      return connection.requestUntilAnswered('chats/send', { clientId, uid, text, ...carried });
    },
    onSent,
    longestPauseMs: 60_000,
  });
}

type Drafts = ReturnType<typeof createDrafts>;

/**
 * Half-written messages by recipient, kept on this device until they are sent or the user signs out: later users of the
 * device must not find them.
 */
function createDrafts(storage: LenientStorage, self: Uid) {
  const key = `tunemate/drafts/${self}`;
  const texts = cell<ReadonlyMap<Uid, string>>(new Map(read()));

  function read(): [Uid, string][] {
    try {
      const kept: unknown = JSON.parse(storage.getItem(key) ?? '{}');
      if (typeof kept !== 'object' || kept === null) return [];
      return Object.entries(kept).filter((each): each is [Uid, string] => typeof each[1] === 'string');
    } catch {
      // Foreign data, or an incomplete write.
      return [];
    }
  }

  return {
    texts,
    keep(uid: Uid, text: string): void {
      // Other tabs keep theirs in the same place.
      const stored = new Map(read());
      const next = new Map(texts.get());
      for (const map of [stored, next]) {
        if (text === '') map.delete(uid);
        else map.set(uid, text);
      }
      if (stored.size === 0) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(Object.fromEntries(stored)));
      texts.set(next);
    },
  };
}

/** Who is typing to the user, for the list of chats. Typing may be lost, and expires. */
function typingToUser(connection: Connection, clock: Clock): Readable<ReadonlySet<Uid>> {
  const { people, types, stop } = createTypingPeople(clock);
  connection.onEphemeral((event) => {
    if (event.type === 'chats/typing') types(event.uid);
  });
  onUserEvent(connection, (change) => {
    if (change.type === 'chats/messageSent') stop(change.message.sender);
  });
  return people;
}
