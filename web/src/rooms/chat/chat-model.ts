/** The chat of one room: its messages, the user's unsent ones, earlier pages, and reactions. */
import type { Schedule } from '@tunemate/playback';
import {
  type ClientId,
  type Refusal,
  type Result,
  type RoomChange,
  type RoomKind,
  type RoomMessage,
  type RoomSnapshot,
  type StampCount,
  type StampName,
  stampNames,
  type Uid,
} from '@tunemate/protocol';
import type { Connection } from '../../connection/port.ts';
import type { Clock } from '../../store/clock.ts';
import { tryAgainIn } from '../../words/errors.ts';
import {
  createEarlierPages,
  type EarlierStatus,
  type MessageLog,
  withEarlierPage,
  withLatestPage,
  withMessage,
  inRuns,
  type PlaceInRun,
} from '../../messages/message-log.ts';
import { outboxStorage, type ToRoom, type Waiting, createOutbox, type Outbox } from '../../messages/outbox.ts';
import { cell, type Readable } from '../../store/cell.ts';
import type { LenientStorage } from '../../store/lenient-storage.ts';
import { roomSentences } from '../room-words.ts';
import type { RoomEvent } from '../visit/room-model.ts';
import { t } from '../../language/t.ts';

export interface ChatModel extends Pick<Outbox<ToRoom>, 'waiting' | 'retry' | 'discard'> {
  readonly log: Readable<MessageLog<RoomMessage>>;
  readonly earlier: Readable<EarlierStatus>;
  readonly reactions: Reactions;
  receive(event: Exclude<RoomEvent, { type: 'over' }>): void;
  /** False when the text is blank or too long. */
  send(text: string): boolean;
  loadEarlier(): Promise<void>;
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

interface ChatPorts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly storage: LenientStorage;
  readonly kind: RoomKind;
  readonly code: string;
  readonly selfUid: string;
  readonly newClientId: () => ClientId;
}

export function createChatModel(ports: ChatPorts, entered: RoomSnapshot): ChatModel {
  const { connection, clock, storage, newClientId } = ports;
  const address = { kind: ports.kind, code: ports.code };
  const self = ports.selfUid as Uid;
  const room = { room: entered.room.roomId };
  const log = cell<MessageLog<RoomMessage>>({ messages: [], hasEarlierMessages: false });
  const earlier = createEarlierPages<RoomMessage>({
    log: log.get,
    ask: ({ id }) => connection.request('rooms/earlierMessages', { ...address, before: id }),
    onPage: (page) => log.update((now) => withEarlierPage(now, page)),
  });
  const reactions = createReactions(clock.schedule);
  const abort = new AbortController();
  const outbox = createOutbox<ToRoom, RoomMessage>({
    clock,
    storage: outboxStorage(storage, self, (one): one is Waiting<ToRoom> => one.room === room.room),
    newClientId,
    deliver: ({ clientId, text }) =>
      connection.requestUntilAnswered('rooms/sendMessage', { ...address, clientId, text }, { signal: abort.signal }),
    onSent: take,
    // A message over the rate limit fails at once.
    longestPauseMs: 0,
  });

  function take(message: RoomMessage): void {
    log.update((now) => withMessage(now, message));
    if (message.sender === self) outbox.confirm(message.clientId);
  }

  function enter(page: RoomSnapshot): void {
    log.update((now) => withLatestPage(now, page));
    for (const { sender, clientId } of page.messages) if (sender === self) outbox.confirm(clientId);
    outbox.sendAll();
  }

  enter(entered);
  return {
    log,
    earlier: earlier.status,
    reactions,
    loadEarlier: earlier.load,
    waiting: outbox.waiting,
    retry: outbox.retry,
    discard: outbox.discard,
    receive(event) {
      if (event.type === 'rooms/messageSent') take(event.message);
      if (event.type === 'entered') return enter(event.snapshot);
      if (event.type === 'rooms/messageDeleted' || event.type === 'rooms/stamped')
        log.update((now) => withMessageChange(now, event, self));
      reactions.receive(event);
    },
    stamp: (messageId, stamp, isOn) => connection.request('rooms/stamp', { ...address, messageId, stamp, isOn }),
    react: (stamp) => connection.request('rooms/cheer', { ...address, stamp }),
    deleteMessage: (messageId) => connection.request('rooms/deleteMessage', { ...address, messageId }),
    send: (text) => outbox.send(room, text),
    giveUp() {
      for (const { clientId } of outbox.waiting.get()) outbox.discard(clientId);
    },
    close() {
      abort.abort();
      reactions.close();
    },
  };
}

