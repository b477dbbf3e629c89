/**
 * What was written and is not with the server yet, kept on this device for one person. Tabs share it: each change is
 * made to what is stored at that moment.
 */
import type { ClientId, PrivateMessage, Refusal, Uid } from '@tunemate/protocol';
import type { LenientStorage } from '../store/lenient-storage.ts';

export type ChatImage = NonNullable<PrivateMessage['image']>;

/** A message that the server has not confirmed. */
export interface Waiting {
  /** The same for every try, so that the server takes it once. */
  readonly clientId: ClientId;
  /** Whom it is for. */
  readonly uid: Uid;
  readonly text: string;
  readonly image: ChatImage | null;
  readonly writtenAtMs: number;
  /** Why it will not be sent by itself any more; null while it is on its way. */
  readonly failure: Refusal | null;
}

export interface OutboxStorage {
  load(): readonly Waiting[];
  /** Puts it at the end, or in the place it has. */
  keep(message: Waiting): void;
  remove(clientId: string): void;
}

export function outboxStorage(storage: LenientStorage, self: Uid): OutboxStorage {
  const key = `tunemate/outbox/${self}`;

  function load(): readonly Waiting[] {
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
    load,
    keep: (message) => save(withWaiting(load(), message)),
    remove: (clientId) => save(load().filter((one) => one.clientId !== clientId)),
  };
}

/** With this message at the end, or in the place it has. */
export function withWaiting(all: readonly Waiting[], message: Waiting): readonly Waiting[] {
  const isKnown = all.some(({ clientId }) => clientId === message.clientId);
  return isKnown ? all.map((one) => (one.clientId === message.clientId ? message : one)) : [...all, message];
}
