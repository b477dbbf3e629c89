/**
 * Messages of a room and the stamps on them, of either kind. Messages are appended and read in pages; each person presses
 * each stamp at most once on a message.
 */
import {
  type ClientId,
  limits,
  type RoomId,
  type RoomKind,
  type RoomMessage,
  type StampCount,
  type StampName,
  stampNames,
  type Uid,
} from '@tunemate/protocol';
import type { Kysely, Selectable } from 'kysely';
import { builtOnce } from '../../storage/queries.ts';
import { shownName } from '../../storage/people.ts';
import { type RoomRef, roomTables } from '../../storage/schema.ts';
import type { RoomChatTable, Schema } from '../../storage/schema.ts';

type Db = Kysely<Schema>;

/** What a message is written with. */
interface NextMessage {
  /** The sender's name. */
  name: string;
  number: number;
  /** What this person sent under the same client id. */
  sent: RoomMessage | null;
}

/** Null for a deleted account. Within a write that holds the room's stream. */
export async function nextMessageOf(
  db: Db,
  kind: RoomKind,
  roomId: RoomId,
  sender: Uid,
  clientId: ClientId,
): Promise<NextMessage | null> {
  const [row] = await nextMessage[kind](db, roomId, sender, clientId);
  if (!row) return null;
  const sent = row.id === null ? null : toMessage({ ...(row as Omit<SentRow, 'sender_name'>), sender_name: row.name });
  return { name: row.name, number: (row.last ?? 0) + 1, sent };
}

const sentColumns = ['number', 'client_id', 'sender', 'text', 'is_deleted', 'timestamp_ms'] as const;

const nextMessage = { video: nextMessageIn('room_chat'), audio: nextMessageIn('audioroom_chat') };

function nextMessageIn(chat: Chat) {
  return builtOnce((db, roomId: RoomId, sender: Uid, clientId: ClientId) =>
    db
      .selectFrom('users')
      .leftJoin(`${chat} as sent`, (join) =>
        join.on('sent.room_id', '=', roomId).on('sent.sender', '=', sender).on('sent.client_id', '=', clientId),
      )
      .select((of) => [
        'name',
        'sent.message_id as id',
        ...sentColumns.map((column) => `sent.${column}` as const),
        of
          .selectFrom(`${chat} as last`)
          .select((inner) => inner.fn.max('last.number').as('number'))
          .where('last.room_id', '=', roomId)
          .as('last'),
      ])
      .where('users.uid', '=', sender)
      .where('deleted_at_ms', 'is', null)
      .where('email_verified', '=', 1),
  );
}

type SentRow = Pick<Selectable<RoomChatTable>, (typeof sentColumns)[number]> & {
  id: string;
  sender_name: string | null;
};

function toMessage(row: SentRow, stamps: RoomMessage['stamps'] = []): RoomMessage {
  return {
    id: row.id,
    number: row.number,
    clientId: row.client_id as ClientId,
    sender: row.sender as Uid,
    senderName: shownName(row.sender_name),
    text: row.text,
    isDeleted: row.is_deleted === 1,
    timestamp: row.timestamp_ms,
    stamps,
  };
}

export async function appendMessage(db: Db, kind: RoomKind, roomId: RoomId, message: RoomMessage): Promise<void> {
  const { number, id, clientId, sender, text, timestamp } = message;
  await inserted[kind](db, roomId, number, id, clientId, sender, text, timestamp);
}

type Chat = 'room_chat' | 'audioroom_chat';

const insertedInto = (chat: Chat) =>
  builtOnce(
    (db, roomId: string, number: number, id: string, clientId: string, sender: string, text: string, atMs: number) =>
      db.insertInto(chat).values({
        ...{ room_id: roomId, number, message_id: id },
        ...{ client_id: clientId, sender, text, timestamp_ms: atMs },
      }),
  );

const inserted = { video: insertedInto('room_chat'), audio: insertedInto('audioroom_chat') };

/** An evening of a full room has fewer. Rooms live for as long as their host stays. */
const keptPerRoom = 10_000;
/** Looked at with each so manyeth message. */
const forgottenAtOnce = 100;

