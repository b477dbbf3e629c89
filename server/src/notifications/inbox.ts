/**
 * Putting notifications into people's inboxes and taking them out, inside a write that holds the recipient's own
 * stream. The newest 20 are kept in the same transaction (NOTE-1).
 */
import { outgrown } from '@tunemate/domain';
import { type Notification, type RoomId, userStream, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Ids } from '../system/ports.ts';
import type { Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import {
  agesOf,
  deleteInbox,
  deleteNotifications,
  findNotificationFrom,
  idsFrom,
  saveNotification,
  sentBy,
} from './notifications-store.ts';

/** The fields that the sender provides; id and time are the server's. */
export type NewNotification = Omit<Notification, 'id' | 'timestamp' | 'isRead'>;

type Kept = Awaited<ReturnType<typeof agesOf>>;

/** The senders of those of these notifications that are soulmate requests. */
const askersOf = (kept: Kept, ids: readonly string[]): Uid[] =>
  kept.filter(({ id, type }) => type === 'soulmate' && ids.includes(id)).map(({ sender }) => sender);

/** Who asked to be soulmates, in what this inbox loses to the next notification of somebody else. */
export async function nextToGo(db: Kysely<Schema>, recipient: Uid): Promise<Uid[]> {
  const kept = await agesOf(db, recipient);
  return askersOf(kept, outgrown(kept, { id: '', timestamp: 0 }));
}

/**
 * Puts a notification into an inbox. A repeat of the same type by the same sender (for some types, of the same room)
 * replaces the one that is there: newest again, unread again, with the same id. Answers who had asked to be soulmates in
 * what was removed for it.
 */
export async function putInto(
  writing: Writing,
  ids: Ids,
  recipient: Uid,
  news: NewNotification,
  roomId: RoomId | null = null,
): Promise<Uid[]> {
  const { db, nowMs } = writing;
  const live = await findNotificationFrom(db, recipient, news.senderUid, news.type, roomId);
  const notification = { ...news, id: live?.id ?? ids.newId(), timestamp: nowMs, isRead: false };
  await saveNotification(db, recipient, notification, roomId);
  const kept = await agesOf(db, recipient);
  const removed = outgrown(kept, notification);
  await deleteNotifications(db, recipient, removed);
  await writing.append(userStream(recipient), { type: 'notifications/added', notification, removed });
  return askersOf(kept, removed);
}

/** Removes one of the recipient's own. */
export async function withdraw(writing: Writing, recipient: Uid, id: string): Promise<void> {
  await deleteNotifications(writing.db, recipient, [id]);
  await writing.append(userStream(recipient), { type: 'notifications/removed', id });
}

/** Removes what either sent the other, and answers who had; the caller's write holds the streams of both. */
export async function withdrawBetween(writing: Writing, one: Uid, other: Uid): Promise<Uid[]> {
  const senders: Uid[] = [];
  for (const [recipient, sender] of [
    [one, other],
    [other, one],
  ] as const) {
    const ids = await idsFrom(writing.db, recipient, sender);
    for (const id of ids) await withdraw(writing, recipient, id);
    if (ids.length > 0) senders.push(sender);
  }
  return senders;
}

/**
 * Everyone whose inbox changes, or whose request ends, when this account does; the caller's write holds their own
 * streams.
 */
export async function peopleNotifiedBy(db: Kysely<Schema>, uid: Uid): Promise<Uid[]> {
  return [...new Set([...(await sentBy(db, uid)).map((sent) => sent.uid), ...(await askersIn(db, uid))])];
}

/** Whose soulmate requests wait in this inbox. */
async function askersIn(db: Kysely<Schema>, uid: Uid): Promise<Uid[]> {
  const kept = await agesOf(db, uid);
  return askersOf(
    kept,
    kept.map(({ id }) => id),
  );
}

/**
 * For a deleted account: empties its inbox and removes what it sent from the inboxes of others. Answers who had asked it
 * to be soulmates.
 */
export async function forgetNotificationsOf(writing: Writing, uid: Uid): Promise<Uid[]> {
  const sent = await sentBy(writing.db, uid);
  for (const { uid: recipient, id } of sent.sort((a, b) => (a.uid < b.uid ? -1 : 1))) {
    await withdraw(writing, recipient, id);
  }
  const askers = await askersIn(writing.db, uid);
  await deleteInbox(writing.db, uid);
  return askers;
}
