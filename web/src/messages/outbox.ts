/**
 * Sends each message until the server has it: across lost connections, a restart of the server, a reload of the page.
 * Messages to one recipient are sent one after another, in the order in which they were written.
 */
import { isBlank, type ClientId, type Refusal, type Result } from '@tunemate/protocol';
import type { Clock } from '../store/clock.ts';
import { cell, type Readable } from '../store/cell.ts';
import { isTooLong } from './too-long.ts';
import { withWaiting, type Address, type ChatImage, type OutboxStorage, type Waiting } from './outbox-storage.ts';

/** The session is over, or the page is outdated or closing: the message stays in the outbox for the next attempt. */
const notNow = new Set(['auth/required', 'auth/email-unverified', 'client/outdated', 'server/unavailable']);

export interface Outbox<To extends Address> {
  /** Messages that the server does not have, in the order in which they were written. */
  readonly waiting: Readable<readonly Waiting<To>[]>;
  /** False when there is nothing to send, or too much; the text then stays with the caller. */
  send(to: To, text: string, image?: ChatImage): boolean;
  /** Sends a failed message again. */
  retry(clientId: string): void;
  /** Deletes a failed message. */
  discard(clientId: string): void;
  /** The server has this message. */
  confirm(clientId: string): void;
  /** Sends all messages that are not being sent: on each new connection. */
  sendAll(): void;
}

export interface OutboxParts<To extends Address, Message> {
  readonly clock: Clock;
  readonly storage: OutboxStorage<To>;
  readonly newClientId: () => ClientId;
  /** Sends a message to the server until there is an answer. */
  readonly deliver: (message: Waiting<To>) => Promise<Result<{ message: Message }>>;
  readonly onSent: (message: Message) => void;
  /** If the server asks for a longer pause than this, the message fails instead of waiting. */
  readonly longestPauseMs: number;
}

export function createOutbox<To extends Address, Message>(parts: OutboxParts<To, Message>): Outbox<To> {
  const { clock, storage, newClientId, longestPauseMs } = parts;
  const waiting = cell<readonly Waiting<To>[]>(storage.load());
  const queues = new Map<string, Promise<void>>();
  const underWay = new Set<ClientId>();

  const find = (clientId: string): Waiting<To> | undefined => waiting.get().find((one) => one.clientId === clientId);

  function keep(message: Waiting<To>): void {
    storage.keep(message);
    waiting.update((now) => withWaiting(now, message));
  }

  function remove(clientId: string): void {
    storage.remove(clientId);
    if (find(clientId) !== undefined) waiting.update((now) => now.filter((one) => one.clientId !== clientId));
  }

  function dispatch({ clientId, uid, room }: Waiting<To>): void {
    if (underWay.has(clientId)) return;
    underWay.add(clientId);
    const address = uid ?? room ?? '';
    const turn = (queues.get(address) ?? Promise.resolve()).then(() => deliver(clientId));
    queues.set(address, turn);
  }

  async function deliver(clientId: ClientId): Promise<void> {
    const message = find(clientId);
    // Another tab of this user has sent it meanwhile.
    if (message === undefined) return void underWay.delete(clientId);
    const answer = await parts.deliver(message);
    const pauseMs = answer.ok ? null : pauseOf(answer.error, longestPauseMs);
    if (pauseMs !== null) {
      await new Promise<void>((resume) => void clock.schedule(resume, pauseMs));
      return await deliver(clientId);
    }
    underWay.delete(clientId);
    if (answer.ok) {
      remove(clientId);
      parts.onSent(answer.value.message);
    } else if (!notNow.has(answer.error.code) && find(clientId) !== undefined) {
      keep({ ...message, failure: answer.error });
    }
  }

  return {
    waiting,
    send(to, text, image) {
      const trimmed = text.trim();
      if ((isBlank(trimmed) && image === undefined) || isTooLong(trimmed)) return false;
      const clientId = newClientId();
      const writtenAtMs = clock.now();
      const message = { ...to, clientId, text: trimmed, image: image ?? null, writtenAtMs, failure: null };
      keep(message);
      dispatch(message);
      return true;
    },
    retry(clientId) {
      const failed = find(clientId);
      if (failed === undefined || failed.failure === null) return;
      const message = { ...failed, failure: null };
      keep(message);
      dispatch(message);
    },
    discard: remove,
    confirm: remove,
    sendAll() {
      for (const message of waiting.get()) if (message.failure === null) dispatch(message);
    },
  };
}

/** How long to wait before the next attempt; null when waiting does not help. */
function pauseOf({ code, retryAfterMs }: Refusal, longestMs: number): number | null {
  if (code !== 'limit/too-many' || retryAfterMs === undefined) return null;
  return retryAfterMs <= longestMs ? retryAfterMs : null;
}
