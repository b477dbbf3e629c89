/**
 * Sends each message until the server has it: across lost connections, a restart of the server, a reload of the page,
 * and whichever of its user's tabs is closed. Messages to one recipient are sent one after another, in the order in which
 * they were written, in whatever tab.
 *
 * Tabs share the unsent messages and need no lock. Each message is stored as an entry of its own, and removed only once
 * the server has it. Before each message a tab looks at what is stored, and sends the first to that recipient, also when
 * another tab wrote it: so nothing goes out before what stands above it. Two tabs may send the same message; the server
 * stores a client id once.
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
import { cell, guarded, type Readable, type Unsubscribe } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';
import { keptEntries } from '../store/kept-entries.ts';
import type { SharedStorage } from '../store/lenient-storage.ts';

/** The session is over, or the page is outdated or closing: what is unsent stays for the next attempt. */
const notNow = new Set([
  ...['auth/required', 'auth/email-unverified', 'session/elsewhere'],
  ...['client/outdated', 'server/unavailable'],
]);

/** The server can store nothing for now. The message is shown as failed, and is sent again by itself. */
const fails = ({ failure }: Waiting): boolean => failure !== null && failure.code !== 'server/storage-full';
const leastAgainMs = 5000;
const mostAgainMs = 30_000;

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
  /** Follows other tabs no more, and sends nothing for them. */
  close(): void;
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

/** Another tab that has changed nothing for so long may be closed, or away. */
const takeOverAfterMs = 3000;

/** Sends what other tabs have stored once they don't. */
export function takeOver(
  storage: Pick<OutboxStorage<Address>, 'onChange'>,
  clock: Clock,
  sendAll: () => void,
): Unsubscribe {
  let cancel: Unsubscribe = () => {};
  const end = storage.onChange(() => {
    cancel();
    cancel = clock.schedule(sendAll, takeOverAfterMs);
  });
  return () => {
    end();
    cancel();
  };
}

export function createOutbox<To extends Address, Message>(parts: OutboxParts<To, Message>): Outbox<To> {
  const { clock, storage, newClientId, longestPauseMs } = parts;
  const waiting = cell<readonly Waiting<To>[]>(storage.read());
  /** Recipients to whom this tab is sending. */
  const busy = new Set<string>();
  const later = againLater(clock, sendAll);
  const look = (): void => waiting.set(storage.read());
  const find = (clientId: string): Waiting<To> | undefined =>
    storage.read().find((message) => message.clientId === clientId);
  const firstTo = (address: string): Waiting<To> | undefined =>
    storage.read().find((message) => addressOf(message) === address && message.failure === null);

  function keep(message: Waiting<To>): void {
    storage.keep(message);
    look();
  }

  function remove(clientId: string): void {
    storage.remove(clientId);
    look();
  }

  function sendTo(address: string): void {
    if (busy.has(address)) return;
    busy.add(address);
    sendInTurn({
      ...{ clock, longestPauseMs, deliver: parts.deliver, settle },
      first: () => firstTo(address),
      onEnd: () => void busy.delete(address),
    });
  }

  function settle(message: Waiting<To>, answer: Result<{ message: Message }>): void {
    if (answer.ok) {
      later.begin();
      remove(message.clientId);
      guarded(() => parts.onSent(answer.value.message));
    }
    // Another tab may have sent it, or its user discarded it there.
    else if (find(message.clientId) !== undefined) {
      keep({ ...message, failure: answer.error });
      later.ask();
    }
  }

  function sendAgain(message: Waiting<To>): void {
    if (message.failure !== null) keep({ ...message, failure: null });
    sendTo(addressOf(message));
  }

  function sendAll(): void {
    look();
    for (const message of waiting.get()) if (!fails(message)) sendAgain(message);
  }

  const ends = [storage.onChange(look), takeOver(storage, clock, sendAll), later.end];

  return {
    waiting,
    send(to, text, media = {}) {
      const trimmed = cleanMessage(text);
      const { image = null, ...rest } = media;
      if ((isBlank(trimmed) && image === null && !rest.voice) || isTooLong(trimmed)) return false;
      const own = { clientId: newClientId(), writtenAtMs: clock.now(), failure: null };
      const message = { ...to, ...own, text: trimmed, image, ...rest };
      keep(message);
      sendTo(addressOf(message));
      return true;
    },
    retry(clientId) {
      for (const each of waiting.get()) if (each.clientId === clientId && each.failure !== null) sendAgain(each);
    },
    discard: remove,
    confirm: remove,
    sendAll,
    close() {
      for (const end of ends) end();
    },
  };
}

