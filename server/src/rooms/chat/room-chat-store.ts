/** Messages of a room, of either kind, with the ones that they answer: appended, changed, and read in pages. */
import { beginningOf } from '@tunemate/domain';
import {
  type ClientId,
  limits,
  type RoomId,
  type RoomMessage,
  type RoomQuote,
  roomStream,
  type Uid,
} from '@tunemate/protocol';
import { type Selectable, sql } from 'kysely';
import { builtOnce } from '../../storage/queries.ts';
import { inParts } from '../../storage/pages.ts';
import { shownName } from '../../storage/people.ts';
import {
  type Db,
  forEachKind,
  type RoomChatTable,
  type RoomRef,
  roomTables,
  type StreamEntriesTable,
} from '../../storage/schema.ts';
import { stampsOn } from './stamps-store.ts';

/** What a message is written with. */
interface NextMessage {
  /** The sender's name. */
  name: string;
  number: number;
  /** What this person sent under the same client id. */
  sent: RoomMessage | null;
  /** The message that is answered, if there is such a one in the room. */
  reply: RoomQuote | null;
}

/** Null for a deleted account. Within a write that holds the room's stream. */
export async function nextMessageOf(
  db: Db,
  { kind, roomId }: RoomRef,
  sender: Uid,
  { clientId, replyTo = null }: { clientId: ClientId; replyTo?: string | undefined | null },
): Promise<NextMessage | null> {
  const [row] = await nextMessage[kind](db, roomId, sender, clientId, replyTo);
  if (!row) return null;
  const { name, last, ...sent } = row;
  return {
    name,
    number: (last ?? 0) + 1,
    sent: sent.id === null ? null : toMessage({ ...(sent as Omit<SentRow, 'sender_name'>), sender_name: name }),
    reply: row.named_id === null ? null : quoteIn(row.named_id, row),
  };
}

const sentColumns = [
  'number',
  'client_id',
  'sender',
  'text',
  'is_deleted',
  'deleted_by_host',
  'timestamp_ms',
  'reply_to',
  'edits',
] as const;
/** Of `named`, the message that another one answers, and of its author. */
const namedColumns = [
  'named.message_id as named_id',
  'named.sender as named_sender',
  'named.text as named_text',
  'named.is_deleted as named_is_deleted',
  'author.name as named_name',
] as const;

const nextMessage = forEachKind((kind) => {
  const { chat } = roomTables[kind];
  return builtOnce((db, roomId: RoomId, sender: Uid, clientId: ClientId, replyTo: string | null) =>
    db
      .selectFrom('users')
      .leftJoin(`${chat} as sent`, (join) =>
        join.on('sent.room_id', '=', roomId).on('sent.sender', '=', sender).on('sent.client_id', '=', clientId),
      )
      .leftJoin(`${chat} as named`, (join) =>
        join
          .on('named.room_id', '=', roomId)
          .on('named.message_id', '=', sql<string>`coalesce(sent.reply_to, ${replyTo})`),
      )
      .leftJoin('users as author', 'author.uid', 'named.sender')
      .select((of) => [
        'users.name',
        'sent.message_id as id',
        ...sentColumns.map((column) => `sent.${column}` as const),
        ...namedColumns,
        of
          .selectFrom(`${chat} as last`)
          .select((inner) => inner.fn.max('last.number').as('number'))
          .where('last.room_id', '=', roomId)
          .as('last'),
      ])
      .where('users.uid', '=', sender)
      .where('users.deleted_at_ms', 'is', null)
      .where('users.email_verified', '=', 1),
  );
});

interface NamedRow {
  named_sender: string | null;
  named_text: string | null;
  named_is_deleted: number | null;
  named_name: string | null;
}
type SentRow = Pick<Selectable<RoomChatTable>, (typeof sentColumns)[number]> &
  NamedRow & { id: string; sender_name: string | null };

function toMessage(row: SentRow, stamps: RoomMessage['stamps'] = []): RoomMessage {
  const isDeleted = row.is_deleted === 1;
  return {
    id: row.id,
    number: row.number,
    clientId: row.client_id as ClientId,
    sender: row.sender as Uid,
    senderName: shownName(row.sender_name),
    text: row.text,
    isDeleted,
    ...(row.deleted_by_host === 1 && { isDeletedByHost: true as const }),
    timestamp: row.timestamp_ms,
    stamps,
    ...(row.reply_to !== null && { reply: quoteIn(row.reply_to, row) }),
    ...(row.edits > 0 && { edits: row.edits }),
  };
}

