/**
 * The chat of one room: its messages, the user's unsent ones, and earlier pages. Receives the room's news; knows
 * nothing of how it is shown.
 */
import type {
  ClientId,
  Refusal,
  Result,
  RoomKind,
  RoomMessage,
  RoomSnapshot,
  StampName,
  Uid,
} from '@tunemate/protocol';
import type { Connection } from '../../connection/port.ts';
import type { Clock } from '../../store/clock.ts';
import { tryAgainIn } from '../../copy/errors.ts';
import {
  createEarlierPages,
  type EarlierStatus,
  type MessageLog,
  withEarlierPage,
  withLatestPage,
  withMessage,
} from '../../messages/message-log.ts';
import { createOutbox, type Outbox, outboxStorage, type ToRoom, type Waiting } from '../../messages/outbox.ts';
import { cell, type Readable } from '../../store/cell.ts';
import type { LenientStorage } from '../../store/lenient-storage.ts';
import type { RoomNews } from '../visit/room-model.ts';
import { withMessageChange } from './chat-changes.ts';
import { createCheers, type Cheers } from './reactions.ts';
import { roomSentences } from '../room-copy.ts';

export interface ChatModel extends Pick<Outbox<ToRoom>, 'waiting' | 'retry' | 'discard'> {
  readonly log: Readable<MessageLog<RoomMessage>>;
  readonly earlier: Readable<EarlierStatus>;
  readonly cheers: Cheers;
  /** Applies the room's news in the order in which they arrive. */
  receive(news: RoomNews): void;
  /** False when there is nothing to send (blank) or too much; the text then stays with the caller. */
  send(text: string): boolean;
  loadEarlier(): Promise<void>;
  /** Presses a stamp on a message, or takes it back. */
  stamp(messageId: string, stamp: StampName, isOn: boolean): Promise<Result<unknown>>;
  /** Throws a stamp at the picture. */
  cheer(stamp: StampName): Promise<Result<unknown>>;
  /** The host deletes a message for all. */
  deleteMessage(messageId: string): Promise<Result<unknown>>;
  /** The room has ended for this user: unsent messages are deleted. */
  giveUp(): void;
  /** Unsent messages stay on the device, for the next visit. */
  close(): void;
}

export interface ChatPorts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly storage: LenientStorage;
  readonly kind: RoomKind;
  readonly code: string;
  readonly selfUid: string;
  readonly newClientId: () => ClientId;
}

/** `entered` is the snapshot from entering the room. */
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
  const cheers = createCheers(clock.schedule);
  const abort = new AbortController();
  const outbox = createOutbox<ToRoom, RoomMessage>({
    clock,
    storage: outboxStorage(storage, self, (one): one is Waiting<ToRoom> => one.room === room.room),
    newClientId,
    deliver: ({ clientId, text }) =>
      connection.requestUntilAnswered('rooms/sendMessage', { ...address, clientId, text }, { signal: abort.signal }),
    onSent: take,
    // A message over the rate limit fails at once instead of waiting.
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
    cheers,
    loadEarlier: earlier.load,
    waiting: outbox.waiting,
    retry: outbox.retry,
    discard: outbox.discard,
    receive(news) {
      if (news.type === 'rooms/messageSent') take(news.message);
      if (news.type === 'entered') return enter(news.snapshot);
      if (news.type === 'rooms/messageDeleted' || news.type === 'rooms/stamped')
        log.update((now) => withMessageChange(now, news, self));
      cheers.receive(news);
    },
    stamp: (messageId, stamp, isOn) => connection.request('rooms/stamp', { ...address, messageId, stamp, isOn }),
    cheer: (stamp) => connection.request('rooms/cheer', { ...address, stamp }),
    deleteMessage: (messageId) => connection.request('rooms/deleteMessage', { ...address, messageId }),
    send: (text) => outbox.send(room, text),
    giveUp() {
      for (const { clientId } of outbox.waiting.get()) outbox.discard(clientId);
    },
    close() {
      abort.abort();
      cheers.close();
    },
  };
}

/** The note below a message that was not sent. */
export function notSentBecause({ code, retryAfterMs }: Refusal): string {
  if (retryAfterMs !== undefined) return `${roomSentences.notSent} ${tryAgainIn(retryAfterMs)}`;
  if (code === 'input/invalid') return `${roomSentences.notSent} ${roomSentences.messageUnfit}`;
  return roomSentences.notSent;
}
