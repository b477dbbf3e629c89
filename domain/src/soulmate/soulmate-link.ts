/**
 * The soulmate link: at most one for each person, always mutual, made by a request that the other accepts (SOUL-14).
 * Pure: the caller loads both people inside the transaction that holds both, and saves the decision.
 */
import type { ErrorCode, Uid } from '@tunemate/protocol';

export interface SoulmateSide {
  uid: Uid;
  soulmate: Uid | null;
}

/** Why `me` may not ask `other` (null: no such account) to become soulmates; null when they may. */
export function refusalToAsk(facts: {
  me: SoulmateSide;
  other: SoulmateSide | null;
  /** `other` is in one of my lists, or we have a chat. */
  isAcquainted: boolean;
  /** Either of the two has blocked the other. */
  isBlocked: boolean;
}): ErrorCode | null {
  const { me, other } = facts;
  if (other?.uid === me.uid) return 'input/invalid';
  if (!other) return 'access/not-found';
  if (!facts.isAcquainted || facts.isBlocked) return 'access/forbidden';
  if (me.soulmate !== null) return 'soulmate/self-taken';
  return other.soulmate === null ? null : 'soulmate/taken';
}

export type AcceptDecision = { type: 'bond' } | { type: 'same' } | { type: 'refuse'; code: ErrorCode };

/**
 * The outcome of accepting a request of `sender` (null: a deleted account). In every case the request is removed.
 */
export function decideToAccept(me: SoulmateSide, sender: SoulmateSide | null, isBlocked: boolean): AcceptDecision {
  if (!sender || isBlocked) return { type: 'refuse', code: 'access/not-found' };
  if (me.soulmate === sender.uid) return { type: 'same' };
  if (me.soulmate !== null) return { type: 'refuse', code: 'soulmate/self-taken' };
  if (sender.soulmate !== null) return { type: 'refuse', code: 'soulmate/taken' };
  return { type: 'bond' };
}
