/**
 * Reads and writes notifications. One live notification of a type from one sender to one recipient, or, of
 * those types that tell of a room, one of each room.
 * Every function takes the database or transaction to use.
 */
import { newestFirst, type NoticeAge } from '@tunemate/domain';
import {
  type AskedSoulmate,
  noticeKinds,
  type Notification,
  type RoomId,
  roomKinds,
  type Uid,
} from '@tunemate/protocol';
import { sql } from 'kysely';
import { builtForEach } from '../storage/queries.ts';
import { type Db, type NotificationsTable, roomTables } from '../storage/schema.ts';

type Room = NonNullable<Notification['room']>;

function toNotification(row: NotificationsTable, live: ReadonlySet<string>): Notification {
  const shown = row.room === null ? null : (JSON.parse(row.room) as Omit<Room, 'letsInUntil' | 'hasEnded'>);
  // Invitations from before rooms were noted may be to a live one; a person who joins learns it.
  const hasEnded = row.room_id !== null && !live.has(row.room_id);
  return {
    id: row.id,
    type: row.type,
    message: row.message,
    senderName: row.sender_name,
    senderUid: row.sender_uid as Uid,
    timestamp: row.timestamp_ms,
    isRead: row.is_read === 1,
    room: shown && { letsInUntil: null, ...shown, hasEnded },
  };
}

/** Those of the rooms these rows are about that are live. */
async function liveAmong(db: Db, rows: readonly NotificationsTable[]): Promise<Set<string>> {
  const named = rows.flatMap((row) => row.room_id ?? []);
  if (named.length === 0) return new Set();
  const found = await Promise.all(
    roomKinds.map((kind) =>
      db
        .selectFrom(roomTables[kind].rooms)
        .select('room_id')
        .where('room_id', 'in', named)
        .where('is_active', '=', 1)
        .execute(),
    ),
  );
  return new Set(found.flat().map((row) => row.room_id));
}

/** All of one person, newest first. */
export async function notificationsOf(db: Db, uid: Uid): Promise<Notification[]> {
  const rows = await db.selectFrom('notifications').selectAll().where('uid', '=', uid).execute();
  const live = await liveAmong(db, rows);
  return rows.map((row) => toNotification(row, live)).sort(newestFirst);
}

export interface Inbox {
  notifications: Notification[];
  asked: AskedSoulmate[];
}

/**
 * All of each person, newest first, and the soulmate requests that they sent and that wait for an answer: these are the
 * notifications of others. One read for all of them, because every connection begins with it.
 */
export async function inboxesOf(db: Db, uids: readonly Uid[]): Promise<Map<Uid, Inbox>> {
  const rows = await receivedAndAsked(db, uids);
  const [byRecipient, bySender] = [Map.groupBy(rows, ({ uid }) => uid), Map.groupBy(rows, (row) => row.sender_uid)];
  const live = await liveAmong(db, rows);
  return new Map(
    uids.map((uid) => {
      const asked = (bySender.get(uid) ?? []).filter((row) => row.type === 'soulmate' && row.uid !== uid);
      return [
        uid,
        {
          notifications: (byRecipient.get(uid) ?? []).map((row) => toNotification(row, live)).sort(newestFirst),
          asked: toAsked(asked.map((row) => ({ ...row, name: row.recipient_name ?? '' }))),
        },
      ];
    }),
  );
}

/** The name of the recipient is read of requests alone: of other notifications only their recipient learns. */
const receivedAndAsked = builtForEach((db, uids: readonly Uid[]) =>
  db
    .selectFrom('notifications')
    .leftJoin('users', (join) =>
      join.on('users.uid', '=', sql<string>`case when notifications.type = 'soulmate' then notifications.uid end`),
    )
    .selectAll('notifications')
    .select('users.name as recipient_name')
    .where((where) =>
      where.or([
        where('notifications.uid', 'in', uids),
        where.and([where('notifications.sender_uid', 'in', uids), where('notifications.type', '=', 'soulmate')]),
      ]),
    ),
);

/** Id and time of all of one person, with type and sender, in no order. */
export async function agesOf(
  db: Db,
  uid: Uid,
): Promise<(NoticeAge & Pick<NotificationsTable, 'type'> & { sender: Uid })[]> {
  const rows = await db
    .selectFrom('notifications')
    .select(['id', 'timestamp_ms as timestamp', 'type', 'sender_uid'])
    .where('uid', '=', uid)
    .execute();
  return rows.map(({ sender_uid: sender, ...age }) => ({ ...age, sender: sender as Uid }));
}

