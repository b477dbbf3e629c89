/** The chat of one room: its messages, the user's unsent ones, earlier pages, and reactions. */
import type { Schedule } from '@tunemate/playback';
import {
  type ClientId,
  type Result,
  type RoomChange,
  type RoomMessage,
  type RoomQuote,
  type RoomSnapshot,
  type StampCount,
  type StampName,
  stampNames,
  type Uid,
} from '@tunemate/protocol';
import type { Connection } from '../../connection/port.ts';
import type { Clock } from '../../store/clock.ts';
import {
  createEarlierPages,
  type EarlierStatus,
  type MessageLog,
  withEarlierPage,
  withLatestPage,
  withMessage,
  inRuns,
  type DrawnMessage,
  type PlaceInRun,
} from '../../messages/message-log.ts';
import { outboxStorage, type ToRoom, type Waiting, createOutbox, type Outbox } from '../../messages/outbox.ts';
import { cell, type Readable } from '../../store/cell.ts';
import type { SharedStorage } from '../../store/lenient-storage.ts';
import type { RoomAddress } from '../room-kinds.ts';
import type { RoomEvent, VisitPorts } from '../visit/room-model.ts';
import { t } from '../../language/t.ts';

export interface ChatModel extends Pick<Outbox<ToRoom>, 'waiting' | 'retry' | 'discard'> {
  readonly log: Readable<MessageLog<RoomMessage>>;
  readonly earlier: Readable<EarlierStatus>;
  readonly reactions: Reactions;
  receive(event: Exclude<RoomEvent, { type: 'over' }>): void;
  /** False when the text is blank or too long. */
  send(text: string, reply?: RoomQuote | null): boolean;
  /** `downTo`: the id of a message that the page is to reach. */
  loadEarlier(downTo?: string): Promise<void>;
  /** Keeps the latest messages alone, because the chat is closed: the others come back as earlier pages. */
  letGo(): void;
  /** Adds the user's stamp to a message, or removes it. */
  stamp(messageId: string, stamp: StampName, isOn: boolean): Promise<Result<unknown>>;
  /** Shows a stamp over everyone's picture. */
  react(stamp: StampName): Promise<Result<unknown>>;
  /** For everyone: the host any, others their own for 15 minutes. */
  deleteMessage(messageId: string): Promise<Result<unknown>>;
  /** Deletes unsent messages, because the visit is over. */
  giveUp(): void;
  /** Unsent messages stay on the device, for the next visit. */
  close(): void;
}

/** More don't arrive while a page is under way. */
const mostRecent = 500;
/** With more messages a closed chat lets go of the oldest, down to so many. */
export const mostWhileClosed = 300;
const keptWhileClosed = 200;

interface ChatPorts extends VisitPorts {
  readonly clock: Clock;
  readonly storage: SharedStorage;
  readonly newClientId: () => ClientId;
}

export function createChatModel(ports: ChatPorts, entered: RoomSnapshot): ChatModel {
  const { connection, clock, storage, newClientId } = ports;
  const address = { kind: ports.kind, code: ports.code };
  const self = ports.selfUid as Uid;
  const room = { room: entered.room.roomId };
  const { log, earlier, change, letGo, enter: enterLog } = createRoomLog(connection, address, self);
  const reactions = createReactions(clock.schedule);
  const abort = new AbortController();
  const outbox = createOutbox<ToRoom, RoomMessage>({
    clock,
    storage: outboxStorage(storage, clock, self, (one): one is Waiting<ToRoom> => one.room === room.room),
    newClientId,
    deliver: ({ clientId, text, reply }) =>
      connection.requestUntilAnswered(
        'rooms/sendMessage',
        { ...address, clientId, text, ...(reply && { replyTo: reply.id }) },
        { signal: abort.signal },
      ),
    onSent: take,
    // A message over the rate limit fails at once.
    longestPauseMs: 0,
  });

  function take(message: RoomMessage): void {
    log.update((now) => withMessage(now, message));
    if (message.sender === self) outbox.confirm(message.clientId);
  }

  function enter(page: RoomSnapshot): void {
    enterLog(page);
    for (const { sender, clientId } of page.messages) if (sender === self) outbox.confirm(clientId);
    outbox.sendAll();
  }

  const endCheers = connection.onEphemeral((event) => {
    if (event.type === 'rooms/cheered' && event.roomId === room.room) reactions.rise(event.stamp);
  });

  enter(entered);
  return {
    log,
    earlier: earlier.status,
    reactions,
    loadEarlier: earlier.load,
    letGo,
    waiting: outbox.waiting,
    retry: outbox.retry,
    discard: outbox.discard,
    receive(event) {
      if (event.type === 'rooms/messageSent') take(event.message);
      if (event.type === 'entered') return enter(event.snapshot);
      if (isMessageChange(event)) change(event);
      if (event.type === 'rooms/stamped' && event.isOn) reactions.rise(event.stamp);
    },
    stamp: (messageId, stamp, isOn) => connection.request('rooms/stamp', { ...address, messageId, stamp, isOn }),
    react: (stamp) => connection.request('rooms/cheer', { ...address, stamp }),
    deleteMessage: (messageId) => connection.request('rooms/deleteMessage', { ...address, messageId }),
    send: (text, reply = null) => outbox.send({ ...room, reply }, text),
    giveUp() {
      for (const { clientId } of outbox.waiting.get()) outbox.discard(clientId);
    },
    close() {
      abort.abort();
      endCheers();
      outbox.close();
      reactions.close();
    },
  };
}

