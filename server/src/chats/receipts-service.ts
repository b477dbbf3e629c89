/**
 * Delivered and read marks, which only move forwards, and the ephemeral event that a person is typing.
 */
import { advanceMarks, type Marks, pairIdOf, visibleMarks } from '@tunemate/domain';
import { userStream, type PairId, type EphemeralEvent, type Payload, type Uid, type Result } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Chat, Handlers, Side } from '../access/subjects.ts';
import { accept, refuse } from '../system/ports.ts';
import type { Caller } from '../access/caller.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { isBlockedBetween } from '../people/blocks.ts';
import { saveMarks, shareReceipts, sideOf } from './conversations-store.ts';
import { countBy, lastNumberBy } from './messages-store.ts';

type Nothing = Record<string, never>;

export interface ReceiptsDeps {
  record: StreamRecord;
  /** Sends an ephemeral event to all tabs of one person; it may be lost. */
  tell: (to: Uid, news: EphemeralEvent) => void;
}

export function receiptsService({ record, tell }: ReceiptsDeps) {
  async function mark({ caller, side, write }: Chat, payload: Payload<'chats/mark'>): Promise<Result<Nothing>> {
    // Marks only rise: a mark that moves nothing now never will, and need not wait for the lock.
    if (!(await nextMarks(record.db, side, payload))) return accept({});
    await write([], (writing) => markInside(writing, caller.uid, side.pairId, payload));
    return accept({});
  }

  async function markInside(writing: Writing, uid: Uid, pairId: PairId, asked: Marks): Promise<void> {
    const side = await sideOf(writing.db, uid, pairId);
    const next = side && (await nextMarks(writing.db, side, asked));
    if (!side || !next) return;
    await saveMarks(writing.db, uid, pairId, next, await countBy(writing.db, pairId, side.other, next.readUpTo));
    await writing.append(userStream(uid), { type: 'chats/marked', pairId, marks: { uid, ...next } });
    const isShared = await shareReceipts(writing.db, uid, side.other);
    const [before, after] = [visibleMarks(side, isShared), visibleMarks(next, isShared)];
    if (after.deliveredUpTo === before.deliveredUpTo && after.readUpTo === before.readUpTo) return;
    await writing.append(userStream(side.other), { type: 'chats/marked', pairId, marks: { uid, ...after } });
  }

  async function typing(caller: Caller, { uid }: Payload<'chats/typing'>): Promise<Result<Nothing>> {
    if (uid === caller.uid) return refuse('input/invalid');
    // The answer must not reveal whether a chat exists or is blocked.
    const hasChat = (await sideOf(record.db, caller.uid, pairIdOf(caller.uid, uid))) !== null;
    const reaches = hasChat && !(await isBlockedBetween(record.db, caller.uid, uid));
    if (reaches) tell(uid, { type: 'chats/typing', uid: caller.uid });
    return accept({});
  }

  return { handlers: { 'chats/mark': mark, 'chats/typing': typing } satisfies Partial<Handlers> };
}

/** The marks asked for, limited to messages sent to this person; null when nothing moves. */
async function nextMarks(db: Kysely<Schema>, side: Side, asked: Marks): Promise<Marks | null> {
  const isDeliveredAhead = asked.deliveredUpTo > side.deliveredUpTo;
  const isReadAhead = asked.readUpTo > side.readUpTo;
  if (!isDeliveredAhead && !isReadAhead) return null;
  const down = (number: number) => lastNumberBy(db, side.pairId, side.other, Math.min(number, side.lastNumber));
  const deliveredUpTo = isDeliveredAhead ? await down(asked.deliveredUpTo) : 0;
  // Usually a message is delivered and read at one moment.
  const isBoth = isDeliveredAhead && asked.readUpTo === asked.deliveredUpTo;
  return advanceMarks(side, {
    deliveredUpTo,
    readUpTo: isBoth ? deliveredUpTo : isReadAhead ? await down(asked.readUpTo) : 0,
  });
}
