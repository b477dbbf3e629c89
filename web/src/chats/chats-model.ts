/**
 * Private chats of the person signed in, for as long as the page lives: the list, what is on its way, and the marks of
 * whatever arrives, on whichever screen. Open chats come and go.
 */
import type { UserSnapshot, PrivateMessage, Result, Uid } from '@tunemate/protocol';
import { newClientId } from '../connection/client-id.ts';
import { onUserEvent, type UserEvent } from '../connection/person-updates.ts';
import type { Connection } from '../connection/port.ts';
import type { Clock } from '../connection/ports.ts';
import type { Outbox } from '../messages/outbox.ts';
import type { ToPerson } from '../messages/outbox-storage.ts';
import type { LenientStorage } from '../store/lenient-storage.ts';
import { createConversationList, type ConversationList } from './conversation-list.ts';
import { createConversationModel, type ConversationModel } from './conversation-model.ts';
import { uploadImage } from './image-upload.ts';
import { createPrivateOutbox } from './private-outbox.ts';
import { createReceipts } from './receipts.ts';

export interface ChatsModel {
  readonly self: Uid;
  readonly list: ConversationList;
  readonly outbox: Outbox<ToPerson>;
  /** The chat with one person; close it when nobody looks at it any more. */
  open(uid: Uid): ConversationModel;
  /** Uploads a picture and sends it as a message of its own. */
  sendImage(uid: Uid, file: File): Promise<Result<object>>;
  receive(change: UserEvent): void;
}

export interface ChatsParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly storage: LenientStorage;
  readonly fetch: typeof fetch;
}

/** `snapshot` is the latest one of the person's own stream. */
export function createChatsModel(
  { connection, clock, storage, fetch }: ChatsParts,
  snapshot: UserSnapshot,
): ChatsModel {
  const self = snapshot.user.uid;
  const opened = new Set<ConversationModel>();
  const receipts = createReceipts(connection, clock);
  const list = createConversationList(connection, self);
  const onSent = (message: PrivateMessage): void => {
    for (const conversation of opened) conversation.confirm(message);
  };
  const outbox = createPrivateOutbox({ connection, clock, storage, self, newClientId, onSent });

  // What came while no page was open is on this device as soon as the list is.
  list.rows.subscribe(() => {
    for (const { pairId, last, unread } of list.rows.get() ?? [])
      if (unread > 0) receipts.delivered(pairId, last.number);
  });

  function receive(change: UserEvent): void {
    if (change.type === 'chats/messageSent') take(change.message);
    list.receive(change);
    for (const conversation of opened) conversation.receive(change);
  }

  function take(message: PrivateMessage): void {
    if (message.sender === self) outbox.confirm(message.clientId);
    else receipts.delivered(message.pairId, message.number);
  }

  function renew({ unreadChats }: UserSnapshot): void {
    list.renew(unreadChats);
    outbox.sendAll();
    for (const conversation of opened) conversation.renew();
  }

  connection.onUserSnapshot(renew);
  onUserEvent(connection, receive);
  renew(snapshot);

  return {
    self,
    list,
    outbox,
    receive,
    async sendImage(uid, file) {
      const answer = await uploadImage(fetch, uid, file);
      if (answer.ok) outbox.send({ uid }, '', answer.value);
      return answer;
    },
    open(uid) {
      const conversation = createConversationModel({ connection, clock, receipts, self, uid });
      opened.add(conversation);
      return {
        ...conversation,
        close() {
          opened.delete(conversation);
          conversation.close();
        },
      };
    },
  };
}