type RoomLog = MessageLog<RoomMessage>;

/** The stored messages, with what was done to them since they were read. */
function createRoomLog(connection: Connection, address: RoomAddress, self: Uid) {
  const log = cell<RoomLog>({ messages: [], hasEarlierMessages: false });
  /** The latest changes since the room was entered: a page that is under way may be older than they are. */
  let recent: readonly MessageChange[] = [];
  const changed = (now: RoomLog, changes: readonly MessageChange[]) =>
    changes.reduce((after, each) => withMessageChange(after, each, self), now);
  const pageBefore = (before: string, downTo?: string) =>
    connection.request('rooms/earlierMessages', { ...address, before, ...(downTo && { downTo }) });

  /** Messages before the latest page may have changed while the connection was lost. */
  async function readAgain(first: RoomMessage, oldest: RoomMessage): Promise<void> {
    const answer = await pageBefore(first.id, oldest.id);
    const page = answer.ok ? answer.value : { messages: [], hasEarlierMessages: true };
    log.update((now) => {
      // The room was entered again, and messages between the two are missing.
      const at = now.messages.findIndex(({ id }) => id === first.id);
      if (at < 0) return now;
      const messages = [...page.messages, ...now.messages.slice(at)];
      // An earlier page came meanwhile.
      const [top] = page.messages;
      const isLonger = top !== undefined && top.number <= oldest.number && (now.messages[0] ?? top).number < top.number;
      const log = isLonger ? withEarlierPage({ ...page, messages }, now) : { ...page, messages };
      return changed(log, recent);
    });
  }

  return {
    log,
    earlier: createEarlierPages<RoomMessage, string>({
      log: log.get,
      ask: ({ id }, downTo) => pageBefore(id, downTo),
      onPage: (page) => log.update((now) => changed(withEarlierPage(now, page), recent)),
    }),
    change(event: MessageChange): void {
      recent = [...recent, event].slice(-mostRecent);
      log.update((now) => changed(now, [event]));
    },
    letGo(): void {
      log.update(({ messages }) => ({ messages: messages.slice(-keptWhileClosed), hasEarlierMessages: true }));
    },
    enter(page: RoomSnapshot): void {
      recent = [];
      log.update((now) => withLatestPage(now, page));
      const [first] = page.messages;
      const [oldest] = log.get().messages;
      if (first && oldest && oldest.number < first.number) void readAgain(first, oldest);
    },
  };
}

export interface ChatBubble extends DrawnMessage {
  /** Null until the server has stored it. */
  readonly id: string | null;
  readonly reply?: RoomQuote | null | undefined;
  readonly edits?: number | undefined;
  readonly isDeletedByHost?: true | undefined;
  /** Left out while the user changes nothing of it. */
  readonly isSending?: boolean;
  readonly stamps: readonly StampCount[];
  readonly author: { readonly id: Uid; readonly name: string };
}