/** The message with this id, as a reply quotes it; its columns are null once it is no longer stored. */
function quoteIn(id: string, row: NamedRow): RoomQuote {
  const isGone = row.named_is_deleted !== 0;
  return {
    id,
    sender: row.named_sender as Uid | null,
    senderName: row.named_sender === null ? '' : shownName(row.named_name),
    text: isGone ? '' : beginningOf(row.named_text ?? ''),
    isGone,
  };
}

export async function appendMessage(db: Db, { kind, roomId }: RoomRef, message: RoomMessage): Promise<void> {
  const { number, id, clientId, sender, text, timestamp, reply } = message;
  await inserted[kind](db, roomId, number, id, clientId, sender, text, timestamp, reply?.id ?? null);
}

const inserted = forEachKind((kind) =>
  builtOnce(
    (
      db,
      roomId: string,
      number: number,
      id: string,
      clientId: string,
      sender: string,
      text: string,
      atMs: number,
      replyTo: string | null,
    ) =>
      db.insertInto(roomTables[kind].chat).values({
        ...{ room_id: roomId, number, message_id: id, reply_to: replyTo },
        ...{ client_id: clientId, sender, text, timestamp_ms: atMs },
      }),
  ),
);

/** An evening of a full room has fewer. Rooms live for as long as their host stays. */
const keptPerRoom = 10_000;
/** Looked at with each so manyeth message. */
const forgottenAtOnce = 100;

