/** What an act on a message needs to know, in one statement, and the changes of rows, which go together. */
import { type PairId, type Uid, userStream } from '@tunemate/protocol';
import { type QueryCreator, sql } from 'kysely';
import { blocksBetween } from '../people/blocks.ts';
import { answersUnder } from '../storage/idempotency.ts';
import { isSqlite } from '../storage/queries.ts';
import { replacedEntries } from '../storage/record.ts';
import type { Db, Schema, StreamEntriesTable } from '../storage/schema.ts';
import { blanked, quoteOf } from '@tunemate/domain';
import {
  bitOf,
  latestIn,
  messageColumns,
  messagesIn,
  peopleIn,
  type Reacted,
  type StoredMessage,
} from './messages-store.ts';

/** One person's side of the chat, as far as unread messages and reactions go. */
export interface ReaderFacts {
  uid: Uid;
  readUpTo: number;
  seenRevision: number;
  clearedUpTo: number;
  unread: number;
  /** Unseen reactions to other messages than this one. */
  reactionsElsewhere: number;
  isLive: boolean;
}

export type ReactedWith = Reacted & { added: number };

export interface ActFacts {
  row: StoredMessage;
  reacted: readonly ReactedWith[];
  caller: ReaderFacts;
  other: ReaderFacts;
  isBlocked: boolean;
  /** Of the last change, by either. */
  latestRevision: number;
  /** The request has an answer under its key. */
  isAnswered: boolean;
  /** The stored changes that mention the message, where these were asked for. */
  mentions: readonly StreamEntriesTable[];
}

interface Asked {
  pairId: PairId;
  number: number;
  caller: Uid;
  other: Uid;
  key?: string | undefined;
  withMentions?: boolean | undefined;
}

/** Null when the chat has no such message. */
export async function actFactsOf(db: Db, asked: Asked): Promise<ActFacts | null> {
  const { pairId, number, caller, other, key, withMentions } = asked;
  const rows = await messagesIn(db)
    .innerJoin('conversations as mine', (join) => join.on('mine.uid', '=', caller).on('mine.pair_id', '=', pairId))
    .innerJoin('conversations as theirs', (join) => join.on('theirs.uid', '=', other).on('theirs.pair_id', '=', pairId))
    .leftJoin('private_reactions as reacted', (join) =>
      join.onRef('reacted.pair_id', '=', 'it.pair_id').onRef('reacted.number', '=', 'it.number'),
    )
    .select(messageColumns)
    .select([
      ...sideColumns('mine'),
      ...sideColumns('theirs'),
      reactionsElsewhere('mine', number).as('mine_reactions'),
      reactionsElsewhere('theirs', number).as('theirs_reactions'),
      isLive(caller).as('mine_live'),
      isLive(other).as('theirs_live'),
      blocksBetween(caller, other).as('blocks'),
      latestIn('private_messages', pairId).as('latest_message'),
      latestIn('private_reactions', pairId).as('latest_reaction'),
      (key === undefined ? sql<number>`0` : answersUnder(caller, key)).as('answers'),
      (withMentions ? mentionsOf(db, asked) : sql<string | null>`null`).as('mentions'),
      'reacted.uid as by',
      'reacted.emojis',
      'reacted.revision as reacted_revision',
      'reacted.added',
    ])
    .where('it.pair_id', '=', pairId)
    .where('it.number', '=', number)
    .orderBy('reacted.uid')
    .execute();
  const [first] = rows;
  if (!first) return null;
  return {
    row: first,
    reacted: rows.flatMap(({ by, emojis, reacted_revision: revision, added }) =>
      by === null ? [] : [{ number, uid: by as Uid, emojis: emojis ?? '', revision: revision ?? 0, added: added ?? 0 }],
    ),
    caller: {
      uid: caller,
      readUpTo: first.mine_read,
      seenRevision: first.mine_seen,
      clearedUpTo: first.mine_cleared,
      unread: first.mine_unread,
      reactionsElsewhere: first.mine_reactions,
      isLive: first.mine_live > 0,
    },
    other: {
      uid: other,
      readUpTo: first.theirs_read,
      seenRevision: first.theirs_seen,
      clearedUpTo: first.theirs_cleared,
      unread: first.theirs_unread,
      reactionsElsewhere: first.theirs_reactions,
      isLive: first.theirs_live > 0,
    },
    isBlocked: first.blocks > 0,
    latestRevision: Math.max(
      ...[first.latest_message ?? 0, first.latest_reaction ?? 0],
      ...[first.mine_hidden, first.theirs_hidden],
    ),
    isAnswered: first.answers > 0,
    mentions: JSON.parse(first.mentions ?? '[]') as StreamEntriesTable[],
  };
}

/** The stored changes of both that mention the message, as JSON. Does not depend on a row, so it is read once. */
function mentionsOf(db: Db, { pairId, number, caller, other }: Asked) {
  const columns = sql`'stream', stream, 'seq', seq, 'at_ms', at_ms, 'change', change, 'expels', expels`;
  const entries = isSqlite(db)
    ? sql`json_group_array(json_object(${columns}))`
    : sql`json_agg(json_build_object(${columns}))::text`;
  return sql<string | null>`(select ${entries} from stream_entries
    where stream in (${userStream(caller)}, ${userStream(other)}) and change like '%' ||
      (select client_id from private_messages where pair_id = ${pairId} and number = ${number}) || '%')`;
}

