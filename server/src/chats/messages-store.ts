/**
 * Reads and writes private messages: 1, 2, 3 … within each conversation, never changed, never renumbered.
 * Every function takes the database or transaction to use.
 */
import { type ClientId, limits, type PairId, type PrivateMessage, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { inPages, pageSize } from '../storage/pages.ts';
import type { PrivateMessagesTable, Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

export function toMessage(row: PrivateMessagesTable): PrivateMessage {
  return {
    pairId: row.pair_id as PairId,
    number: row.number,
    clientId: row.client_id as ClientId,
    sender: row.sender as Uid,
    text: row.text,
    image: row.image === null ? null : (JSON.parse(row.image) as PrivateMessage['image']),
    timestamp: row.timestamp_ms,
  };
}

export async function insertMessage(db: Db, message: PrivateMessage): Promise<void> {
  await db
    .insertInto('private_messages')
    .values({
      pair_id: message.pairId,
      number: message.number,
      client_id: message.clientId,
      sender: message.sender,
      text: message.text,
      image: message.image === null ? null : JSON.stringify(message.image),
      timestamp_ms: message.timestamp,
    })
    .execute();
}

export interface MessagePage {
  /** Oldest first. */
  messages: PrivateMessage[];
  hasEarlierMessages: boolean;
}

/** The latest page of messages with a number below `before`; the very latest without it. */
export async function messagesBefore(db: Db, pairId: PairId, before?: number): Promise<MessagePage> {
  let query = db.selectFrom('private_messages').selectAll().where('pair_id', '=', pairId);
  if (before !== undefined) query = query.where('number', '<', before);
  const rows = await query.orderBy('number', 'desc').limit(limits.chatPage).execute();
  const messages = rows.map(toMessage).toReversed();
  return { messages, hasEarlierMessages: (messages[0]?.number ?? 1) > 1 };
}

/** A whole conversation, oldest first, a page at a time. */
export function allMessages(db: Db, pairId: PairId): AsyncIterable<PrivateMessage> {
  return inPages<PrivateMessage>(async (last) => {
    const rows = await db
      .selectFrom('private_messages')
      .selectAll()
      .where('pair_id', '=', pairId)
      .where('number', '>', last?.number ?? 0)
      .orderBy('number')
      .limit(pageSize)
      .execute();
    return rows.map(toMessage);
  });
}

/**
 * The query behind the chat list: this person's conversations, the latest first, each with its last message. One step
 * along an index and one look-up a row, however many messages there are.
 */
export function chatListQuery(db: Db, uid: Uid, most: number) {
  return db
    .selectFrom('conversations as side')
    .innerJoin('private_messages as last', (join) =>
      join.onRef('last.pair_id', '=', 'side.pair_id').onRef('last.number', '=', 'side.last_number'),
    )
    .selectAll('last')
    .select(['side.other', 'side.unread'])
    .where('side.uid', '=', uid)
    .orderBy('side.last_at_ms', 'desc')
    .limit(most);
}

/** The rows of the chat list. */
export async function chatListOf(
  db: Db,
  uid: Uid,
  most: number,
): Promise<{ other: Uid; unread: number; last: PrivateMessage }[]> {
  const rows = await chatListQuery(db, uid, most).execute();
  return rows.map((row) => ({ other: row.other as Uid, unread: row.unread, last: toMessage(row) }));
}

/** The message of this number. */
export async function messageNumbered(db: Db, pairId: PairId, number: number): Promise<PrivateMessage | null> {
  const row = await db
    .selectFrom('private_messages')
    .selectAll()
    .where('pair_id', '=', pairId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row ? toMessage(row) : null;
}

/** The number of the last message by `sender` that is not above `upTo`; 0 when there is none. */
export async function lastNumberBy(db: Db, pairId: PairId, sender: Uid, upTo: number): Promise<number> {
  const row = await db
    .selectFrom('private_messages')
    .select('number')
    .where('pair_id', '=', pairId)
    .where('number', '<=', upTo)
    .where('sender', '=', sender)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.number ?? 0;
}

/** How many messages by `sender` have a number above `after`. */
export async function countBy(db: Db, pairId: PairId, sender: Uid, after: number): Promise<number> {
  const row = await db
    .selectFrom('private_messages')
    .select((inner) => inner.fn.countAll().as('count'))
    .where('pair_id', '=', pairId)
    .where('number', '>', after)
    .where('sender', '=', sender)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Deletes the oldest messages of a conversation. False when none are left. */
export async function deleteSomeMessages(db: Db, pairId: PairId, most: number): Promise<boolean> {
  const messages = db.selectFrom('private_messages').select('number').where('pair_id', '=', pairId);
  const oldest = await messages.orderBy('number').limit(most).execute();
  const last = oldest.at(-1);
  if (last === undefined) return false;
  await db.deleteFrom('private_messages').where('pair_id', '=', pairId).where('number', '<=', last.number).execute();
  return oldest.length === most;
}
