/**
 * Reads and writes conversations and their messages. A conversation has one row for each of its two users.
 */
import type { Marks } from '@tunemate/domain';
import { type ClientId, limits, type PairId, type PrivateMessage, type Uid } from '@tunemate/protocol';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Side } from '../access/subjects.ts';
import { inPages, pageSize } from '../storage/pages.ts';
import { padded } from '../storage/queries.ts';
import type { PrivateMessagesTable, Schema } from '../storage/schema.ts';
import { weightOf } from './kept-bytes.ts';

type Db = Kysely<Schema>;

const sideColumns = [
  'other',
  'pair_id',
  'last_number',
  'last_at_ms',
  'delivered_up_to',
  'read_up_to',
  'unread',
  'unanswered',
] as const;

const toSide = (row: Pick<Selectable<Schema['conversations']>, (typeof sideColumns)[number]>): Side => ({
  other: row.other as Uid,
  pairId: row.pair_id as PairId,
  lastNumber: row.last_number,
  lastAtMs: row.last_at_ms,
  deliveredUpTo: row.delivered_up_to,
  readUpTo: row.read_up_to,
  unread: row.unread,
  unanswered: row.unanswered,
});

export async function sideOf(db: Db, uid: Uid, pairId: PairId): Promise<Side | null> {
  const row = await db
    .selectFrom('conversations')
    .select(sideColumns)
    .where('uid', '=', uid)
    .where('pair_id', '=', pairId)
    .executeTakeFirst();
  return row ? toSide(row) : null;
}

/**
 * The facts that decide whether `sender` may write to `recipient`, and the message already sent under this client id, in
 * any conversation. One statement. Names of existing accounts only.
 */
export async function writingFactsOf(db: Db, { sender, recipient, pairId, clientId }: Written) {
  const rows = await db
    .selectFrom('users')
    .leftJoin('conversations as side', (join) => join.on('side.uid', '=', sender).on('side.pair_id', '=', pairId))
    .leftJoin('private_messages as sent', (join) =>
      join.on('sent.sender', '=', sender).on('sent.client_id', '=', clientId),
    )
    .select((of) => [
      'users.uid',
      'users.name',
      'sent.pair_id as sent_in',
      'sent.number',
      'sent.text',
      'sent.image',
      'sent.timestamp_ms',
      ...sideColumns.map((column) => `side.${column}` as const),
      of
        .selectFrom('blocks')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .where((either) =>
          either.or([
            either('uid', '=', sender).and('blocked', '=', recipient),
            either('uid', '=', recipient).and('blocked', '=', sender),
          ]),
        )
        .as('blocks'),
    ])
    .where('users.uid', 'in', [sender, recipient])
    .where('users.deleted_at_ms', 'is', null)
    .where('users.email_verified', '=', 1)
    .execute();
  const row = rows[0];
  return {
    names: new Map(rows.map(({ uid, name }) => [uid as Uid, name])),
    side: row && row.pair_id !== null ? toSide(row as Parameters<typeof toSide>[0]) : null,
    isBlocked: Number(row?.blocks) > 0,
    sent:
      row && row.sent_in !== null
        ? toMessage({ ...(row as SentRow), pair_id: row.sent_in, client_id: clientId, sender })
        : null,
  };
}

interface Written {
  sender: Uid;
  recipient: Uid;
  pairId: PairId;
  clientId: ClientId;
}
type SentRow = Pick<PrivateMessagesTable, 'number' | 'text' | 'image' | 'timestamp_ms'>;

/** Updates the rows of both users for a message just stored; the first message inserts them. */
export async function recordMessage(
  db: Db,
  message: PrivateMessage,
  recipient: Uid,
  isToStranger: boolean,
): Promise<void> {
  const { pairId, sender, number, timestamp } = message;
  const last = { last_number: number, last_at_ms: timestamp };
  const fresh = { pair_id: pairId, started_at_ms: timestamp, ...last };
  const own = {
    ...fresh,
    ...{ uid: sender, other: recipient, unanswered: 1, unread: 0, opened_by_me: isToStranger ? 1 : 0 },
    sent_bytes: weightOf(message.text),
  };
  const theirs = {
    ...fresh,
    ...{ uid: recipient, other: sender, unanswered: 0, unread: 1, opened_by_me: 0, sent_bytes: 0 },
  };
  await db
    .insertInto('conversations')
    .values([own, theirs])
    .onConflict((conflict) =>
      conflict.columns(['uid', 'pair_id']).doUpdateSet((is) => ({
        ...last,
        // `excluded` is the new row: 1 on the side that counts the message, 0 on the other.
        unread: is('conversations.unread', '+', is.ref('excluded.unread')),
        sent_bytes: is('conversations.sent_bytes', '+', is.ref('excluded.sent_bytes')),
        unanswered: sql<number>`(conversations.unanswered + 1) * excluded.unanswered`,
      })),
    )
    .execute();
}

