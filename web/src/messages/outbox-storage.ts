/**
 * Unsent messages of one user, kept on this device. Tabs share the storage: each change is made to what is stored at
 * that moment.
 */
import type { ClientId, PrivateMessage, Refusal, RoomId, Uid } from '@tunemate/protocol';
import type { LenientStorage } from '../store/lenient-storage.ts';

export type ChatImage = NonNullable<PrivateMessage['image']>;

/** The recipient of a message: one person, or a room. */
export interface Address {
  readonly uid?: Uid;
  readonly room?: RoomId;
}
export interface ToPerson extends Address {
  readonly uid: Uid;
}
export interface ToRoom extends Address {
  readonly room: RoomId;
}

/** A message that the server has not confirmed. */
export type Waiting<To extends Address = Address> = To & {
  /** The same for every attempt, so that the server stores the message once. */
  readonly clientId: ClientId;
  readonly text: string;
  readonly image: ChatImage | null;
  readonly writtenAtMs: number;
  /** Why the message is not sent again without the user; null while it is being sent. */
  readonly failure: Refusal | null;
};

export interface OutboxStorage<To extends Address> {
  load(): readonly Waiting<To>[];
  /** Adds the message at the end, or replaces it in its place. */
  keep(message: Waiting<To>): void;
  remove(clientId: string): void;
}

/** Messages to a room that the user does not enter again are deleted after this time. */
const roomMessageMs = 24 * 60 * 60 * 1000;

/** All unsent messages of `self` are stored together; `isOurs` selects the messages of one outbox. */
export function outboxStorage<To extends Address>(
  storage: LenientStorage,
  self: Uid,
  isOurs: (message: Waiting) => message is Waiting<To>,
): OutboxStorage<To> {
  const key = `tunemate/outbox/${self}`;

  function loadAll(): readonly Waiting[] {
    try {
      const kept: unknown = JSON.parse(storage.getItem(key) ?? '[]');
      return Array.isArray(kept) ? (kept as Waiting[]) : [];
    } catch {
      // Foreign data, or an incomplete write.
      return [];
    }
  }

  function save(all: readonly Waiting[]): void {
    if (all.length === 0) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(all));
  }

  return {
    load: () => loadAll().filter(isOurs),
    keep(message) {
      const isFresh = (one: Waiting): boolean =>
        one.room === undefined || message.writtenAtMs - one.writtenAtMs < roomMessageMs;
      save(withWaiting<Waiting>(loadAll().filter(isFresh), message));
    },
    remove: (clientId) => save(loadAll().filter((one) => one.clientId !== clientId)),
  };
}

/** Adds a message at the end, or replaces it in its place. */
export function withWaiting<One extends { readonly clientId: ClientId }>(
  all: readonly One[],
  message: One,
): readonly One[] {
  const isKnown = all.some(({ clientId }) => clientId === message.clientId);
  return isKnown ? all.map((one) => (one.clientId === message.clientId ? message : one)) : [...all, message];
}
