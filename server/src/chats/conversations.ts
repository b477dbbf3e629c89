/**
 * The caller's list of conversations, and opening one.
 */
import { pairIdOf, visibleMarks } from '@tunemate/domain';
import { type Conversation, type ConversationRow, limits, type Payload, type Result } from '@tunemate/protocol';
import type { Handlers } from '../access/subjects.ts';
import { friendsAmong, mayNotice, soulmateOf } from '../people/ties.ts';
import { isTunemate } from '../tunemates/tunemates.ts';
import { accept, refuse } from '../system/ports.ts';
import type { Caller } from '../access/caller.ts';
import { peopleOf, personOf, shownName } from '../storage/people.ts';
import type { StreamRecord } from '../storage/record.ts';
import { isBlocked, isBlockedBetween, withoutBlocks } from '../people/blocks.ts';
import { timerOf } from './chat-timers.ts';
import { chatListOf } from './chat-list-store.ts';
import { shareReceipts, sideOf } from './chats-store.ts';
import { changedSince, messagesBefore, revisionOf } from './messages-store.ts';

export function conversationsService({ record }: { record: StreamRecord }) {
  async function list(
    caller: Caller,
    { limit = limits.chatList, from = 0 }: Payload<'chats/list'>,
  ): Promise<Result<{ conversations: ConversationRow[]; more?: number }>> {
    const { db } = record;
    const { rows, more } = await chatListOf(db, caller.uid, { from, most: Math.min(limit, limits.chatList) });
    const others = rows.map(({ other }) => other);
    const people = await peopleOf(db, others);
    // Who has not answered yet shows nothing, unless they are on the caller's lists; over a block neither does.
    const unanswered = rows.flatMap(({ other, isAnswered }) => (isAnswered ? [] : [other]));
    const friends = await friendsAmong(db, caller.uid, unanswered);
    const visible = new Set(await withoutBlocks(db, caller.uid, others));
    const conversations = rows.map(({ other, last, isAnswered, ...row }) => {
      const person = people.get(other);
      const mayShow = visible.has(other) && (isAnswered || friends.has(other));
      const presence = (mayShow && person?.presence) || null;
      return { pairId: last.pairId, other: { uid: other, name: shownName(person?.name) }, last, presence, ...row };
    });
    return accept({ conversations, ...(more > 0 && { more }) });
  }

  async function open(caller: Caller, { uid, since }: Payload<'chats/open'>): Promise<Result<Conversation>> {
    const { db } = record;
    const me = caller.uid;
    if (uid === null) return refuse('access/not-found');
    if (uid === me) return refuse('input/invalid');
    const pairId = pairIdOf(me, uid);
    const [person, mine, theirs] = [
      await personOf(db, uid),
      await sideOf(db, me, pairId),
      await sideOf(db, uid, pairId),
    ];
    if (!person && !mine) return refuse('access/not-found');
    const isMate = await isTunemate(db, me, uid);
    const isSoulmate = (await soulmateOf(db, me)) === uid;
    const isApart = await isBlockedBetween(db, me, uid);
    const isAnswered = mine !== null && mine.unanswered < mine.lastNumber;
    const isShown = !isApart && (isMate || isSoulmate || isAnswered);
    const none = { deliveredUpTo: 0, readUpTo: 0 };
    const { deliveredUpTo, readUpTo } = mine ?? none;
    const isNoticed = theirs !== null && (await mayNotice(db, me, uid));
    const sharesReading = !isApart && (await shareReceipts(db, me, uid));
    const seen = visibleMarks(theirs ?? none, { isNoticed, sharesReading });
    // Read first: what changes meanwhile is then listed again.
    const revision = await revisionOf(db, me, pairId);
    const page = await messagesBefore(db, me, pairId);
    const timer = mine && (await timerOf(db, me, pairId));
    const before = page.messages[0]?.number ?? 0;
    return accept({
      pairId,
      other: { uid, name: shownName(person?.name) },
      isGone: person === null,
      presence: isShown ? (person?.presence ?? null) : null,
      isSoulmate,
      isTunemate: isMate,
      isBlockedByMe: await isBlocked(db, me, uid),
      isClosed: isApart || person === null,
      ...page,
      clearedUpTo: mine?.clearedUpTo ?? 0,
      ...(timer && { timer }),
      revision,
      changed: since === undefined ? [] : await changedSince(db, me, pairId, { since, before }),
      marks: [
        { uid: me, deliveredUpTo, readUpTo },
        { uid, deliveredUpTo: seen.deliveredUpTo, readUpTo: seen.readUpTo },
      ],
    });
  }

  return { handlers: { 'chats/list': list, 'chats/open': open } satisfies Partial<Handlers> };
}
