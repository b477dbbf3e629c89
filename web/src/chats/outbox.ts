/**
 * Sends what was written until the server has it: over a broken line, a restart of the server, a reload of the page.
 * Messages to one person leave one after another, in the order in which they were written.
 */
import { isBlank, limits, type ClientId, type PrivateMessage, type Refusal, type Uid } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import type { Clock } from '../connection/ports.ts';
import { cell, type Readable } from '../store/cell.ts';
import { withWaiting, type ChatImage, type OutboxStorage, type Waiting } from './outbox-storage.ts';

/** A pause longer than this is not waited out: the person is told instead. */
const longestPauseMs = 60_000;
/** The session is over or the page is too old: the message stays for the next sign-in. */
const notNow = new Set(['auth/required', 'auth/email-unverified', 'client/outdated', 'server/unavailable']);

export interface Outbox {
  /** Everything that is not with the server, in the order in which it was written. */
  readonly waiting: Readable<readonly Waiting[]>;
  /** False when there is nothing to send, or too much; the text then stays with the caller. */
  send(uid: Uid, text: string, image?: ChatImage): boolean;
  /** Tries one that failed again. */
  retry(clientId: string): void;
  /** Gives one that failed up. */
  discard(clientId: string): void;
  /** The server has this message. */
  confirm(clientId: string): void;
  /** Sends all that is not on its way: with each new line. */
  sendAll(): void;
}

export interface OutboxParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly storage: OutboxStorage;
  readonly newClientId: () => ClientId;
  readonly onSent: (message: PrivateMessage) => void;
}

/** True when a message is longer than the server takes, counted as people count (code points). */
export function isTooLong(text: string): boolean {
  return text.length > limits.messageLength && Array.from(text.trim()).length > limits.messageLength;
}

export function createOutbox({ connection, clock, storage, newClientId, onSent }: OutboxParts): Outbox {
  const waiting = cell<readonly Waiting[]>(storage.load());
  const queues = new Map<Uid, Promise<void>>();
  const underWay = new Set<ClientId>();

  const find = (clientId: string): Waiting | undefined => waiting.get().find((one) => one.clientId === clientId);

  function keep(message: Waiting): void {
    storage.keep(message);
    waiting.update((now) => withWaiting(now, message));
  }

  function remove(clientId: string): void {
    storage.remove(clientId);
    if (find(clientId) !== undefined) waiting.update((now) => now.filter((one) => one.clientId !== clientId));
  }

  function dispatch({ clientId, uid }: Waiting): void {
    if (underWay.has(clientId)) return;
    underWay.add(clientId);
    const turn = (queues.get(uid) ?? Promise.resolve()).then(() => deliver(clientId));
    queues.set(uid, turn);
  }

  async function deliver(clientId: ClientId): Promise<void> {
    const message = find(clientId);
    // Another tab of this person has sent it meanwhile.
    if (message === undefined) return void underWay.delete(clientId);
    const { uid, text, image } = message;
    const carried = image === null ? {} : { imageId: image.imageId };
    const answer = await connection.requestUntilAnswered('chats/send', { clientId, uid, text, ...carried });
    const pauseMs = answer.ok ? null : pauseOf(answer.error);
    if (pauseMs !== null) {
      await new Promise<void>((resume) => void clock.schedule(resume, pauseMs));
      return await deliver(clientId);
    }
    underWay.delete(clientId);
    if (answer.ok) {
      remove(clientId);
      onSent(answer.value.message);
    } else if (!notNow.has(answer.error.code) && find(clientId) !== undefined) {
      keep({ ...message, failure: answer.error });
    }
  }

  return {
    waiting,
    send(uid, text, image) {
      const trimmed = text.trim();
      if ((isBlank(trimmed) && image === undefined) || isTooLong(trimmed)) return false;
      const clientId = newClientId();
      const message = { clientId, uid, text: trimmed, image: image ?? null, writtenAtMs: clock.now(), failure: null };
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

/** How long to wait before the server takes it, null when waiting does not help. */
function pauseOf({ code, retryAfterMs }: Refusal): number | null {
  if (code !== 'limit/too-many' || retryAfterMs === undefined) return null;
  return retryAfterMs <= longestPauseMs ? retryAfterMs : null;
}
