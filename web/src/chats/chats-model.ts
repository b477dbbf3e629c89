/**
 * Private chats of the current user, for as long as the page lives: the list, unsent and half-written messages, and the
 * marks for messages that arrive, on every screen. Chats are opened and closed with their screen.
 */
import type { UserSnapshot, PrivateMessage, Result, Uid } from '@tunemate/protocol';
import { newClientId } from '../connection/ids.ts';
import { onUserEvent, type UserEvent } from '../connection/person-updates.ts';
import type { Connection } from '../connection/port.ts';
import type { Clock } from '../store/clock.ts';
import type { Outbox } from '../messages/outbox.ts';
import type { ToPerson } from '../messages/outbox-storage.ts';
import type { LenientStorage } from '../store/lenient-storage.ts';
import { createConversationList, type ConversationList } from './conversation-list.ts';
import { createConversationModel, type ConversationModel } from './conversation-model.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import { uploadImage } from './image-upload.ts';
import { createPrivateOutbox } from './private-outbox.ts';
import { createReceipts } from './receipts.ts';

export interface ChatsModel {
  readonly self: Uid;
  readonly list: ConversationList;
  readonly outbox: Outbox<ToPerson>;
  readonly drafts: Drafts;
  /** The chat with one person; close it with its screen. */
  open(uid: Uid): ConversationModel;
  /** Uploads an image and sends it as a separate message. */
  sendImage(uid: Uid, file: File): Promise<Result<object>>;
  receive(change: UserEvent): void;
}

export interface ChatsParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly storage: LenientStorage;
  readonly fetch: typeof fetch;
}

/** `snapshot` is the latest one of the user stream. */
export function createChatsModel(
  { connection, clock, storage, fetch }: ChatsParts,
  snapshot: UserSnapshot,
): ChatsModel {
  const self = snapshot.user.uid;
  const opened = new Set<ConversationModel>();
  const drafts = createDrafts();
  const receipts = createReceipts(connection, clock);
  const list = createConversationList(connection, self);
  const onSent = (message: PrivateMessage): void => {
    for (const conversation of opened) conversation.confirm(message);
  };
  const outbox = createPrivateOutbox({ connection, clock, storage, self, newClientId, onSent });

  // Messages that came while no page was open count as delivered to this device once the list is loaded.
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
    drafts,
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
