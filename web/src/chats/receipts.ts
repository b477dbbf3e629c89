/**
 * Sends the current user's marks: delivered as soon as any page has a message, read when it was on the screen.
 * Marks are collected for a short time, sent one conversation after another, and never go back.
 */
import { advanceMarks, type Marks } from '@tunemate/domain';
import type { PairId } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import type { Clock } from '../store/clock.ts';

const gatherMs = 200;
const againAfterMs = 1000;

export interface Receipts {
  /** Messages up to this number are on this device. */
  delivered(pairId: PairId, number: number): void;
  /** Messages up to this number, and reactions up to this revision of the chat, were on the screen. */
  read(pairId: PairId, number: number, seenRevision?: number): void;
}

export function createReceipts(connection: Connection, clock: Clock): Receipts {
  const asked = new Map<PairId, Marks & { seenRevision: number }>();
  const waiting = new Set<PairId>();
  let isSending = false;

  function raise(pairId: PairId, marks: Marks, seenRevision = 0): void {
    const before = asked.get(pairId) ?? { deliveredUpTo: 0, readUpTo: 0, seenRevision: 0 };
    const next = advanceMarks(before, marks);
    if (next === null && seenRevision <= before.seenRevision) return;
    asked.set(pairId, { ...before, ...next, seenRevision: Math.max(before.seenRevision, seenRevision) });
    waiting.add(pairId);
    sendSoon(gatherMs);
  }

  function sendSoon(delayMs: number): void {
    if (isSending) return;
    isSending = true;
    clock.schedule(() => void sendAll(), delayMs);
  }

  async function sendAll(): Promise<void> {
    let pauseMs: number | null = null;
    for (const pairId of waiting) {
      const marks = asked.get(pairId);
      waiting.delete(pairId);
      if (marks === undefined) continue;
      const { seenRevision, ...upTo } = marks;
      const seen = seenRevision > 0 ? { seenRevision } : {};
      const answer = await connection.requestUntilAnswered('chats/mark', { pairId, ...upTo, ...seen });
      if (answer.ok || answer.error.code !== 'limit/too-many') continue;
      waiting.add(pairId);
      pauseMs = answer.error.retryAfterMs ?? againAfterMs;
      break;
    }
    isSending = false;
    if (waiting.size > 0) sendSoon(pauseMs ?? gatherMs);
  }

  return {
    delivered: (pairId, number) => raise(pairId, { deliveredUpTo: number, readUpTo: 0 }),
    read: (pairId, number, seenRevision) => raise(pairId, { deliveredUpTo: number, readUpTo: number }, seenRevision),
  };
}
