/** The stamps on a room's messages: each person presses each stamp at most once on a message. */
import {
  type RoomKind,
  type RoomMessage,
  type StampCount,
  type StampName,
  stampNames,
  type Uid,
} from '@tunemate/protocol';
import { countOf } from '../../storage/queries.ts';
import { type Db, type RoomRef, roomTables } from '../../storage/schema.ts';

/** The same page as this person sees it. */
export async function withOwnStamps<Page extends { messages: RoomMessage[] }>(
  db: Db,
  room: RoomRef,
  self: Uid,
  page: Page,
): Promise<Page> {
  const stamped = page.messages.filter(({ stamps }) => stamps.length > 0).map(({ id }) => id);
  if (stamped.length === 0) return page;
  const own = await ownStampsOn(db, room, stamped, self);
  const messages = page.messages.map((message) => ({
    ...message,
    stamps: message.stamps.map((stamp) => ({ ...stamp, isMine: own.has(`${message.id} ${stamp.stamp}`) })),
  }));
  return { ...page, messages };
}

/** One stamp of one person. */
interface Stamping {
  messageId: string;
  uid: Uid;
  stamp: StampName;
}

/** Stores or removes a stamp; false when that changes nothing. */
export async function setStamp(
  db: Db,
  { kind, roomId }: RoomRef,
  { messageId, uid, stamp }: Stamping,
  isOn: boolean,
): Promise<boolean> {
  const table = roomTables[kind].stamps;
  if (isOn) {
    const inserted = await db
      .insertInto(table)
      .values({ room_id: roomId, message_id: messageId, uid, stamp })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  }
  const removed = await db
    .deleteFrom(table)
    .where('room_id', '=', roomId)
    .where('message_id', '=', messageId)
    .where('uid', '=', uid)
    .where('stamp', '=', stamp)
    .executeTakeFirst();
  return removed.numDeletedRows === 1n;
}

/** The stamps on each of these messages, in the order in which pages offer them; none is marked as a reader's own. */
export async function stampsOn(
  db: Db,
  { kind, roomId }: RoomRef,
  messageIds: readonly string[],
): Promise<Map<string, StampCount[]>> {
  const found = new Map<string, StampCount[]>();
  if (messageIds.length === 0) return found;
  const rows = await db
    .selectFrom(roomTables[kind].stamps)
    .select((inner) => ['message_id', 'stamp', inner.fn.countAll<number>().as('count')])
    .where('room_id', '=', roomId)
    .where('message_id', 'in', [...messageIds])
    .groupBy(['message_id', 'stamp'])
    .execute();
  for (const stamp of stampNames) {
    for (const row of rows.filter((one) => one.stamp === stamp)) {
      const count = { stamp, count: row.count, isMine: false };
      found.set(row.message_id, [...(found.get(row.message_id) ?? []), count]);
    }
  }
  return found;
}

/** What this person pressed on these messages, each as the message's id and the stamp. */
async function ownStampsOn(
  db: Db,
  { kind, roomId }: RoomRef,
  messageIds: readonly string[],
  self: Uid,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom(roomTables[kind].stamps)
    .select(['message_id', 'stamp'])
    .where('room_id', '=', roomId)
    .where('message_id', 'in', [...messageIds])
    .where('uid', '=', self)
    .execute();
  return new Set(rows.map((row) => `${row.message_id} ${row.stamp}`));
}

export async function stampCount(
  db: Db,
  { kind, roomId }: RoomRef,
  messageId: string,
  stamp: StampName,
): Promise<number> {
  const stamps = db.selectFrom(roomTables[kind].stamps).where('room_id', '=', roomId);
  return await countOf(stamps.where('message_id', '=', messageId).where('stamp', '=', stamp));
}

export async function removeStampsOn(db: Db, { kind, roomId }: RoomRef, messageId: string): Promise<void> {
  await db
    .deleteFrom(roomTables[kind].stamps)
    .where('room_id', '=', roomId)
    .where('message_id', '=', messageId)
    .execute();
}

/** For a deleted account. */
export async function removeStampsOf(db: Db, kind: RoomKind, uid: Uid): Promise<void> {
  await db.deleteFrom(roomTables[kind].stamps).where('uid', '=', uid).execute();
}