/** Deletes the earliest messages of a room that has very many. Within the write of the message with this number. */
export async function forgetEarliest(db: Db, kind: RoomKind, roomId: RoomId, number: number): Promise<void> {
  const last = number - keptPerRoom;
  if (last <= 0 || number % forgottenAtOnce !== 0) return;
  const { chat, stamps } = roomTables[kind];
  await db
    .deleteFrom(stamps)
    .where('room_id', '=', roomId)
    .where('message_id', 'in', (query) =>
      query.selectFrom(chat).select('message_id').where('room_id', '=', roomId).where('number', '<=', last),
    )
    .execute();
  await db.deleteFrom(chat).where('room_id', '=', roomId).where('number', '<=', last).execute();
}

interface MessagePage {
  messages: RoomMessage[];
  hasEarlierMessages: boolean;
}

/** Whose a message is, and whether it still has its text; null when there is none. */
export async function messageFacts(db: Db, kind: RoomKind, roomId: RoomId, messageId: string) {
  const row = await db
    .selectFrom(roomTables[kind].chat)
    .select(['sender', 'timestamp_ms', 'is_deleted'])
    .where('room_id', '=', roomId)
    .where('message_id', '=', messageId)
    .executeTakeFirst();
  return row ? { sender: row.sender, timestampMs: row.timestamp_ms, isDeleted: row.is_deleted === 1 } : null;
}

/** The words of a message by this person; null when there is none, and of one that was deleted. */
export async function wordsOfMessage(
  db: Db,
  kind: RoomKind,
  roomId: RoomId,
  messageId: string,
  sender: Uid,
): Promise<string | null> {
  const row = await db
    .selectFrom(roomTables[kind].chat)
    .select('text')
    .where('room_id', '=', roomId)
    .where('message_id', '=', messageId)
    .where('sender', '=', sender)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();
  return row?.text ?? null;
}

/** Takes the text of a message away; the message keeps its place. */
export async function blankMessage(db: Db, kind: RoomKind, roomId: RoomId, messageId: string): Promise<void> {
  await db
    .updateTable(roomTables[kind].chat)
    .set({ text: '', is_deleted: 1 })
    .where('room_id', '=', roomId)
    .where('message_id', '=', messageId)
    .execute();
}

/**
 * The page before the message named (null: the latest page), oldest first, the same for everybody: none of
 * its stamps is anybody's own. An unknown message gives an empty page.
 */
export async function messagePage(db: Db, { kind, roomId }: RoomRef, before: string | null): Promise<MessagePage> {
  const table = roomTables[kind].chat;
  let query = db
    .selectFrom(table)
    .leftJoin('users', `${table}.sender`, 'users.uid')
    .select([`${table}.message_id as id`, ...sentColumns, 'users.name as sender_name'])
    .where('room_id', '=', roomId)
    .orderBy('number', 'desc')
    .limit(limits.chatPage + 1);
  if (before !== null) {
    query = query.where('number', '<', (inner) =>
      inner.selectFrom(table).select('number').where('room_id', '=', roomId).where('message_id', '=', before),
    );
  }
  const rows = await query.execute();
  const shown = rows.slice(0, limits.chatPage);
  const ids = shown.map(({ id }) => id);
  const stamps = await stampsOn(db, kind, roomId, ids);
  const messages = shown.map((row) => toMessage(row, stamps.get(row.id)));
  return { messages: messages.toReversed(), hasEarlierMessages: rows.length > limits.chatPage };
}

/** The same page as this person sees it. */
export async function withOwnStamps<Page extends Pick<MessagePage, 'messages'>>(
  db: Db,
  { kind, roomId }: RoomRef,
  self: Uid,
  page: Page,
): Promise<Page> {
  const stamped = page.messages.filter(({ stamps }) => stamps.length > 0).map(({ id }) => id);
  if (stamped.length === 0) return page;
  const own = await ownStampsOn(db, kind, roomId, stamped, self);
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
  kind: RoomKind,
  roomId: RoomId,
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

/** The stamps on each of these messages, in the order in which pages offer them; none is marked as anybody's own. */
async function stampsOn(
  db: Db,
  kind: RoomKind,
  roomId: RoomId,
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
  kind: RoomKind,
  roomId: RoomId,
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
  kind: RoomKind,
  roomId: RoomId,
  messageId: string,
  stamp: StampName,
): Promise<number> {
  const { count } = await db
    .selectFrom(roomTables[kind].stamps)
    .select((inner) => inner.fn.countAll<number>().as('count'))
    .where('room_id', '=', roomId)
    .where('message_id', '=', messageId)
    .where('stamp', '=', stamp)
    .executeTakeFirstOrThrow();
  return count;
}

export async function removeStampsOn(db: Db, kind: RoomKind, roomId: RoomId, messageId: string): Promise<void> {
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
