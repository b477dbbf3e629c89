/**
 * What no person can read any more goes: the part of a chat that both have deleted for themselves, and messages that both
 * have hidden. A deleted account reads nothing. Any number of processes may run it at once.
 */
import { type PairId, type Uid, userStream } from '@tunemate/protocol';
import { sql } from 'kysely';
import { inPages, pageSize } from '../storage/pages.ts';
import { changeTogether } from '../storage/queries.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import { eraseMessage } from './chat-timers.ts';
import { weightOf } from './kept-bytes.ts';
import { countingBytes } from './message-acts-store.ts';
import { deleteSomeMessages, peopleIn } from './messages-store.ts';

/** A pair id begins with the uid of the person whose bit is 1. */
const uidLength = 22;
/** A message that was hidden a moment ago can be shown again. */
const hiddenForMs = 60 * 60 * 1000;

export async function forgetUnreadable(record: StreamRecord, nowMs: number): Promise<void> {
  for await (const { pairId, upTo } of inPages<Cleared>((last) => clearedByBoth(record.db, last)))
    await forgetUpTo(record, pairId, upTo);
  for await (const { pairId, number } of inPages<Hidden>((last) => hiddenFromBoth(record.db, nowMs, last))) {
    const people = peopleIn(pairId);
    await record.write(people.map(userStream), (writing) => eraseMessage(writing, pairId, number, people));
  }
}

interface Cleared {
  pairId: PairId;
  upTo: number;
}

/** The chats of which a first part is deleted by both and still stored. */
async function clearedByBoth(db: Db, last: Cleared | null): Promise<Cleared[]> {
  const { rows } = await sql<{ pair_id: string; up_to: number }>`
    select pair_id, up_to from (
      select one.pair_id, case when first.deleted_at_ms is not null then two.cleared_up_to
        when second.deleted_at_ms is not null or one.cleared_up_to < two.cleared_up_to then one.cleared_up_to
        else two.cleared_up_to end as up_to
      from conversations as one
      inner join conversations as two on two.uid = one.other and two.pair_id = one.pair_id
      inner join users as first on first.uid = one.uid
      inner join users as second on second.uid = one.other
      where one.uid < one.other and (one.cleared_up_to > 0 or two.cleared_up_to > 0) and one.pair_id > ${last?.pairId ?? ''}
    ) as both_sides
    where exists (select 1 from private_messages where private_messages.pair_id = both_sides.pair_id and number <= up_to)
    order by pair_id limit ${pageSize}`.execute(db);
  return rows.map((row) => ({ pairId: row.pair_id as PairId, upTo: row.up_to }));
}

/** One write a page, so that other writes can run in between. */
async function forgetUpTo(record: StreamRecord, pairId: PairId, upTo: number): Promise<void> {
  const people = peopleIn(pairId);
  for (let hasMore = true; hasMore;) {
    hasMore = await record.write(people.map(userStream), async ({ db }) => {
      const going = await db
        .selectFrom('private_messages')
        .select(['number', 'sender', 'text'])
        .where('pair_id', '=', pairId)
        .where('number', '<=', upTo)
        .orderBy('number')
        .limit(pageSize)
        .execute();
      const bytesOf = (uid: Uid) =>
        going.reduce((sum, { sender, text }) => sum + (sender === uid ? weightOf(text) : 0), 0);
      // Takes reactions and uploads along (migration 0061).
      await db
        .updateTable('private_messages')
        .set({ is_deleted: 1 })
        .where('pair_id', '=', pairId)
        .where('number', '<=', going.at(-1)?.number ?? 0)
        .where('is_deleted', '=', 0)
        .execute();
      await changeTogether(
        db,
        people.map((uid) => countingBytes(pairId, uid, -bytesOf(uid))),
      );
      await deleteSomeMessages(db, pairId, going.length);
      return going.length === pageSize;
    });
  }
}

interface Hidden {
  pairId: PairId;
  number: number;
}

/** A message is out of sight of one who has hidden it, deleted its part of the chat or deleted their account. */
const isOutOfSight = (bit: number, side: string, user: string) => sql<boolean>`(
  (it.hidden_from & ${sql.lit(bit)}) <> 0 or it.number <= ${sql.ref(`${side}.cleared_up_to`)}
  or ${sql.ref(`${user}.deleted_at_ms`)} is not null)`;

async function hiddenFromBoth(db: Db, nowMs: number, last: Hidden | null): Promise<Hidden[]> {
  const { rows } = await sql<{ pair_id: string; number: number }>`
    select it.pair_id, it.number from private_messages as it
    inner join conversations as one on one.uid = substr(it.pair_id, 1, ${sql.lit(uidLength)}) and one.pair_id = it.pair_id
    inner join conversations as two on two.uid = one.other and two.pair_id = it.pair_id
    inner join users as first on first.uid = one.uid
    inner join users as second on second.uid = two.uid
    where it.hidden_from > 0 and it.is_deleted = 0
      and (it.pair_id > ${last?.pairId ?? ''} or (it.pair_id = ${last?.pairId ?? ''} and it.number > ${last?.number ?? 0}))
      and it.hidden_at_1 <= ${nowMs - hiddenForMs} and it.hidden_at_2 <= ${nowMs - hiddenForMs}
      and ${isOutOfSight(1, 'one', 'first')} and ${isOutOfSight(2, 'two', 'second')}
    order by it.pair_id, it.number limit ${pageSize}`.execute(db);
  return rows.map((row) => ({ pairId: row.pair_id as PairId, number: row.number }));
}