/** Oldest first: stored messages, then the user's unsent ones. */
export function chatBubbles(
  messages: readonly RoomMessage[],
  waiting: readonly Waiting<ToRoom>[],
  self: { uid: Uid; name: string },
): readonly ChatBubble[] {
  const author = { id: self.uid, name: self.name };
  const lines = [
    ...messages.map((message) => ({
      ...message,
      key: message.clientId,
      atMs: message.timestamp,
      isMine: message.sender === self.uid,
      author: { id: message.sender, name: message.senderName },
      waiting: null,
    })),
    ...waiting.map((message) => ({
      ...message,
      key: message.clientId,
      id: null,
      isDeleted: false,
      stamps: [],
      atMs: message.writtenAtMs,
      isMine: true,
      author,
      waiting: message,
    })),
  ];
  return inRuns<Omit<ChatBubble, keyof PlaceInRun>>(lines, (line, before) => line.author.id === before.author.id);
}

type MessageChange = Extract<RoomChange, { type: 'rooms/messageDeleted' | 'rooms/messageEdited' | 'rooms/stamped' }>;

const isMessageChange = (event: RoomEvent): event is MessageChange => 'messageId' in event;

/** The log after a change of one message and of what quotes it, each of which may not be loaded; twice is once. */
export function withMessageChange(
  log: MessageLog<RoomMessage>,
  change: MessageChange,
  selfUid: string,
): MessageLog<RoomMessage> {
  const messages = log.messages.map((message) => {
    if (message.id === change.messageId) return withOwnChange(message, change, selfUid);
    const { reply } = message;
    return reply?.id === change.messageId ? { ...message, reply: withQuoteChange(reply, change) } : message;
  });
  return messages.every((message, index) => message === log.messages[index]) ? log : { ...log, messages };
}

function withOwnChange(message: RoomMessage, change: MessageChange, selfUid: string): RoomMessage {
  if (change.type === 'rooms/stamped') return withStamp(message, change, selfUid);
  if (change.type === 'rooms/messageDeleted') {
    const { isDeletedByHost } = change;
    return { ...message, text: '', isDeleted: true, ...(isDeletedByHost && { isDeletedByHost }), stamps: [] };
  }
  const { text, edits } = change;
  // Already in a page that is newer than this change.
  return message.isDeleted || edits <= (message.edits ?? 0) ? message : { ...message, text, edits };
}

function withQuoteChange(quote: RoomQuote, change: MessageChange): RoomQuote {
  if (change.type === 'rooms/messageDeleted') return { ...quote, text: '', isGone: true };
  return change.type === 'rooms/stamped' || quote.isGone ? quote : { ...quote, text: change.text };
}

function withStamp(
  message: RoomMessage,
  { stamp, count, uid, isOn }: Extract<MessageChange, { type: 'rooms/stamped' }>,
  selfUid: string,
): RoomMessage {
  const before = message.stamps.find((one) => one.stamp === stamp);
  const isMine = uid === selfUid ? isOn : (before?.isMine ?? false);
  const others = message.stamps.filter((one) => one.stamp !== stamp);
  const stamps = count === 0 ? others : [...others, { stamp, count, isMine }];
  return { ...message, stamps: stamps.toSorted((a, b) => stampNames.indexOf(a.stamp) - stampNames.indexOf(b.stamp)) };
}

interface RisingStamp {
  readonly key: number;
  readonly stamp: StampName;
}

/** The stamps that rise over the picture, and for screen readers their number. */
export interface Reactions {
  readonly rising: Readable<readonly RisingStamp[]>;
  /** '14 reactions', for a polite live region. */
  readonly announced: Readable<string>;
  rise(stamp: StampName): void;
  /** Its animation has ended. */
  risen(key: number): void;
  close(): void;
}

const maxAtOnce = 12;
const announceEveryMs = 60_000;

export function createReactions(schedule: Schedule): Reactions {
  const rising = cell<readonly RisingStamp[]>([]);
  const announced = cell('');
  let lastKey = 0;
  let unannounced = 0;
  let cancel: (() => void) | null = null;

  function announce(): void {
    cancel = null;
    if (unannounced === 0) return;
    announced.set(unannounced === 1 ? t`1 reaction` : t`${unannounced} reactions`);
    unannounced = 0;
    cancel = schedule(announce, announceEveryMs);
  }

  return {
    rising,
    announced,
    rise(stamp) {
      lastKey += 1;
      rising.update((now) => [...now, { key: lastKey, stamp }].slice(-maxAtOnce));
      unannounced += 1;
      cancel ??= schedule(announce, announceEveryMs);
    },
    risen: (key) => rising.update((now) => now.filter((one) => one.key !== key)),
    close: () => cancel?.(),
  };
}