export function notSentBecause({ code, retryAfterMs }: Refusal): string {
  if (retryAfterMs !== undefined) return `${roomSentences.notSent} ${tryAgainIn(retryAfterMs)}`;
  if (code === 'input/invalid') return `${roomSentences.notSent} ${roomSentences.messageUnfit}`;
  return roomSentences.notSent;
}

export interface ChatBubble extends PlaceInRun {
  /** Stays the same when the server confirms a message of the current user. */
  readonly key: string;
  /** Null until the server has stored it. */
  readonly id: string | null;
  readonly text: string;
  readonly isDeleted: boolean;
  readonly stamps: readonly StampCount[];
  /** By the server's clock; until the message is sent by this device's. */
  readonly atMs: number;
  readonly isMine: boolean;
  readonly author: { readonly id: Uid; readonly name: string };
  /** Null once the server has stored it. */
  readonly waiting: Waiting | null;
}

/** Oldest first: stored messages, then the user's unsent ones. */
export function chatBubbles(
  messages: readonly RoomMessage[],
  waiting: readonly Waiting[],
  self: { uid: Uid; name: string },
): readonly ChatBubble[] {
  const author = { id: self.uid, name: self.name };
  const lines = [
    ...messages.map(({ id, clientId, text, sender, senderName, isDeleted, stamps, timestamp }) => ({
      key: clientId,
      id,
      isDeleted,
      stamps,
      atMs: timestamp,
      text,
      isMine: sender === self.uid,
      author: { id: sender, name: senderName },
      waiting: null,
    })),
    ...waiting.map((message) => ({
      key: message.clientId,
      id: null,
      isDeleted: false,
      stamps: [],
      atMs: message.writtenAtMs,
      text: message.text,
      isMine: true,
      author,
      waiting: message,
    })),
  ];
  return inRuns<Omit<ChatBubble, keyof PlaceInRun>>(lines, (line, before) => line.author.id === before.author.id);
}

type MessageChange = Extract<RoomChange, { type: 'rooms/messageDeleted' | 'rooms/stamped' }>;

/** The same log when the message is not loaded. */
export function withMessageChange(
  log: MessageLog<RoomMessage>,
  change: MessageChange,
  selfUid: string,
): MessageLog<RoomMessage> {
  const index = log.messages.findIndex(({ id }) => id === change.messageId);
  const message = log.messages[index];
  if (message === undefined) return log;
  const changed =
    change.type === 'rooms/messageDeleted'
      ? { ...message, text: '', isDeleted: true, stamps: [] }
      : withStamp(message, change, selfUid);
  return { ...log, messages: log.messages.with(index, changed) };
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
  receive(change: RoomChange): void;
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
    receive(change) {
      const isReaction = change.type === 'rooms/cheered' || (change.type === 'rooms/stamped' && change.isOn);
      if (!isReaction) return;
      lastKey += 1;
      const { stamp } = change;
      rising.update((now) => [...now, { key: lastKey, stamp }].slice(-maxAtOnce));
      unannounced += 1;
      cancel ??= schedule(announce, announceEveryMs);
    },
    risen: (key) => rising.update((now) => now.filter((one) => one.key !== key)),
    close: () => cancel?.(),
  };
}
