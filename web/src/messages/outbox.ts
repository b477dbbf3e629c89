/**
 * Sends each message until the server has it: across lost connections, a restart of the server, a reload of the page.
 * Messages to one recipient are sent one after another, in the order in which they were written.
 */
import {
  type ClientId,
  cleanMessage,
  isBlank,
  limits,
  type PrivateMessage,
  type Refusal,
  type Result,
  type RoomId,
  type RoomQuote,
  type Uid,
} from '@tunemate/protocol';
import { cell, type Readable } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';
import type { LenientStorage } from '../store/lenient-storage.ts';

/** The session is over, or the page is outdated or closing: what is unsent stays for the next attempt. */
export const notNow = new Set(['auth/required', 'auth/email-unverified', 'client/outdated', 'server/unavailable']);

export interface Outbox<To extends Address> {
  /** Messages that the server does not have, in the order in which they were written. */
  readonly waiting: Readable<readonly Waiting<To>[]>;
  /** False when there is nothing to send, or too much; the text then stays with the caller. */
  send(to: To, text: string, media?: ChatMedia): boolean;
  /** Sends a failed message again. */
  retry(clientId: string): void;
  /** Deletes a failed message. */
  discard(clientId: string): void;
  /** The server has this message. */
  confirm(clientId: string): void;
  /** Sends all messages that are not being sent: on each new connection. */
  sendAll(): void;
  /** Another tab of this user has changed what is stored: what it sends, fails to send or discards is so here. */
  follow(before: readonly Waiting<To>[], stored: readonly Waiting<To>[]): void;
}

interface OutboxParts<To extends Address, Message> {
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
  /** By recipient: settled when the last message to them that was dispatched is. */
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
    const turn = (queues.get(address) ?? Promise.resolve()).then(async () => {
      await deliver(clientId);
      if (queues.get(address) === turn) queues.delete(address);
    });
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
    send(to, text, media = {}) {
      const trimmed = cleanMessage(text);
      const { image = null, ...rest } = media;
      if ((isBlank(trimmed) && image === null && !rest.voice) || isTooLong(trimmed)) return false;
      const clientId = newClientId();
      const writtenAtMs = clock.now();
      const message = { ...to, clientId, text: trimmed, image, ...rest, writtenAtMs, failure: null };
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
    follow: (before, stored) => waiting.update((now) => [...stored, ...beside(stored, now, before, underWay)]),
  };
}

/**
 * Of the messages of this tab, those that are not stored and that no other tab has taken out. Two tabs that write at once
 * overwrite one another: what this one sends stays until it has its answer.
 */
function beside<One extends Waiting>(
  stored: readonly One[],
  now: readonly One[],
  before: readonly One[],
  underWay: ReadonlySet<ClientId>,
): readonly One[] {
  const [left, known] = [idsOf(stored), idsOf(before)] as const;
  return now.filter(({ clientId: id }) => !left.has(id) && (underWay.has(id) || !known.has(id)));
}

/** How long to wait before the next attempt; null when waiting does not help. */
export function pauseOf({ code, retryAfterMs }: Refusal, longestMs: number): number | null {
  if (code !== 'limit/too-many' || retryAfterMs === undefined) return null;
  return retryAfterMs <= longestMs ? retryAfterMs : null;
}

export type ChatImage = NonNullable<PrivateMessage['image']>;
export type ChatVoice = NonNullable<PrivateMessage['voice']>;

/** What was uploaded for a message. */
export interface ChatMedia {
  readonly image?: ChatImage;
  readonly voice?: ChatVoice;
}

/** The recipient of a message: one person, or a room. */
interface Address {
  readonly uid?: Uid;
  readonly room?: RoomId;
}
export interface ToPerson extends Address {
  readonly uid: Uid;
}
export interface ToRoom extends Address {
  readonly room: RoomId;
  /** The message that it answers; left out by earlier versions. */
  readonly reply?: RoomQuote | null;
}

/** A message that the server has not confirmed. */
export type Waiting<To extends Address = Address> = To & {
  /** The same for every attempt, so that the server stores the message once. */
  readonly clientId: ClientId;
  readonly text: string;
  readonly image: ChatImage | null;
  readonly voice?: ChatVoice;
  readonly writtenAtMs: number;
  /** Why the message is not sent again without the user; null while it is being sent. */
  readonly failure: Refusal | null;
};

/** Unsent messages of one user, kept on this device. */
interface OutboxStorage<To extends Address> {
  load(): readonly Waiting<To>[];
  /** Adds the message at the end, or replaces it in its place. */
  keep(message: Waiting<To>): void;
  remove(clientId: string): void;
}

/** Messages to a room that the user does not enter again are deleted after this time. */
const roomMessageMs = 24 * 60 * 60 * 1000;

export const outboxKey = (self: Uid): string => `tunemate/outbox/${self}`;

/** A list kept on this device. Tabs share the storage: each change is made to what is stored at that moment. */
export function keptList<One>(storage: LenientStorage, key: string) {
  function read(): readonly One[] {
    try {
      const kept: unknown = JSON.parse(storage.getItem(key) ?? '[]');
      return Array.isArray(kept) ? (kept as One[]) : [];
    } catch {
      // Foreign data, or an incomplete write.
      return [];
    }
  }
  function change(to: (kept: readonly One[]) => readonly One[]): void {
    const next = to(read());
    if (next.length === 0) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(next));
  }
  return { read, change };
}

/** All unsent messages of `self` are stored together; `isOurs` selects the messages of one outbox. */
export function outboxStorage<To extends Address>(
  storage: LenientStorage,
  self: Uid,
  isOurs: (message: Waiting) => message is Waiting<To>,
): OutboxStorage<To> {
  const { read, change } = keptList<Waiting>(storage, outboxKey(self));
  return {
    load: () => read().filter(isOurs),
    keep(message) {
      const isFresh = (one: Waiting): boolean =>
        one.room === undefined || message.writtenAtMs - one.writtenAtMs < roomMessageMs;
      change((all) => withWaiting<Waiting>(all.filter(isFresh), message));
    },
    remove: (clientId) => change((all) => all.filter((one) => one.clientId !== clientId)),
  };
}

const idsOf = (all: readonly Waiting[]): ReadonlySet<ClientId> => new Set(all.map(({ clientId }) => clientId));

function withWaiting<One extends { readonly clientId: ClientId }>(all: readonly One[], message: One): readonly One[] {
  const isKnown = all.some(({ clientId }) => clientId === message.clientId);
  return isKnown ? all.map((one) => (one.clientId === message.clientId ? message : one)) : [...all, message];
}

/** True when a message is longer than the server takes, counted as people count (code points). */
export function isTooLong(text: string): boolean {
  return text.length > limits.messageLength && Array.from(text.trim()).length > limits.messageLength;
}