/** One notification of this person; null when it is unknown or another person's. */
export async function findNotification(db: Db, uid: Uid, id: string): Promise<Notification | null> {
  const row = await db
    .selectFrom('notifications')
    .selectAll()
    .where('id', '=', id)
    .where('uid', '=', uid)
    .executeTakeFirst();
  return row ? toNotification(row, await liveAmong(db, [row])) : null;
}

const aboutOf = (type: Notification['type'], roomId: RoomId | null): string =>
  noticeKinds[type].isOneEachRoom && roomId !== null ? roomId : '';

/** The notification of this type from this sender, if there is one; of this room, for a type with one each room. */
export async function findNotificationFrom(
  db: Db,
  uid: Uid,
  sender: Uid,
  type: Notification['type'],
  roomId: RoomId | null = null,
): Promise<Notification | null> {
  const row = await db
    .selectFrom('notifications')
    .selectAll()
    .where('uid', '=', uid)
    .where('sender_uid', '=', sender)
    .where('type', '=', type)
    .where('about', '=', aboutOf(type, roomId))
    .executeTakeFirst();
  return row ? toNotification(row, await liveAmong(db, [row])) : null;
}

/** What this sender has in this person's inbox. */
export async function idsFrom(db: Db, uid: Uid, sender: Uid): Promise<string[]> {
  const mine = db.selectFrom('notifications').select('id').where('uid', '=', uid);
  return (await mine.where('sender_uid', '=', sender).orderBy('id').execute()).map(({ id }) => id);
}

/** Stores it, in place of the one that `findNotificationFrom` finds. */
export async function saveNotification(db: Db, uid: Uid, notice: Notification, roomId: RoomId | null): Promise<void> {
  const { hasEnded: _live, ...room } = notice.room ?? { hasEnded: false };
  const values = {
    id: notice.id,
    message: notice.message,
    sender_name: notice.senderName,
    room: notice.room === null ? null : JSON.stringify(room),
    room_id: roomId,
    is_read: Number(notice.isRead),
    timestamp_ms: notice.timestamp,
  };
  await db
    .insertInto('notifications')
    .values({ uid, sender_uid: notice.senderUid, type: notice.type, about: aboutOf(notice.type, roomId), ...values })
    .onConflict((conflict) => conflict.columns(['uid', 'sender_uid', 'type', 'about']).doUpdateSet(values))
    .execute();
}

export async function deleteNotifications(db: Db, uid: Uid, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('notifications')
    .where('uid', '=', uid)
    .where('id', 'in', [...ids])
    .execute();
}

/** Deletes everything this person received. */
export async function deleteInbox(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('notifications').where('uid', '=', uid).execute();
}

/** Answers how many were unread. */
export async function markAllRead(db: Db, uid: Uid): Promise<number> {
  const changed = await db
    .updateTable('notifications')
    .set({ is_read: 1 })
    .where('uid', '=', uid)
    .where('is_read', '=', 0)
    .executeTakeFirst();
  return Number(changed.numUpdatedRows);
}

/** Who still has a notification that this person sent. */
export async function recipientsOf(db: Db, sender: Uid): Promise<Uid[]> {
  const sent = db.selectFrom('notifications').select('uid').distinct().where('sender_uid', '=', sender);
  return (await sent.execute()).map(({ uid }) => uid as Uid);
}

/** The soulmate requests that this person sent and that wait for an answer, newest first. */
export async function sentRequestsOf(db: Db, uid: Uid): Promise<AskedSoulmate[]> {
  const rows = await db
    .selectFrom('notifications')
    .innerJoin('users', 'users.uid', 'notifications.uid')
    .select(['users.uid', 'users.name', 'notifications.timestamp_ms'])
    .where('notifications.sender_uid', '=', uid)
    .where('notifications.type', '=', 'soulmate')
    .execute();
  return toAsked(rows);
}

/** As the sender sees them. `rows` are of the recipients. */
function toAsked(rows: readonly { uid: string; name: string; timestamp_ms: number }[]): AskedSoulmate[] {
  return rows
    .map((row) => ({ uid: row.uid as Uid, name: row.name, askedAt: row.timestamp_ms }))
    .sort((a, b) => b.askedAt - a.askedAt || (a.uid < b.uid ? -1 : 1));
}