export async function saveMarks(db: Db, uid: Uid, pairId: PairId, marks: Marks, unread: number): Promise<void> {
  await db
    .updateTable('conversations')
    .set({ delivered_up_to: marks.deliveredUpTo, read_up_to: marks.readUpTo, unread })
    .where('uid', '=', uid)
    .where('pair_id', '=', pairId)
    .execute();
}

/** Start times of the conversations that this user opened with strangers after `sinceMs`, oldest first. */
export async function openedWithStrangers(db: Db, uid: Uid, sinceMs: number): Promise<number[]> {
  const rows = await db
    .selectFrom('conversations')
    .select('started_at_ms')
    .where('uid', '=', uid)
    // Implied by the next condition, but this column has the index.
    .where('last_at_ms', '>', sinceMs)
    .where('started_at_ms', '>', sinceMs)
    .where('opened_by_me', '=', 1)
    .orderBy('started_at_ms')
    .execute();
  return rows.map((row) => row.started_at_ms);
}

/** Unread messages of each user; users without a conversation are absent. */
export async function unreadOf(db: Db, uids: readonly Uid[]): Promise<Map<Uid, number>> {
  const rows = await db
    .selectFrom('conversations')
    .select((inner) => ['uid', inner.fn.sum('unread').as('unread')])
    .where('uid', 'in', padded(uids))
    .groupBy('uid')
    .execute();
  return new Map(rows.map(({ uid, unread }) => [uid as Uid, Number(unread)]));
}

/** All conversations of this user, a page at a time, in an order that no message changes. */
export function sidesOf(db: Db, uid: Uid): AsyncIterable<Side> {
  return inPages<Side>(async (last) => {
    const rows = await db
      .selectFrom('conversations')
      .select(sideColumns)
      .where('uid', '=', uid)
      .where('pair_id', '>', last?.pairId ?? '')
      .orderBy('pair_id')
      .limit(pageSize)
      .execute();
    return rows.map(toSide);
  });
}

/** False when either of the two has switched read receipts off. */
export async function shareReceipts(db: Db, a: Uid, b: Uid): Promise<boolean> {
  const off = await db
    .selectFrom('users')
    .select('uid')
    .where('uid', 'in', [a, b])
    .where('read_receipts', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return off === undefined;
}

/** A conversation of two deleted accounts. */
export interface Ended {
  pairId: PairId;
  people: readonly [Uid, Uid];
}

/** At most `most` of them, each once. */
export async function endedConversations(db: Db, most: number): Promise<Ended[]> {
  const rows = await db
    .selectFrom('users as one')
    // SQLite starts a cross join at its left table: there are fewer deleted users than conversations.
    .crossJoin('conversations as side')
    .innerJoin('users as other', 'other.uid', 'side.other')
    .select(['side.pair_id', 'side.uid', 'side.other'])
    .whereRef('side.uid', '=', 'one.uid')
    .whereRef('side.uid', '<', 'side.other')
    .where('one.deleted_at_ms', 'is not', null)
    .where('other.deleted_at_ms', 'is not', null)
    .limit(most)
    .execute();
  return rows.map((row) => ({ pairId: row.pair_id as PairId, people: [row.uid as Uid, row.other as Uid] }));
}

export async function deleteSides(db: Db, pairId: PairId, people: readonly Uid[]): Promise<void> {
  await db
    .deleteFrom('conversations')
    .where('uid', 'in', [...people])
    .where('pair_id', '=', pairId)
    .execute();
}

function toMessage(row: PrivateMessagesTable): PrivateMessage {
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

interface MessagePage {
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

/** Oldest first, a page at a time. */
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
 * The user's conversations, latest first, each with its last message. One index step and one look-up per row, however
 * many messages there are.
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

export async function chatListOf(
  db: Db,
  uid: Uid,
  most: number,
): Promise<{ other: Uid; unread: number; last: PrivateMessage }[]> {
  const rows = await chatListQuery(db, uid, most).execute();
  return rows.map((row) => ({ other: row.other as Uid, unread: row.unread, last: toMessage(row) }));
}

export async function messageNumbered(db: Db, pairId: PairId, number: number): Promise<PrivateMessage | null> {
  const row = await db
    .selectFrom('private_messages')
    .selectAll()
    .where('pair_id', '=', pairId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row ? toMessage(row) : null;
}

/** The highest number up to `upTo` of a message by `sender`; 0 without one. */
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

/** Counts the messages by `sender` with a number above `after`. */
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
