/**
 * Ticks: how far each person has received and read, as two marks that only move forwards, and what the sender sees.
 */
import type { ChatMarks } from '@tunemate/protocol';

/** Numbers of the last message delivered to and read by one person; 0 for none. */
export type Marks = Pick<ChatMarks, 'deliveredUpTo' | 'readUpTo'>;

/**
 * The marks after being asked to move to `asked`, or null when nothing moves. What was read counts as delivered.
 * The caller has already limited `asked` to messages that were sent to this person.
 */
export function advanceMarks(current: Marks, asked: Marks): Marks | null {
  const readUpTo = Math.max(current.readUpTo, asked.readUpTo);
  const deliveredUpTo = Math.max(current.deliveredUpTo, asked.deliveredUpTo, readUpTo);
  const isSame = readUpTo === current.readUpTo && deliveredUpTo === current.deliveredUpTo;
  return isSame ? null : { deliveredUpTo, readUpTo };
}

/** A person's marks as the other may see them: what was read is hidden when either has switched read receipts off. */
export function visibleMarks(marks: Marks, bothShareReceipts: boolean): Marks {
  return bothShareReceipts ? marks : { deliveredUpTo: marks.deliveredUpTo, readUpTo: 0 };
}

/** What a stored message of mine shows: one tick, two once it was delivered to the other, two in the read colour once read. */
export function tickOf(messageNumber: number, marksOfOther: Marks): 'sent' | 'delivered' | 'read' {
  if (messageNumber <= marksOfOther.readUpTo) return 'read';
  return messageNumber <= marksOfOther.deliveredUpTo ? 'delivered' : 'sent';
}
