/** The outbox of the current user's private chats. */
import type { ClientId, PrivateMessage, Uid } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import type { Clock } from '../store/clock.ts';
import { createOutbox, type Outbox } from '../messages/outbox.ts';
import { outboxStorage, type ToPerson, type Waiting } from '../messages/outbox-storage.ts';
import type { LenientStorage } from '../store/lenient-storage.ts';

export interface PrivateOutboxParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly storage: LenientStorage;
  readonly self: Uid;
  readonly newClientId: () => ClientId;
  readonly onSent: (message: PrivateMessage) => void;
}

export function createPrivateOutbox(parts: PrivateOutboxParts): Outbox<ToPerson> {
  const { connection, clock, storage, self, newClientId, onSent } = parts;
  return createOutbox<ToPerson, PrivateMessage>({
    clock,
    storage: outboxStorage(storage, self, isPrivate),
    newClientId,
    deliver({ clientId, uid, text, image }) {
      const carried = image === null ? {} : { imageId: image.imageId };
      return connection.requestUntilAnswered('chats/send', { clientId, uid, text, ...carried });
    },
    onSent,
    longestPauseMs: 60_000,
  });
}

function isPrivate(message: Waiting): message is Waiting<ToPerson> {
  return message.uid !== undefined;
}
