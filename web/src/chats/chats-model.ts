/**
 * Private chats of the current user, for as long as the page lives: the list, unsent and half-written messages, and the
 * marks for messages that arrive, on every screen. Chats are opened and closed with their screen.
 */
import { advanceMarks, type Marks, readPairId } from '@tunemate/domain';
import type {
  ChatArrangement,
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
import { keptEntries } from '../store/kept-entries.ts';
import type { SharedStorage } from '../store/lenient-storage.ts';
import { createConversationList, type ConversationList } from './conversation-list.ts';
import type { ToReader } from './conversation.ts';
import { createConversationModel, type ConversationModel, type Receipts } from './conversation-model.ts';
import { createKeptChats } from './kept-chats.ts';
import { uploadImage, uploadVoice } from './images.ts';
import { type ActsParts, createPendingActs, type PendingAct, type PendingActs } from './acts/pending-acts.ts';
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
  /** How many messages, images and recordings the server does not have. */
  unsent(): number;
  /** How many images are on their way to each person. */
  readonly images: Readable<ReadonlyMap<Uid, number>>;
  /** Uploads an image, after those before it, and sends it as a separate message. */
  sendImage(uid: Uid, file: File): Promise<Result<object>>;
  /** Uploads a recording and sends it. */
  sendVoice(to: ToReader, recording: Blob): Promise<Result<object>>;
}

type Asked = Payload<'chats/search'> & { pairId?: PairId | undefined };

export interface ChatsParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly storage: SharedStorage;
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
  const drafts = createDrafts(storage, clock, self);
  const receipts = createReceipts(connection, clock);
  const keptChats = createKeptChats(kept, self, clock.now);
  const list = createConversationList(connection, self, keptChats.rows);
  keptChats.keepRows(list.rows);
  const acts = createPendingActs({ connection, clock, storage, self, newClientId, onRefused: drafts.keepRefused });
  const onSent = (message: PrivateMessage): void => {
    for (const conversation of opened) conversation.confirm(message);
  };
  const outbox = createPrivateOutbox({ connection, clock, storage, self, newClientId, onSent });
  const images = createImages(fetch, outbox);
  const voices = createVoices(fetch, outbox);

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
    images: images.underWay,
    sendImage: images.send,
    unsent: () => [...images.underWay.get().values(), voices.underWay(), outbox.waiting.get().length].reduce(sum),
    sendVoice: voices.send,
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
      if (answer.ok) continue;
      if (answer.error.code !== 'limit/too-many') {
        // The session may be over: they are sent again after the next sign-in.
        if (!waiting.has(pairId)) asked.delete(pairId);
        continue;
      }
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

interface PrivateOutboxParts extends Omit<ActsParts, 'onRefused'> {
  readonly onSent: (message: PrivateMessage) => void;
}

export function createPrivateOutbox(parts: PrivateOutboxParts): Outbox<ToReader> {
  const { connection, clock, storage, self, newClientId, onSent } = parts;
  return createOutbox<ToReader, PrivateMessage>({
    clock,
    storage: outboxStorage(storage, clock, self, isPrivate),
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

const isPrivate = (message: Waiting): message is Waiting<ToReader> => message.uid !== undefined;

/** Images are on their way whatever the user looks at meanwhile. */
export function createImages(fetch: ChatsParts['fetch'], outbox: Pick<Outbox<ToReader>, 'send'>) {
  const underWay = cell<ReadonlyMap<Uid, number>>(new Map());
  const last = new Map<Uid, Promise<unknown>>();
  const count = (uid: Uid, more: number): void =>
    underWay.update((now) => new Map([...now, [uid, (now.get(uid) ?? 0) + more]]));

  async function send(uid: Uid, file: File): Promise<Result<object>> {
    count(uid, 1);
    const turn = (last.get(uid) ?? Promise.resolve()).then(() => uploadImage(fetch, uid, file));
    // An image whose upload ends in an exception stops none behind it.
    last.set(
      uid,
      turn.catch(() => undefined),
    );
    try {
      const answer = await turn;
      if (answer.ok) outbox.send({ uid }, '', { image: answer.value });
      return answer;
    } finally {
      count(uid, -1);
    }
  }

  return { underWay, send };
}

const sum = (one: number, other: number): number => one + other;

/** The same for recordings. */
function createVoices(fetch: ChatsParts['fetch'], outbox: Pick<Outbox<ToReader>, 'send'>) {
  let underWay = 0;

  async function send(to: ToReader, recording: Blob): Promise<Result<object>> {
    underWay += 1;
    try {
      const answer = await uploadVoice(fetch, to.uid, recording);
      if (answer.ok) outbox.send(to, '', { voice: answer.value });
      return answer;
    } finally {
      underWay -= 1;
    }
  }

  return { underWay: () => underWay, send };
}

type Drafts = ReturnType<typeof createDrafts>;

/**
 * Half-written messages by recipient, kept on this device until they are sent or the user signs out: later users of the
 * device must not find them.
 */
function createDrafts(storage: SharedStorage, clock: Clock, self: Uid) {
  const kept = keptEntries<string>(storage, `tunemate/drafts/${self}`, clock.now);
  // A uid is the key of each.
  const texts = cell(kept.read() as ReadonlyMap<Uid, string>);
  const look = (): void => texts.set(kept.read() as ReadonlyMap<Uid, string>);

  function keep(uid: Uid, text: string): void {
    if (text === '') kept.remove(uid);
    else kept.keep(uid, text);
    look();
  }

  // Another tab has sent it, or goes on with it.
  kept.onChange(look);

  return {
    texts,
    keep,
    /** The words of a refused edit become the draft of its chat, unless there is one. */
    keepRefused(act: PendingAct): void {
      const other = readPairId(act.pairId, self)?.other;
      if (act.type === 'edit' && other && !texts.get().has(other)) keep(other, act.text);
    },
  };
}

/** Who is typing to the user, for the list and the open chat. Typing may be lost, and expires. */
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