const sideColumns = <Side extends 'mine' | 'theirs'>(side: Side) =>
  [
    `${side}.read_up_to as ${side}_read`,
    `${side}.seen_revision as ${side}_seen`,
    `${side}.cleared_up_to as ${side}_cleared`,
    `${side}.unread as ${side}_unread`,
    `${side}.hide_revision as ${side}_hidden`,
  ] as const;

const reactionsElsewhere = (side: 'mine' | 'theirs', number: number) => sql<number>`(
  select count(*) from private_reactions as news where news.pair_id = it.pair_id
  and news.author = ${sql.ref(`${side}.uid`)} and news.uid <> news.author
  and news.added > ${sql.ref(`${side}.seen_revision`)} and news.number > ${sql.ref(`${side}.cleared_up_to`)} and news.number <> ${number})`;

const isLive = (uid: Uid) => sql<number>`(
  select count(*) from users where users.uid = ${uid} and users.deleted_at_ms is null)`;

/** Stores what changed of a message. One that is deleted takes its reactions and its upload along (migration 0061). */
export function savingOf(
  { pair_id, number }: StoredMessage,
  changed: Partial<
    Pick<StoredMessage, 'text' | 'image' | 'voice' | 'edits' | 'edit_id' | 'is_deleted' | 'hidden_from'>
  > & {
    reply_to?: null;
    terms?: string;
    goes_at_ms?: null;
    revision?: number;
    hidden_at_1?: number;
    hidden_at_2?: number;
  },
) {
  return (on: QueryCreator<Schema>) =>
    on.updateTable('private_messages').set(changed).where('pair_id', '=', pair_id).where('number', '=', number);
}

export function savingReactions(pairId: string, author: string, reacted: ReactedWith) {
  const { number, uid, emojis, revision, added } = reacted;
  return (on: QueryCreator<Schema>) =>
    on
      .insertInto('private_reactions')
      .values({ pair_id: pairId, number, uid, author, emojis, revision, added })
      .onConflict((conflict) =>
        conflict.columns(['pair_id', 'number', 'uid']).doUpdateSet({ emojis, revision, added }),
      );
}

const bigint = (value: number) => sql<number>`cast(${value} as bigint)`;

/** Counts what the sender stores; `bytes` may be negative. */
export const countingBytes = (pairId: string, sender: Uid, bytes: number) => (on: QueryCreator<Schema>) =>
  on
    .updateTable('conversations')
    .set({ sent_bytes: sql`sent_bytes + ${bigint(bytes)}` })
    .where('pair_id', '=', pairId)
    .where('uid', '=', sender);

/** The words of the sender are gone, and the other person has one unread message less, if it was unread. */
export const countingDeletion =
  (pairId: string, sender: Uid, { bytes, wasUnread }: { bytes: number; wasUnread: boolean }) =>
  (on: QueryCreator<Schema>) =>
    on
      .updateTable('conversations')
      .set({
        sent_bytes: sql`sent_bytes - case when uid = ${sender} then ${bigint(bytes)} else ${bigint(0)} end`,
        unread: sql`unread - case when uid = ${sender} then ${bigint(0)} else ${bigint(wasUnread ? 1 : 0)} end`,
      })
      // Without the people every chat of the server is looked through.
      .where('uid', 'in', peopleIn(pairId))
      .where('pair_id', '=', pairId);

/** With the message that is hidden or shown again: what this person's list shows then. */
export function countingHiding(
  { pair_id: pairId, number, hidden_from }: StoredMessage,
  uid: Uid,
  { unread, revision }: { unread: number; revision: number },
) {
  const bit = bitOf(pairId, uid);
  // The row of the message may be as it was before.
  const isShown = sql`case when number = ${number} then ${hidden_from} else hidden_from end & ${bit} = 0`;
  const shown = sql<number>`coalesce((select number from private_messages where private_messages.pair_id = ${pairId}
    and number > conversations.cleared_up_to and ${isShown} order by number desc limit 1), 0)`;
  return (on: QueryCreator<Schema>) =>
    on
      .updateTable('conversations')
      .set({ unread, shown_number: shown, hide_revision: revision })
      .where('pair_id', '=', pairId)
      .where('uid', '=', uid);
}

/** Of these, the stored changes with words of a deleted message, its own and those of replies to it, without them. */
export function erasedEntries(mentions: readonly StreamEntriesTable[], deleted: StoredMessage): StreamEntriesTable[] {
  const isIt = (named: { number: number; clientId: string }) =>
    named.number === deleted.number && named.clientId === deleted.client_id;
  return replacedEntries(mentions, (change) => {
    if (change.type !== 'chats/messageSent' && change.type !== 'chats/messageChanged') return null;
    const { message } = change;
    if (message.pairId !== deleted.pair_id) return null;
    if (isIt(message))
      return { ...change, message: blanked(message, message.state === 'hidden' ? 'hidden' : 'deleted') };
    if (message.reply === null || !isIt(message.reply)) return null;
    const reply = quoteOf({ ...message.reply, image: null, voice: undefined, state: 'deleted' });
    return { ...change, message: { ...message, reply } };
  });
}