/** Deletes the earliest messages of a room that has very many. Within the write of the message with this number. */
export async function forgetEarliest(db: Db, { kind, roomId }: RoomRef, number: number): Promise<void> {
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

/** What an act on a message needs to know. */
export interface MessageFacts {
  sender: string;
  text: string;
  timestampMs: number;
  isDeleted: boolean;
  edits: number;
  editId: string | null;
}

/** Null when there is no such message in the room. */
export async function messageFacts(db: Db, room: RoomRef, messageId: string): Promise<MessageFacts | null> {
  const row = await factsQuery(db, room, messageId).executeTakeFirst();
  return row ? toFacts(row) : null;
}

const factsQuery = (db: Db, { kind, roomId }: RoomRef, messageId: string) =>
  db
    .selectFrom(`${roomTables[kind].chat} as it`)
    .select(['it.sender', 'it.text', 'it.timestamp_ms', 'it.is_deleted', 'it.edits', 'it.edit_id'])
    .where('it.room_id', '=', roomId)
    .where('it.message_id', '=', messageId);

type FactsRow = Pick<
  Selectable<RoomChatTable>,
  'sender' | 'text' | 'timestamp_ms' | 'is_deleted' | 'edits' | 'edit_id'
>;

const toFacts = (row: FactsRow): MessageFacts => ({
  sender: row.sender,
  text: row.text,
  timestampMs: row.timestamp_ms,
  isDeleted: row.is_deleted === 1,
  edits: row.edits,
  editId: row.edit_id,
});

/** The same with the stored changes of the room's stream that mention the message, and whether it has stamps. */
export async function factsForDeletion(
  db: Db,
  room: RoomRef,
  messageId: string,
): Promise<{ facts: MessageFacts; hasStamps: boolean; mentions: StreamEntriesTable[] } | null> {
  const { kind, roomId } = room;
  const rows = await factsQuery(db, room, messageId)
    .leftJoin('stream_entries as entry', (join) =>
      join.on('entry.stream', '=', roomStream(roomId)).on('entry.change', 'like', `%${messageId}%`),
    )
    .select(['entry.stream', 'entry.seq', 'entry.at_ms', 'entry.change', 'entry.expels'])
    .select((of) =>
      of
        .selectFrom(roomTables[kind].stamps)
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .where('room_id', '=', roomId)
        .where('message_id', '=', messageId)
        .as('stamps'),
    )
    .execute();
  const [first] = rows;
  if (!first) return null;
  const mentions = rows.flatMap(({ stream, seq, at_ms, change, expels }) =>
    stream === null || seq === null || at_ms === null || change === null
      ? []
      : [{ stream, seq, at_ms, change, expels }],
  );
  return { facts: toFacts(first), hasStamps: (first.stamps ?? 0) > 0, mentions };
}

/** Stores the text of a message after so many edits, the last of them with this client id. */
export async function saveEdit(
  db: Db,
  { kind, roomId }: RoomRef,
  messageId: string,
  edit: { text: string; edits: number; edit_id: ClientId },
): Promise<void> {
  await db
    .updateTable(roomTables[kind].chat)
    .set(edit)
    .where('room_id', '=', roomId)
    .where('message_id', '=', messageId)
    .execute();
}

/** The words of a message by this person; null when there is none, and of one that was deleted. */
export async function wordsOfMessage(
  db: Db,
  { kind, roomId }: RoomRef,
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
export async function blankMessage(
  db: Db,
  { kind, roomId }: RoomRef,
  messageId: string,
  { isDeletedByHost = false }: { isDeletedByHost?: boolean },
): Promise<void> {
  await db
    .updateTable(roomTables[kind].chat)
    .set({ text: '', is_deleted: 1, deleted_by_host: isDeletedByHost ? 1 : 0, reply_to: null, edits: 0, edit_id: null })
    .where('room_id', '=', roomId)
    .where('message_id', '=', messageId)
    .execute();
}

/** About what a message weighs in an answer. */
const bytesOfMessage = ({ text, named_text: named }: SentRow): number =>
  bytesAround + Buffer.byteLength(text) + (named === null ? 0 : bytesAround + Buffer.byteLength(beginningOf(named)));
/** With its stamps. */
const bytesAround = 600;

/**
 * The page before the message named (null: the latest page), oldest first, the same for all readers: none of
 * its stamps is marked as a reader's own. An unknown message gives an empty page. With `downTo` it is longer, so that
 * it reaches that message if it can.
 */
export async function messagePage(db: Db, room: RoomRef, before: string | null, downTo?: string): Promise<MessagePage> {
  const { kind, roomId } = room;
  const table = roomTables[kind].chat;
  const most = before === null || downTo === undefined ? limits.chatPage : await lengthDownTo(db, room, before, downTo);
  const page = db
    .selectFrom(`${table} as it`)
    .leftJoin('users', 'it.sender', 'users.uid')
    .leftJoin(`${table} as named`, (join) =>
      join.onRef('named.room_id', '=', 'it.room_id').onRef('named.message_id', '=', 'it.reply_to'),
    )
    .leftJoin('users as author', 'author.uid', 'named.sender')
    .select([
      'it.message_id as id',
      ...sentColumns.map((column) => `it.${column}` as const),
      'users.name as sender_name',
    ])
    .select(namedColumns)
    .where('it.room_id', '=', roomId)
    .orderBy('it.number', 'desc');
  const behind = (last: number | null) => {
    if (last !== null) return page.where('it.number', '<', last);
    if (before === null) return page;
    return page.where('it.number', '<', (inner) =>
      inner.selectFrom(table).select('number').where('room_id', '=', roomId).where('message_id', '=', before),
    );
  };
  const { rows: shown, hasMore } = await inParts<SentRow>({
    most,
    partSize: limits.chatPage,
    read: (last, count) =>
      behind(last?.number ?? null)
        .limit(count)
        .execute(),
    bytesOf: bytesOfMessage,
  });
  const ids = shown.map(({ id }) => id);
  const stamps = await stampsOn(db, room, ids);
  const messages = shown.map((row) => toMessage(row, stamps.get(row.id)));
  return { messages: messages.toReversed(), hasEarlierMessages: hasMore };
}

/** The length of the page before one message that has the other; numbers within a room have no gaps. */
async function lengthDownTo(db: Db, { kind, roomId }: RoomRef, before: string, downTo: string): Promise<number> {
  const rows = await db
    .selectFrom(roomTables[kind].chat)
    .select('number')
    .where('room_id', '=', roomId)
    .where('message_id', 'in', [before, downTo])
    .orderBy('number')
    .execute();
  const apart = (rows.at(-1)?.number ?? 0) - (rows[0]?.number ?? 0);
  return Math.min(Math.max(apart, limits.chatPage), limits.longChatPage);
}
