/**
 * What a person makes of a chat for their own list: pinned, muted, archived, or deleted for themselves. The other person
 * sees nothing of it.
 */
import { limits, type Payload, type Result, userStream } from '@tunemate/protocol';
import { sql } from 'kysely';
import type { Chat, Handlers } from '../access/subjects.ts';
import { countOf } from '../storage/queries.ts';
import type { Db } from '../storage/schema.ts';
import { accept, type Nothing, refuse } from '../system/ports.ts';
import { arrangedIn, unreadBetween } from './chats-store.ts';
import { bitOf, revisionOf } from './messages-store.ts';

type Done = Result<Nothing>;

export function arrangingService() {
  return {
    handlers: { 'chats/arrange': arrange, 'chats/clear': clear } satisfies Partial<Handlers>,
  };
}

const ownSide = (db: Db, { caller, side }: Chat) =>
  db.updateTable('conversations').where('uid', '=', caller.uid).where('pair_id', '=', side.pairId);

async function arrange(chat: Chat, asked: Payload<'chats/arrange'>): Promise<Done> {
  const { caller, side } = chat;
  return await chat.write([], async ({ db, append }) => {
    const row = await db
      .selectFrom('conversations')
      .select(['is_pinned', 'is_muted', 'is_archived'])
      .where('uid', '=', caller.uid)
      .where('pair_id', '=', side.pairId)
      .executeTakeFirst();
    if (!row) return refuse('access/not-found');
    const before = arrangedIn(row);
    const isPinned = asked.isArchived === true ? false : (asked.isPinned ?? before.isPinned);
    const isArchived = isPinned ? false : (asked.isArchived ?? before.isArchived);
    const isMuted = asked.isMuted ?? before.isMuted;
    if (isPinned && !before.isPinned && (await countPinned(db, chat)) >= limits.pinnedChats) {
      return refuse('limit/too-many');
    }
    const now = { isPinned, isMuted, isArchived };
    if (JSON.stringify(now) === JSON.stringify(before)) return accept({});
    await ownSide(db, chat)
      .set({ is_pinned: Number(isPinned), is_muted: Number(isMuted), is_archived: Number(isArchived) })
      .execute();
    await append(userStream(caller.uid), { type: 'chats/arranged', pairId: side.pairId, ...now });
    return accept({});
  });
}

const countPinned = (db: Db, { caller }: Chat): Promise<number> =>
  countOf(db.selectFrom('conversations').where('uid', '=', caller.uid).where('is_pinned', '=', 1));

/** A message that came after the last one that the person has seen stays, and the chat with it. */
async function clear(chat: Chat, { upTo }: Payload<'chats/clear'>): Promise<Done> {
  const { caller, side } = chat;
  const { pairId } = side;
  return await chat.write([], async ({ db, append }) => {
    const row = await db
      .selectFrom('conversations as side')
      .select(['last_number', 'cleared_up_to', 'unread'])
      .select(unreadBetween(pairId, caller.uid, side.other, 0, upTo).as('cleared'))
      .where('uid', '=', caller.uid)
      .where('pair_id', '=', pairId)
      .executeTakeFirst();
    if (!row) return refuse('access/not-found');
    const cleared = Math.min(upTo, row.last_number);
    if (cleared <= row.cleared_up_to) return accept({});
    const left = sql`from private_messages where private_messages.pair_id = ${pairId} and number > ${cleared}
      and (hidden_from & ${bitOf(pairId, caller.uid)}) = 0`;
    const isWhole = cleared === row.last_number;
    // Counted are those that go: what stays may be very many.
    const unread = isWhole ? 0 : Math.max(0, row.unread - row.cleared);
    await ownSide(db, chat)
      .set({
        cleared_up_to: cleared,
        shown_number: sql<number>`coalesce((select max(number) ${left}), 0)`,
        unread,
        // Reactions to what is gone are not news any more.
        seen_revision: await revisionOf(db, caller.uid, pairId),
        ...(isWhole && { is_pinned: 0, is_archived: 0 }),
      })
      .execute();
    await append(userStream(caller.uid), { type: 'chats/cleared', pairId, upTo: cleared, unread });
    return accept({});
  });
}
