/** Private chats: pair ids, limits on messages to strangers, and read receipts ("ticks"). */
import { type ChatMarks, type ErrorCode, pairId, type PairId, type Uid } from '@tunemate/protocol';

/** The id of the chat of two different people, in either order. */
export function pairIdOf(a: Uid, b: Uid): PairId {
  return pairId.parse([a, b].sort().join('_'));
}

/**
 * The chat that `text` names and its other person, as seen by `me`. Null unless `text` is exactly two different uids,
 * sorted, one of them `me` (ACCESS-10).
 */
export function readPairId(text: string, me: Uid): { pairId: PairId; other: Uid } | null {
  const read = pairId.safeParse(text);
  if (!read.success) return null;
  const [first, second] = read.data.split('_') as [Uid, Uid];
  if (first >= second || (first !== me && second !== me)) return null;
  return { pairId: read.data, other: first === me ? second : first };
}

/** Conversations one person may open with strangers within a day. */
export const newConversationsADay = 10;
/** Messages one may send to a stranger who has never answered. */
export const unansweredBurst = 5;
export const dayMs = 24 * 60 * 60 * 1000;

export interface WritingFacts {
  isSelf: boolean;
  otherExists: boolean;
  /** Either of the two has blocked the other. */
  isBlocked: boolean;
  /** Tunemates or soulmates. */
  areConnected: boolean;
  /** Messages of the conversation so far, by both. */
  messages: number;
  /** Of these, mine since the other last wrote. */
  unanswered: number;
  /** Start times of the conversations that I opened with strangers within the last day, oldest first; server ms. */
  openedAtMs: readonly number[];
  nowMs: number;
}

/** Why the message is refused; null when it may be sent. */
export function refusalToWrite(facts: WritingFacts): { code: ErrorCode; retryAfterMs?: number } | null {
  if (facts.isSelf) return { code: 'input/invalid' };
  if (!facts.otherExists) return { code: 'access/not-found' };
  if (facts.isBlocked) return { code: 'access/forbidden' };
  if (facts.areConnected) return null;
  if (facts.messages === 0 && facts.openedAtMs.length >= newConversationsADay) {
    // The next conversation may begin when the oldest of the last ten is a day old.
    const oldest = facts.openedAtMs.at(-newConversationsADay) ?? facts.nowMs;
    return { code: 'chat/first-contact-limit', retryAfterMs: Math.max(0, oldest + dayMs - facts.nowMs) };
  }
  // All messages are mine and unanswered: the other has never written.
  const isUnansweredAtAll = facts.messages > 0 && facts.unanswered >= facts.messages;
  return isUnansweredAtAll && facts.unanswered >= unansweredBurst ? { code: 'chat/first-contact-limit' } : null;
}

// Ticks: per person, two marks that only move forwards.

/** Numbers of the last message delivered to and read by one person; 0 for none. */
export type Marks = Pick<ChatMarks, 'deliveredUpTo' | 'readUpTo'>;

/**
 * The marks after a move to `asked`; null when nothing changes. A read message counts as delivered.
 * The caller has already limited `asked` to messages sent to this person.
 */
export function advanceMarks(current: Marks, asked: Marks): Marks | null {
  const readUpTo = Math.max(current.readUpTo, asked.readUpTo);
  const deliveredUpTo = Math.max(current.deliveredUpTo, asked.deliveredUpTo, readUpTo);
  const isSame = readUpTo === current.readUpTo && deliveredUpTo === current.deliveredUpTo;
  return isSame ? null : { deliveredUpTo, readUpTo };
}

/**
 * A person's marks as the other sees them: none before they have answered a stranger, and no reading when either has
 * switched read receipts off.
 */
export function visibleMarks(
  { deliveredUpTo, readUpTo }: Marks,
  { isNoticed, sharesReading }: { isNoticed: boolean; sharesReading: boolean },
): Marks {
  if (!isNoticed) return { deliveredUpTo: 0, readUpTo: 0 };
  return { deliveredUpTo, readUpTo: sharesReading ? readUpTo : 0 };
}

/** The ticks of a stored message of mine: one when sent, two when delivered, two in the read colour when read. */
export function tickOf(messageNumber: number, marksOfOther: Marks): 'sent' | 'delivered' | 'read' {
  if (messageNumber <= marksOfOther.readUpTo) return 'read';
  return messageNumber <= marksOfOther.deliveredUpTo ? 'delivered' : 'sent';
}
