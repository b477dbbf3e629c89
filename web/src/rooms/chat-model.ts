/**
 * The chat of one room: sending until answered, so that nothing is lost or doubled, and paging back.
 * Fed by the room's news; knows nothing of how it is shown.
 */
import { isBlank, limits, type ClientId, type Refusal, type RoomKind } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { tryAgainIn } from '../copy/sentences.ts';
import { cell, type Readable } from '../store/cell.ts';
import {
  EMPTY_CHAT,
  withEarlierPage,
  withLatestPage,
  withMessage,
  withOutgoing,
  withoutOutgoing,
  type ChatLog,
} from './chat-log.ts';
import type { RoomNews } from './room-model.ts';
import { roomSentences } from './room-sentences.ts';

export type EarlierStatus = 'idle' | 'loading' | 'failed';

export interface ChatModel {
  readonly log: Readable<ChatLog>;
  readonly earlier: Readable<EarlierStatus>;
  /** Takes the room's news in the order in which they come. */
  receive(news: RoomNews): void;
  /** False when there is nothing to send (blank) or too much; the text then stays with the caller. */
  send(text: string): boolean;
  /** Sends a message that failed once more, in its place. */
  sendAgain(clientId: string): void;
  discard(clientId: string): void;
  loadEarlier(): Promise<void>;
  close(): void;
}

export type ChatPorts = {
  readonly connection: Connection;
  readonly kind: RoomKind;
  readonly code: string;
  readonly newClientId: () => ClientId;
};

/** True when a message is longer than the room takes, counted in characters as people see them (code points). */
export function isTooLong(text: string): boolean {
  return text.length > limits.messageLength && Array.from(text.trim()).length > limits.messageLength;
}

export function createChatModel({ connection, kind, code, newClientId }: ChatPorts): ChatModel {
  const log = cell<ChatLog>(EMPTY_CHAT);
  const earlier = cell<EarlierStatus>('idle');
  const abort = new AbortController();
  const address = { kind, code };
  /** Messages leave one after another, so that they arrive in the order in which they were written. */
  let queue: Promise<void> = Promise.resolve();

  function dispatch(clientId: ClientId, text: string): void {
    log.update((now) => withOutgoing(now, { clientId, text, failure: null }));
    queue = queue.then(() => deliver(clientId, text));
  }

  async function deliver(clientId: ClientId, text: string): Promise<void> {
    const { signal } = abort;
    const result = await connection.requestUntilAnswered(
      'rooms/sendMessage',
      { ...address, clientId, text },
      { signal },
    );
    if (signal.aborted) return;
    if (result.ok) log.update((now) => withMessage(now, result.value.message));
    else log.update((now) => withOutgoing(now, { clientId, text, failure: failureOf(result.error) }));
  }

  return {
    log,
    earlier,
    receive(news) {
      if (news.type === 'rooms/messageSent') log.update((now) => withMessage(now, news.message));
      if (news.type !== 'entered') return;
      const { messages, hasEarlierMessages } = news.snapshot;
      log.update((now) => withLatestPage(now, messages, hasEarlierMessages));
    },
    send(text) {
      const trimmed = text.trim();
      if (isBlank(trimmed) || isTooLong(trimmed)) return false;
      dispatch(newClientId(), trimmed);
      return true;
    },
    sendAgain(clientId) {
      const failed = log.get().outgoing.find((message) => message.clientId === clientId && message.failure !== null);
      if (failed !== undefined) dispatch(failed.clientId, failed.text);
    },
    discard: (clientId) => log.update((now) => withoutOutgoing(now, clientId)),
    async loadEarlier() {
      const first = log.get().messages[0];
      if (first === undefined || !log.get().hasEarlierMessages || earlier.get() === 'loading') return;
      earlier.set('loading');
      const result = await connection.request('rooms/earlierMessages', { ...address, before: first.id });
      if (result.ok) log.update((now) => withEarlierPage(now, result.value.messages, result.value.hasEarlierMessages));
      earlier.set(result.ok ? 'idle' : 'failed');
    },
    close: () => abort.abort(),
  };
}

function failureOf({ code, retryAfterMs }: Refusal): string {
  if (retryAfterMs !== undefined) return `${roomSentences.notSent} ${tryAgainIn(retryAfterMs)}`;
  if (code === 'input/invalid') return `${roomSentences.notSent} ${roomSentences.messageUnfit}`;
  return roomSentences.notSent;
}
