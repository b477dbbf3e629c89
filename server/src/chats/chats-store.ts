/**
 * Reads and writes conversations and their messages. A conversation has one row for each of its two users.
 */
import { type Marks, pairIdOf } from '@tunemate/domain';
import type { ChatArrangement, ClientId, PairId, PrivateMessage, Uid } from '@tunemate/protocol';
import { type Selectable, sql } from 'kysely';
import type { Side } from '../access/subjects.ts';
import { blocksBetween } from '../people/blocks.ts';
import { writtenBy } from '../people/ties.ts';
import { inPages, pageSize } from '../storage/pages.ts';
import { builtByName, changesByName, isThere } from '../storage/queries.ts';
import type { Db, Schema } from '../storage/schema.ts';
import { isAnswered } from '../storage/tables/chat-tables.ts';
import { weightOf } from './kept-bytes.ts';
import { bitOf, namedColumns, namedIn, type NewMessage, rowOf } from './messages-store.ts';

const sideColumns = [
  'other',
  'pair_id',
  'last_number',
  'last_at_ms',
  'delivered_up_to',
  'read_up_to',
  'unread',
  'unanswered',
  'seen_revision',
  'cleared_up_to',
  'goes_after_days',
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
  seenRevision: row.seen_revision,
  clearedUpTo: row.cleared_up_to,
  goesAfterDays: row.goes_after_days,
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

/** Whether both have written in their chat, and whether one has blocked the other; null without a chat. One statement. */
export async function talkOf(db: Db, uid: Uid, other: Uid): Promise<{ bothWrote: boolean; isBlocked: boolean } | null> {
  const row = await db
    .selectFrom('conversations as own')
    .innerJoin('conversations as theirs', (join) =>
      join.onRef('theirs.uid', '=', 'own.other').onRef('theirs.pair_id', '=', 'own.pair_id'),
    )
    .select(sql<number>`case when ${isAnswered('own')} and ${isAnswered('theirs')} then 1 else 0 end`.as('both_wrote'))
    .select(blocksBetween(uid, other).as('blocks'))
    .where('own.uid', '=', uid)
    .where('own.pair_id', '=', pairIdOf(uid, other))
    .executeTakeFirst();
  return row ? { bothWrote: row.both_wrote === 1, isBlocked: row.blocks > 0 } : null;
}

/**
 * The facts that decide whether `sender` may write to `recipient`, the message that is answered, and the message
 * already sent under this client id, in any conversation. One statement. Names of existing accounts only.
 */
export async function writingFactsOf(db: Db, { replyTo = 0, ...written }: Written) {
  const rows = await writingFacts(db, { ...written, replyTo });
  const row = rows[0];
  return {
    names: new Map(rows.map(({ uid, name }) => [uid as Uid, name])),
    side: row && row.pair_id !== null ? toSide(row as Parameters<typeof toSide>[0]) : null,
    isBlocked: Number(row?.blocks) > 0,
    /** The sender has not written in the chat that the recipient began. */
    isFirstAnswer: row !== undefined && row.pair_id !== null && row.theirs_unanswered === row.last_number,
    /** What the recipient made of the chat. */
    theirs: { isMuted: row?.theirs_muted === 1, clearedUpTo: row?.theirs_cleared ?? 0 },
    named: row && row.named_number !== null ? namedIn(row) : null,
    sent: row && row.sent_in !== null ? sentIn(row as Parameters<typeof sentIn>[0]) : null,
  };
}

const writingFacts = builtByName(
  (db, { sender, recipient, pairId, clientId, replyTo }: Written & { replyTo: number }) =>
    db
      .selectFrom('users')
      .leftJoin('conversations as side', (join) => join.on('side.uid', '=', sender).on('side.pair_id', '=', pairId))
      .leftJoin('conversations as theirs', (join) =>
        join.on('theirs.uid', '=', recipient).on('theirs.pair_id', '=', pairId),
      )
      .leftJoin('private_messages as sent', (join) =>
        join.on('sent.sender', '=', sender).on('sent.client_id', '=', clientId),
      )
      .leftJoin('private_messages as named', (join) =>
        join.on('named.pair_id', '=', pairId).on('named.number', '=', replyTo),
      )
      .select([
        'users.uid',
        'users.name',
        'sent.pair_id as sent_in',
        'sent.number as sent_number',
        'sent.text as sent_text',
        'sent.image as sent_image',
        'sent.voice as sent_voice',
        'sent.edits as sent_edits',
        'sent.is_deleted as sent_is_deleted',
        'sent.reply_to as sent_reply_to',
        ...namedColumns,
        ...sideColumns.map((column) => `side.${column}` as const),
        'theirs.is_muted as theirs_muted',
        'theirs.cleared_up_to as theirs_cleared',
        'theirs.unanswered as theirs_unanswered',
        blocksBetween(sender, recipient).as('blocks'),
      ])
      .where('users.uid', 'in', [sender, recipient])
      .where('users.deleted_at_ms', 'is', null)
      .where('users.email_verified', '=', 1),
);

interface Written {
  sender: Uid;
  recipient: Uid;
  pairId: PairId;
  clientId: ClientId;
  replyTo?: number | undefined;
}

/** What was sent under a client id. Words that were changed since can't be compared any more. */
function sentIn(row: {
  sent_in: string;
  sent_number: number;
  sent_text: string;
  sent_image: string | null;
  sent_voice: string | null;
  sent_edits: number;
  sent_is_deleted: number;
  sent_reply_to: number | null;
}) {
  const voice = row.sent_voice === null ? null : (JSON.parse(row.sent_voice) as NonNullable<PrivateMessage['voice']>);
  const image = row.sent_image === null ? null : (JSON.parse(row.sent_image) as NonNullable<PrivateMessage['image']>);
  return {
    pairId: row.sent_in as PairId,
    number: row.sent_number,
    text: row.sent_edits === 0 ? row.sent_text : null,
    imageId: image?.imageId,
    voiceId: voice?.voiceId,
    replyTo: row.sent_reply_to ?? undefined,
    isDeleted: row.sent_is_deleted === 1,
  };
}
export type SentBefore = ReturnType<typeof sentIn>;

/** Stores a message, and updates the rows of both users; the first message inserts them. */
export async function saveMessage(
  db: Db,
  message: NewMessage,
  { recipient, isToStranger, goesAtMs = null }: { recipient: Uid; isToStranger: boolean; goesAtMs?: number | null },
): Promise<void> {
  const more = { recipient, opened_by_me: isToStranger ? 1 : 0, sent_bytes: weightOf(message.text) };
  await storing(db, { ...rowOf(db, message, goesAtMs), ...more });
}

type Stored = ReturnType<typeof rowOf> & { recipient: Uid; opened_by_me: number; sent_bytes: number };

const storing = changesByName((stored: Stored) => {
  const { pair_id, number, sender, timestamp_ms, recipient } = stored;
  const last = { last_number: number, shown_number: null, last_at_ms: timestamp_ms };
  const fresh = { pair_id, started_at_ms: timestamp_ms, ...last };
  const own = {
    ...fresh,
    ...{ uid: sender, other: recipient, unanswered: 1, unread: 0 },
    ...{ opened_by_me: stored.opened_by_me, sent_bytes: stored.sent_bytes },
  };
  const theirs = {
    ...fresh,
    ...{ uid: recipient, other: sender, unanswered: 0, unread: 1, opened_by_me: 0, sent_bytes: 0 },
  };
  return [
    (on) =>
      on.insertInto('private_messages').values({
        ...{ pair_id, number, sender, timestamp_ms },
        ...{ client_id: stored.client_id, text: stored.text, image: stored.image, voice: stored.voice },
        ...{ reply_to: stored.reply_to, terms: stored.terms, goes_at_ms: stored.goes_at_ms },
      }),
    (on) =>
      on
        .insertInto('conversations')
        .values([own, theirs])
        .onConflict((conflict) =>
          conflict.columns(['uid', 'pair_id']).doUpdateSet((is) => ({
            ...last,
            is_archived: sql<number>`conversations.is_archived * conversations.is_muted`,
            // `excluded` is the new row: 1 on the side that counts the message, 0 on the other.
            unread: is('conversations.unread', '+', is.ref('excluded.unread')),
            sent_bytes: is('conversations.sent_bytes', '+', is.ref('excluded.sent_bytes')),
            unanswered: sql<number>`(conversations.unanswered + 1) * excluded.unanswered`,
          })),
        ),
  ];
});

/** So many messages behind a mark are counted anew; of more only those that it passes. */
const countedAnew = 500;

/** Messages of `other` that a person has not read, cleared or hidden, with numbers above and up to these. */
export const unreadBetween = (pairId: PairId, reader: Uid, other: Uid, above: number, upTo: number) =>
  sql<number>`(select count(*) from private_messages where private_messages.pair_id = ${pairId} and sender = ${other}
    and number > side.read_up_to and number > side.cleared_up_to and number > ${above} and number <= ${upTo}
    and is_deleted = 0 and (hidden_from & ${bitOf(pairId, reader)}) = 0)`;

/**
 * What a mark of this person depends on, with how far down the numbers asked for reach. One statement, which costs no
 * more in a chat with very many unread messages.
 */
export async function markFactsOf(db: Db, uid: Uid, other: Uid, pairId: PairId, asked: Asked) {
  const row = await db
    .selectFrom('conversations as side')
    .select((of) => [
      ...sideColumns,
      lastNumberBy(pairId, other, asked.deliveredUpTo).as('delivered'),
      lastNumberBy(pairId, other, asked.readUpTo).as('read'),
      unseenReactions('side', asked.seenRevision).as('reactions'),
      unreadBetween(pairId, uid, other, 0, asked.readUpTo).as('passed'),
      sql<number | null>`case when side.last_number - ${asked.readUpTo} <= ${countedAnew}
        then ${unreadBetween(pairId, uid, other, asked.readUpTo, Number.MAX_SAFE_INTEGER)} end`.as('left'),
      of
        .selectFrom('users')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .where('users.uid', 'in', [uid, other])
        .where('read_receipts', '=', 0)
        .as('hiding'),
      blocksBetween(uid, other).as('blocks'),
      writtenBy(db, uid, other)
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('wrote'),
    ])
    .where('uid', '=', uid)
    .where('pair_id', '=', pairId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    side: toSide(row),
    /** This person has written to the other. */
    hasWritten: Number(row.wrote) > 0,
    reached: { deliveredUpTo: row.delivered, readUpTo: row.read },
    /** Messages that stay unread. */
    unread: row.left ?? Math.max(0, row.unread - row.passed),
    /** Unseen once the revision asked for is seen. */
    reactions: row.reactions,
    /** That a person reads tells the other no more than their presence does. */
    shareReceipts: Number(row.hiding) === 0 && row.blocks === 0,
  };
}
type Asked = Marks & { seenRevision: number };

/** The highest number up to `upTo` of a message by `sender`; 0 without one. */
const lastNumberBy = (pairId: PairId, sender: Uid, upTo: number) =>
  sql<number>`coalesce((select max(number) from private_messages
    where pair_id = ${pairId} and sender = ${sender} and number <= ${upTo}), 0)`;

export async function saveMarks(
  db: Db,
  uid: Uid,
  pairId: PairId,
  { deliveredUpTo, readUpTo, seenRevision, unread }: Asked & { unread: number },
): Promise<void> {
  await db
    .updateTable('conversations')
    .set({ delivered_up_to: deliveredUpTo, read_up_to: readUpTo, seen_revision: seenRevision, unread })
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
    .where('is_pinned', 'in', [0, 1])
    .where('last_at_ms', '>', sinceMs)
    .where('started_at_ms', '>', sinceMs)
    .where('opened_by_me', '=', 1)
    .orderBy('started_at_ms')
    .execute();
  return rows.map((row) => row.started_at_ms);
}

/** Reactions of the other person, to messages of the person of `side`, that were not on their screen yet. */
export const unseenReactions = (side: string, alsoSeen = 0) => sql<number>`(
  select count(*) from private_reactions where private_reactions.pair_id = ${sql.ref(`${side}.pair_id`)}
  and private_reactions.author = ${sql.ref(`${side}.uid`)} and private_reactions.uid <> private_reactions.author
  and private_reactions.added > ${sql.ref(`${side}.seen_revision`)} and private_reactions.added > ${alsoSeen}
  and private_reactions.number > ${sql.ref(`${side}.cleared_up_to`)})`;

/** All conversations of this user, a page at a time, in an order that no message changes. */
export function arrangedSidesOf(db: Db, uid: Uid): AsyncIterable<Side & { arranged: ChatArrangement }> {
  return inPages<Side & { arranged: ChatArrangement }>(async (last) => {
    const rows = await db
      .selectFrom('conversations as side')
      .select(sideColumns)
      .select(arrangedColumns)
      .where('uid', '=', uid)
      .where('pair_id', '>', last?.pairId ?? '')
      .orderBy('pair_id')
      .limit(pageSize)
      .execute();
    return rows.map((row) => ({ ...toSide(row), arranged: arrangedIn(row) }));
  });
}

/** False when either of the two has switched read receipts off. */
export async function shareReceipts(db: Db, a: Uid, b: Uid): Promise<boolean> {
  const off = db.selectFrom('users').select('uid').where('uid', 'in', [a, b]).where('read_receipts', '=', 0);
  return !(await isThere(off.limit(1)));
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

export const arrangedColumns = ['side.is_pinned', 'side.is_muted', 'side.is_archived'] as const;

export const arrangedIn = (row: { is_pinned: number; is_muted: number; is_archived: number }): ChatArrangement => ({
  isPinned: row.is_pinned === 1,
  isMuted: row.is_muted === 1,
  isArchived: row.is_archived === 1,
});
