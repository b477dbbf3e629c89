/**
 * Who may write a private message to whom, and how much to someone they don't know (CHAT-4, CHAT-5, CHAT-6).
 */
import type { ErrorCode } from '@tunemate/protocol';

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
  /** When each conversation that I opened with a stranger within the last day began, oldest first; server ms. */
  openedAtMs: readonly number[];
  nowMs: number;
}

/** Why this message may not be sent; null when it may. */
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
