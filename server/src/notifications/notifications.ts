/**
 * The inbox of each person: other features deliver notifications into it and withdraw them, inside a write that holds
 * the recipient's own stream; its owner reads and dismisses them. The newest 20 are kept in the same transaction.
 * A pending soulmate request is a notification, so its sender's list of sent requests is kept up to date here.
 */
import { outgrown } from '@tunemate/domain';
import {
  noticeKinds,
  noticeMessage,
  type Notification,
  type Payload,
  type PushNews,
  type Result,
  type RoomId,
  type StreamId,
  type Uid,
  userStream,
} from '@tunemate/protocol';
import type { Handlers } from '../access/subjects.ts';
import type { Caller } from '../access/caller.ts';
import { fewAtATime } from '../storage/pages.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import { accept, type Ids, type Nothing, type Notify, refuse } from '../system/ports.ts';
import {
  agesOf,
  deleteInbox,
  deleteNotifications,
  findNotification,
  findNotificationFrom,
  idsFrom,
  markAllRead,
  notificationsOf,
  recipientsOf,
  saveNotification,
  sentRequestsOf,
} from './notifications-store.ts';

/** The fields that the sender provides; id, time and sentence are the server's. */
export type NewNotification = Omit<Notification, 'id' | 'timestamp' | 'isRead' | 'message'>;

export interface DeliveryDeps {
  ids: Ids;
  notify: Notify;
}

type Ages = Awaited<ReturnType<typeof agesOf>>;

/** The senders of those of these notifications that are soulmate requests. */
const askersOf = (kept: Ages, ids: readonly string[]): Uid[] =>
  kept.filter(({ id, type }) => type === 'soulmate' && ids.includes(id)).map(({ sender }) => sender);

/** The streams that `deliver` appends to: the recipient's, and those of senders whose requests may be dropped for it. */
export async function streamsOfDelivery(db: Db, recipient: Uid): Promise<StreamId[]> {
  const kept = await agesOf(db, recipient);
  const askers = askersOf(kept, outgrown(kept, { id: '', timestamp: 0 }));
  return [recipient, ...askers].map((uid) => userStream(uid));
}

/**
 * Puts a notification into an inbox, within a write that holds `streamsOfDelivery`. A repeat of the same type by the
 * same sender (for some types, of the same room) replaces the earlier one: newest again, unread again, with the same id.
 * After the commit it is pushed to devices, if its kind is.
 */
export async function deliver(
  writing: Writing,
  { ids, notify }: DeliveryDeps,
  recipient: Uid,
  news: NewNotification,
  roomId: RoomId | null = null,
): Promise<void> {
  const { db, nowMs } = writing;
  const live = await findNotificationFrom(db, recipient, news.senderUid, news.type, roomId);
  const made = { message: noticeMessage(news), id: live?.id ?? ids.newId(), timestamp: nowMs, isRead: false };
  const notification = { ...news, ...made };
  await saveNotification(db, recipient, notification, roomId);
  const kept = await agesOf(db, recipient);
  const removed = outgrown(kept, notification);
  await deleteNotifications(db, recipient, removed);
  await writing.append(userStream(recipient), { type: 'notifications/added', notification, removed });
  for (const asker of askersOf(kept, removed)) await appendSentRequests(writing, asker);
  const pushed = pushOf(news);
  if (pushed) writing.afterCommit(() => notify(recipient, pushed));
}

/** What is pushed of it: the room only where it lets in. Null for a kind that is not pushed. */
function pushOf({ type, senderUid: uid, senderName: name, room }: NewNotification): PushNews | null {
  const { pushedAs } = noticeKinds[type];
  if (pushedAs === null) return null;
  const letsInto = room === null || room.letsInUntil === null ? null : { kind: room.kind, code: room.code };
  return { type: pushedAs, uid, name, room: letsInto };
}

/** The streams of the owner and of the sender of a notification. */
export const streamsOfNotice = (uid: Uid, id: string) => async (db: Db) => {
  const notice = await findNotification(db, uid, id);
  return (notice ? [uid, notice.senderUid] : [uid]).map(userStream);
};

/** Removes one of the recipient's own. */
export async function withdraw(writing: Writing, recipient: Uid, id: string): Promise<void> {
  await deleteNotifications(writing.db, recipient, [id]);
  await writing.append(userStream(recipient), { type: 'notifications/removed', id });
}

/** Removes what either sent the other; the caller's write holds the streams of both. */
export async function withdrawBetween(writing: Writing, one: Uid, other: Uid): Promise<void> {
  const senders: Uid[] = [];
  for (const [recipient, sender] of [
    [one, other],
    [other, one],
  ] as const) {
    const ids = await idsFrom(writing.db, recipient, sender);
    for (const id of ids) await withdraw(writing, recipient, id);
    if (ids.length > 0) senders.push(sender);
  }
  for (const sender of senders) await appendSentRequests(writing, sender);
}

/** After a soulmate request of this person was sent, answered or withdrawn; the write holds their stream. */
export async function appendSentRequests(writing: Writing, uid: Uid): Promise<void> {
  await writing.append(userStream(uid), { type: 'soulmate/asked', asked: await sentRequestsOf(writing.db, uid) });
}

export function notificationsService({ record }: { record: StreamRecord }) {
  async function dismiss(caller: Caller, { id }: Payload<'notifications/dismiss'>): Promise<Result<Nothing>> {
    return await record.write(streamsOfNotice(caller.uid, id), async (writing) => {
      const notice = await findNotification(writing.db, caller.uid, id);
      if (!notice) return refuse('access/not-found');
      await withdraw(writing, caller.uid, id);
      if (notice.type === 'soulmate') await appendSentRequests(writing, notice.senderUid);
      return accept({});
    });
  }

  async function markRead(caller: Caller): Promise<Result<Nothing>> {
    return await record.write([userStream(caller.uid)], async (writing) => {
      if ((await markAllRead(writing.db, caller.uid)) > 0) {
        await writing.append(userStream(caller.uid), { type: 'notifications/read' });
      }
      return accept({});
    });
  }

  return {
    handlers: {
      'notifications/dismiss': dismiss,
      'notifications/markRead': markRead,
    } satisfies Partial<Handlers>,
    accountHook: {
      onDeleting: async (uid: Uid) => {
        await fewAtATime(
          () => recipientsOf(record.db, uid),
          (some) => record.write([uid, ...some].map(userStream), (writing) => withdrawFrom(writing, uid, some)),
        );
        const streams = async (db: Db) => [uid, ...(await askersIn(db, uid))].map(userStream);
        await record.write(streams, (writing) => emptyInbox(writing, uid));
      },
      exports: { notifications: (uid: Uid) => notificationsOf(record.db, uid) },
    },
  };
}

/** The senders of the soulmate requests in this inbox. */
async function askersIn(db: Db, uid: Uid): Promise<Uid[]> {
  const kept = await agesOf(db, uid);
  return askersOf(
    kept,
    kept.map(({ id }) => id),
  );
}

/** For a deleted account: removes what it sent from these inboxes. */
async function withdrawFrom(writing: Writing, sender: Uid, recipients: readonly Uid[]): Promise<void> {
  for (const recipient of recipients.toSorted()) {
    for (const id of await idsFrom(writing.db, recipient, sender)) await withdraw(writing, recipient, id);
  }
}

/** For a deleted account. */
async function emptyInbox(writing: Writing, uid: Uid): Promise<void> {
  const askers = await askersIn(writing.db, uid);
  await deleteInbox(writing.db, uid);
  for (const asker of askers) await appendSentRequests(writing, asker);
}
