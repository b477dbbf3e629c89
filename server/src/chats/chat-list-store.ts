/** Reads the list of a person's chats in parts: people whom they know come before strangers, however many write. */
import type { Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { lists } from '../storage/people.ts';
import { withinBytes } from '../storage/pages.ts';
import { builtForEach, lookedUp } from '../storage/queries.ts';
import type { Db } from '../storage/schema.ts';
import { isAnswered } from '../storage/tables/chat-tables.ts';
import { arrangedColumns, arrangedIn, unseenReactions } from './chats-store.ts';
import { bytesOfMessage, ownColumns, seenBy } from './messages-store.ts';

/**
 * The person of `side` knows the other: has pinned the chat, has ever written in it, or has them on a list. The row of the
 * other tells of the writing.
 */
const isKnown = sql<boolean>`(side.is_pinned = 1
  or ${lookedUp(sql`select 1 from conversations as theirs where theirs.uid = side.other
    and theirs.pair_id = side.pair_id and ${isAnswered('theirs')}`)}
  or ${lists('side.uid', 'side.other')}
  or ${lookedUp(sql`select 1 from users where users.uid = side.uid and users.soulmate = side.other`)})`;

const listed = (db: Db, uid: Uid, isStranger: boolean) =>
  db
    .selectFrom('conversations as side')
    .innerJoin('private_messages as last', (join) =>
      join
        .onRef('last.pair_id', '=', 'side.pair_id')
        .on('last.number', '=', (of) => of.fn.coalesce('side.shown_number', 'side.last_number')),
    )
    .where('side.uid', '=', uid)
    .where(isStranger ? sql<boolean>`not ${isKnown}` : isKnown);

/**
 * The user's conversations, pinned ones first, then the latest, each with the last message that they have not hidden, with
 * people whom they know, or with strangers. Some index steps and look-ups per row, however many messages there are.
 */
export function chatListQuery(db: Db, uid: Uid, { isStranger, from, most }: Asking) {
  return listed(db, uid, isStranger)
    .select(ownColumns.map((column) => `last.${column}` as const))
    .select(['side.other', 'side.unread', ...arrangedColumns, unseenReactions('side').as('reactions')])
    .select(['side.unanswered', 'side.last_number'])
    .orderBy('side.is_pinned', 'desc')
    .orderBy('side.last_at_ms', 'desc')
    .limit(most)
    .offset(from);
}

async function countOf(db: Db, uid: Uid, isStranger: boolean): Promise<number> {
  const counted = listed(db, uid, isStranger).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** About what a chat of the list weighs beside its last message. */
const bytesOfPerson = 600;

interface Asking {
  isStranger: boolean;
  from: number;
  most: number;
}

/** A part of the list, in which all people whom the user knows come before strangers, and how many come after it. */
export async function chatListOf(db: Db, uid: Uid, { from, most }: Omit<Asking, 'isStranger'>) {
  const known = await chatListQuery(db, uid, { isStranger: false, from, most }).execute();
  const isFull = known.length === most;
  // A page is full of people whom the user knows, for most users: then strangers are only counted.
  const knownInAll = isFull || (known.length === 0 && from > 0) ? await countOf(db, uid, false) : from + known.length;
  const strangers = isFull
    ? []
    : await chatListQuery(db, uid, {
        isStranger: true,
        from: Math.max(0, from - knownInAll),
        most: most - known.length,
      }).execute();
  const isWhole = !isFull && known.length + strangers.length < most;
  const total = isWhole ? 0 : knownInAll + (await countOf(db, uid, true));
  const rowOf = (isStranger: boolean) => (row: (typeof known)[number]) => ({
    other: row.other as Uid,
    unread: row.unread + row.reactions,
    last: seenBy(uid, row),
    /** The other has written in it. */
    isAnswered: row.unanswered < row.last_number,
    ...arrangedIn(row),
    ...(isStranger && { isStranger: true as const }),
  });
  const all = [...known.map(rowOf(false)), ...strangers.map(rowOf(true))];
  const { rows } = withinBytes(all, ({ last }) => bytesOfMessage(last) + bytesOfPerson);
  return { rows, more: Math.max(0, (isWhole ? from + all.length : total) - from - rows.length) };
}

/**
 * What is unread of each user, messages and reactions: `unread` of all chats, and how many of the chats that home lists have
 * any. Users without a conversation are absent.
 */
export async function unreadOf(db: Db, uids: readonly Uid[]): Promise<Map<Uid, { unread: number; waiting: number }>> {
  const rows = await unreadSums(db, uids);
  return new Map(
    rows.map(({ uid, unread, waiting }) => [uid as Uid, { unread: Number(unread), waiting: Number(waiting) }]),
  );
}

/** The reactions of each chat are counted once, and whom a user knows is asked of the chats alone that have something. */
const unreadSums = builtForEach((db, uids: readonly Uid[]) =>
  db
    .with(
      (name) => name('side').materialized(),
      (inner) =>
        inner
          .selectFrom('conversations as side')
          .select(['side.uid', 'side.pair_id', 'side.other', 'side.is_pinned', 'side.is_archived'])
          .select(sql<number>`side.unread + ${unseenReactions('side')}`.as('unread'))
          .where('side.uid', 'in', uids),
    )
    .selectFrom('side')
    .select(({ fn }) => [
      'side.uid',
      fn.sum('side.unread').as('unread'),
      fn.sum(sql`case when side.unread > 0 and side.is_archived = 0 and ${isKnown} then 1 else 0 end`).as('waiting'),
    ])
    .groupBy('side.uid'),
);