/** Runs `work` some seconds after it is asked to, and each time longer until it begins anew. */
function againLater(clock: Clock, work: () => void) {
  let cancel: Unsubscribe | null = null;
  let waitMs = leastAgainMs;
  return {
    ask(): void {
      cancel ??= clock.schedule(() => {
        cancel = null;
        waitMs = Math.min(mostAgainMs, waitMs * 2);
        work();
      }, waitMs);
    },
    begin: () => void (waitMs = leastAgainMs),
    end: () => cancel?.(),
  };
}

interface TurnParts<One, Answer extends Result<unknown>> {
  readonly clock: Clock;
  readonly longestPauseMs: number;
  /** The next to send; undefined when none waits. */
  readonly first: () => One | undefined;
  readonly deliver: (one: One) => Promise<Answer>;
  /** Takes it out of those that wait, or says why it failed. */
  readonly settle: (one: One, answer: Answer) => void;
  readonly onEnd: () => void;
}

/** Sends one after another. An exception ends this attempt, and not those that follow. */
export function sendInTurn<One, Answer extends Result<unknown>>(parts: TurnParts<One, Answer>): void {
  async function sendEach(): Promise<void> {
    try {
      // So that the caller returns before anything is asked.
      await Promise.resolve();
      for (let one = parts.first(); one !== undefined; one = parts.first()) {
        const answer = await parts.deliver(one);
        const pauseMs = answer.ok ? null : pauseOf(answer.error, parts.longestPauseMs);
        if (pauseMs !== null) await new Promise<void>((resume) => void parts.clock.schedule(resume, pauseMs));
        else if (!answer.ok && notNow.has(answer.error.code)) return;
        else parts.settle(one, answer);
      }
    } finally {
      parts.onEnd();
    }
  }
  void sendEach().catch((exception: unknown) => reportError(exception));
}

const addressOf = ({ uid, room }: Address): string => uid ?? room ?? '';

/** How long to wait before the next attempt; null when waiting does not help. */
function pauseOf({ code, retryAfterMs }: Refusal, longestMs: number): number | null {
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
  /** In the order in which they were written. */
  read(): readonly Waiting<To>[];
  /** Adds the message at the end, or replaces it in its place. */
  keep(message: Waiting<To>): void;
  remove(clientId: string): void;
  /** Calls back after another tab has changed them. */
  onChange(listener: () => void): Unsubscribe;
}

/** Messages to a room that the user does not enter again are deleted after this time. */
const roomMessageMs = 24 * 60 * 60 * 1000;

/** All unsent messages of `self` are stored together; `isOurs` selects the messages of one outbox. */
export function outboxStorage<To extends Address>(
  storage: SharedStorage,
  clock: Clock,
  self: Uid,
  isOurs: (message: Waiting) => message is Waiting<To>,
): OutboxStorage<To> {
  const { read, keep, remove, onChange } = keptEntries<Waiting>(storage, `tunemate/outbox/${self}`, clock.now);
  return {
    read: () => [...read().values()].filter(isOurs),
    keep(message) {
      for (const { clientId, room, writtenAtMs } of read().values()) {
        if (room !== undefined && message.writtenAtMs - writtenAtMs >= roomMessageMs) remove(clientId);
      }
      keep(message.clientId, message);
    },
    remove,
    onChange,
  };
}

/** True when a message is longer than the server takes, counted as people count (code points). */
export function isTooLong(text: string): boolean {
  return text.length > limits.messageLength && Array.from(text.trim()).length > limits.messageLength;
}
