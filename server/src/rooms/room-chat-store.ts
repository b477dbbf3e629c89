/**
 * The chat of a room, of either kind: appended and read in pages.
 */
import { limits, type RoomId, type RoomKind, type RoomMessage, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { deletedName } from '../storage/people.ts';
import type { Schema } from '../storage/schema.ts';
import { roomTables } from '../storage/room-tables.ts';

type Db = Kysely<Schema>;

/**
 * The sender's name and the number of the next message; null for a deleted account. Within a write that holds the
 * room's stream.
 */
export async function nextMessageOf(
  db: Db,
  kind: RoomKind,
  roomId: RoomId,
  sender: Uid,
): Promise<{ name: string; number: number } | null> {
  const row = await db
    .selectFrom('users')
    .select((of) => [
      'name',
      of
        .selectFrom(roomTables[kind].chat)
        .select((inner) => inner.fn.max('number').as('number'))
        .where('room_id', '=', roomId)
        .as('last'),
    ])
    .where('uid', '=', sender)
    .where('deleted_at_ms', 'is', null)
    .where('email_verified', '=', 1)
    .executeTakeFirst();
  return row ? { name: row.name, number: (row.last ?? 0) + 1 } : null;
}

export async function appendMessage(db: Db, kind: RoomKind, roomId: RoomId, message: RoomMessage): Promise<void> {
  await db
    .insertInto(roomTables[kind].chat)
    .values({
      room_id: roomId,
      number: message.number,
      message_id: message.id,
      client_id: message.clientId,
      sender: message.sender,
      text: message.text,
      timestamp_ms: message.timestamp,
    })
    .execute();
}

export interface MessagePage {
  messages: RoomMessage[];
  hasEarlierMessages: boolean;
}

/** The page before the message named (null: the latest page), oldest first. An unknown message gives an empty page. */
export async function messagePage(db: Db, kind: RoomKind, roomId: RoomId, before: string | null): Promise<MessagePage> {
  const table = roomTables[kind].chat;
  let query = db
    .selectFrom(table)
    .leftJoin('users', `${table}.sender`, 'users.uid')
    .select([
      `${table}.message_id as id`,
      'number',
      'client_id',
      'sender',
      'text',
      'timestamp_ms',
      'users.name as sender_name',
    ])
    .where('room_id', '=', roomId)
    .orderBy('number', 'desc')
    .limit(limits.chatPage + 1);
  if (before !== null) {
    query = query.where('number', '<', (inner) =>
      inner.selectFrom(table).select('number').where('room_id', '=', roomId).where('message_id', '=', before),
    );
  }
  const rows = await query.execute();
  const messages = rows.slice(0, limits.chatPage).map((row) => ({
    id: row.id,
    number: row.number,
    clientId: row.client_id as RoomMessage['clientId'],
    sender: row.sender as RoomMessage['sender'],
    senderName: row.sender_name ?? deletedName,
    text: row.text,
    timestamp: row.timestamp_ms,
  }));
  return { messages: messages.toReversed(), hasEarlierMessages: rows.length > limits.chatPage };
}
