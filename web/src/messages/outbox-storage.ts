/**
 * What one person wrote and the server does not have yet, kept on this device. Tabs share it: each change is made to what
 * is stored at that moment.
 */
import type { ClientId, PrivateMessage, Refusal, RoomId, Uid } from '@tunemate/protocol';
import type { LenientStorage } from '../store/lenient-storage.ts';

export type ChatImage = NonNullable<PrivateMessage['image']>;

/** Whom a message is for: one person, or everybody in a room. */
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
  /** The same for every try, so that the server takes it once. */
  readonly clientId: ClientId;
  readonly text: string;
  readonly image: ChatImage | null;
  readonly writtenAtMs: number;
  /** Why it will not be sent by itself any more; null while it is on its way. */
  readonly failure: Refusal | null;
};

export interface OutboxStorage<To extends Address> {
  load(): readonly Waiting<To>[];
  /** Puts it at the end, or in the place it has. */
  keep(message: Waiting<To>): void;
  remove(clientId: string): void;
}

/** A room that nobody enters again does not keep its messages on the device for ever. */
const roomMessageMs = 24 * 60 * 60 * 1000;

/** All that `self` wrote is stored together; `isOurs` tells the messages of one outbox. */
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
      // Not ours, or cut off while it was written.
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

/** With this message at the end, or in the place it has. */
export function withWaiting<One extends { readonly clientId: ClientId }>(
  all: readonly One[],
  message: One,
): readonly One[] {
  const isKnown = all.some(({ clientId }) => clientId === message.clientId);
  return isKnown ? all.map((one) => (one.clientId === message.clientId ? message : one)) : [...all, message];
}
