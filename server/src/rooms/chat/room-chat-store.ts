/**
 * The chat of a room, of either kind: appended and read in pages.
 */
import { type ClientId, limits, type RoomId, type RoomKind, type RoomMessage, type Uid } from '@tunemate/protocol';
import type { Kysely, Selectable } from 'kysely';
import { builtOnce } from '../../storage/queries.ts';
import { shownName } from '../../storage/people.ts';
import { type RoomChatTable, type RoomRef, roomTables, type Schema } from '../../storage/schema.ts';
import { ownStampsOn, stampsOn } from './room-stamps-store.ts';

type Db = Kysely<Schema>;

/** What a message is written with. */
export interface NextMessage {
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

export interface MessagePage {
  messages: RoomMessage[];
  hasEarlierMessages: boolean;
}

/** Whether a message still has its text; null when there is none. */
export async function messageFacts(db: Db, kind: RoomKind, roomId: RoomId, messageId: string) {
  const row = await db
    .selectFrom(roomTables[kind].chat)
    .select('is_deleted')
    .where('room_id', '=', roomId)
    .where('message_id', '=', messageId)
    .executeTakeFirst();
  return row ? { isDeleted: row.is_deleted === 1 } : null;
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
