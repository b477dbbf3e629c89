/**
 * The timer of a chat: either of the two sets after how many days its messages go, and both read who did. It counts from
 * the sending of each message, so that messages of before stay. What is past its time is deleted for both, with its
 * upload, its place in the index and its words in stored changes, and leaves no mark.
 */
import { type ChatTimer, type PairId, type Payload, type Result, type Uid, userStream } from '@tunemate/protocol';
import type { Chat, Handlers } from '../access/subjects.ts';
import { changeTogether } from '../storage/queries.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import { isBlockedBetween } from '../people/blocks.ts';
import type { ReachDeps } from '../people/reach.ts';
import { accept, type Clock, type Nothing, refuse } from '../system/ports.ts';
import {
  type ActFacts,
  actFactsOf,
  countingDeletion,
  countingHiding,
  erasedEntries,
  savingOf,
} from './message-acts-store.ts';
import { appendFor, isUnread, nextRevision } from './message-acts.ts';
import { mayReachIn } from './messages.ts';
import { peopleIn } from './messages-store.ts';

/** One look deletes no more. */
const mostAtOnce = 500;

interface ChatTimersDeps extends ReachDeps {
  record: StreamRecord;
  clock: Pick<Clock, 'now'>;
}

export function chatTimersService({ record, limits, clock }: ChatTimersDeps) {
  return {
    handlers: {
      'chats/setTimer': (chat, asked) => setTimer({ record, limits }, chat, asked),
    } satisfies Partial<Handlers>,
    /** Deletes the messages whose time has come. Any number of processes may do so at once. */
    async deleteGone(): Promise<void> {
      for (const { pairId, number } of await goneBy(record.db, clock.now())) {
        const people = peopleIn(pairId);
        await record.write(people.map(userStream), (writing) => eraseMessage(writing, pairId, number, people));
      }
    },
  };
}

async function setTimer(deps: ReachDeps, chat: Chat, { days }: Payload<'chats/setTimer'>): Promise<Result<Nothing>> {
  const { caller, other, side } = chat;
  const { pairId } = side;
  const reaches = await mayReachIn(deps, chat);
  if (!reaches.ok) return reaches;
  return await chat.write([], async ({ db, nowMs, append }) => {
    if (await isBlockedBetween(db, caller.uid, other)) return refuse('access/forbidden');
    const before = await timerOf(db, caller.uid, pairId);
    if ((before?.days ?? null) === days) return accept({});
    const both = [caller.uid, other];
    await db
      .updateTable('conversations')
      .set({ goes_after_days: days, timer_set_by: caller.uid, timer_set_at_ms: nowMs })
      .where('uid', 'in', both)
      .where('pair_id', '=', pairId)
      .execute();
    const timer: ChatTimer = { days, by: caller.uid, at: nowMs };
    await append(both.map(userStream), { type: 'chats/timerSet', pairId, timer });
    return accept({});
  });
}

/** Null where none was ever set. */
export async function timerOf(db: Db, uid: Uid, pairId: PairId): Promise<ChatTimer | null> {
  const row = await db
    .selectFrom('conversations')
    .select(['goes_after_days', 'timer_set_by', 'timer_set_at_ms'])
    .where('uid', '=', uid)
    .where('pair_id', '=', pairId)
    .executeTakeFirst();
  if (!row || row.timer_set_by === null) return null;
  return {
    days: row.goes_after_days as ChatTimer['days'],
    by: row.timer_set_by as Uid,
    at: row.timer_set_at_ms ?? 0,
  };
}

async function goneBy(db: Db, nowMs: number): Promise<{ pairId: PairId; number: number }[]> {
  const rows = await db
    .selectFrom('private_messages')
    .select(['pair_id', 'number'])
    .where('goes_at_ms', '<=', nowMs)
    .orderBy('goes_at_ms')
    .limit(mostAtOnce)
    .execute();
  return rows.map((row) => ({ pairId: row.pair_id as PairId, number: row.number }));
}

/** Deletes a message for both, and leaves no mark. */
export async function eraseMessage(
  writing: Writing,
  pairId: PairId,
  number: number,
  [one, two]: readonly [Uid, Uid],
): Promise<void> {
  const { db } = writing;
  const facts = await actFactsOf(db, { pairId, number, caller: one, other: two, withMentions: true });
  // Of a chat that is gone meanwhile.
  if (!facts) return;
  const { row, caller, other, mentions } = facts;
  const revision = nextRevision(writing, facts);
  const changed = {
    ...{ text: '', image: null, voice: null, edits: 0, edit_id: null, is_deleted: 1, hidden_from: 3 },
    ...{ revision, hidden_at_1: revision, hidden_at_2: revision },
  };
  const readers = [caller, other].map((reader) => ({
    ...reader,
    unread: reader.unread - Number(isUnread(row, reader)),
  }));
  const bytes = row.is_deleted === 1 ? 0 : Buffer.byteLength(row.text);
  await changeTogether(db, [
    savingOf(row, { ...changed, reply_to: null, terms: '', goes_at_ms: null }),
    countingDeletion(pairId, row.sender as Uid, { bytes, wasUnread: false }),
  ]);
  const after = { ...row, ...changed };
  for (const { uid, unread } of readers) await changeTogether(db, [countingHiding(after, uid, { unread, revision })]);
  writing.replace(erasedEntries(mentions, row));
  await appendFor(readers, writing, { ...facts, row: after, reacted: [] } satisfies ActFacts);
}
