/**
 * Tunemates, soulmates and the rate limit of presence. Pure: the caller loads the facts inside its transaction and
 * saves the decision.
 */
import { type ErrorCode, limits, type RoomKind, roomKinds, type Uid } from '@tunemate/protocol';

export interface TunemateEntry {
  mate: Uid;
  kind: RoomKind;
  addedAtMs: number;
}

export interface MergedTunemate {
  uid: Uid;
  /** In the order of `roomKinds`; never empty. */
  metIn: RoomKind[];
}

/** Merges the entries of both lists, most recently met first. */
export function mergeLists(entries: readonly TunemateEntry[]): MergedTunemate[] {
  const byTunemate = new Map<Uid, { kinds: Set<RoomKind>; lastMetAtMs: number }>();
  for (const { mate, kind, addedAtMs } of entries) {
    const known = byTunemate.get(mate) ?? { kinds: new Set(), lastMetAtMs: addedAtMs };
    known.kinds.add(kind);
    known.lastMetAtMs = Math.max(known.lastMetAtMs, addedAtMs);
    byTunemate.set(mate, known);
  }
  return [...byTunemate]
    .sort(([a, one], [b, two]) => two.lastMetAtMs - one.lastMetAtMs || (a < b ? -1 : 1))
    .map(([uid, { kinds }]) => ({ uid, metIn: roomKinds.filter((kind) => kinds.has(kind)) }));
}

interface CappedList<Item> {
  /** Oldest first, like `dropped`. */
  list: readonly Item[];
  dropped: readonly Item[];
  /** False when the list already had the item; then nothing changed, its place included. */
  isAdded: boolean;
}

/**
 * Adds `item` to `list` (oldest first); a full list drops its oldest entry. Only this side changes: the dropped person
 * keeps their own entry.
 */
export function addToCappedList<Item>(
  list: readonly Item[],
  item: Item,
  cap: number = limits.tunemates,
): CappedList<Item> {
  if (list.includes(item)) return { list, dropped: [], isAdded: false };
  const overflow = Math.max(0, list.length + 1 - cap);
  return { list: [...list.slice(overflow), item], dropped: list.slice(0, overflow), isAdded: true };
}

// The soulmate link: at most one per person, always mutual, made when the other person accepts a request.

export interface SoulmateSide {
  uid: Uid;
  soulmate: Uid | null;
}

/** Why `me` may not ask `other` (null: no such account) to become soulmates; null when it is allowed. */
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

/** The outcome of accepting a request of `sender` (null: a deleted account). The request is removed in every case. */
export function decideToAccept(me: SoulmateSide, sender: SoulmateSide | null, isBlocked: boolean): AcceptDecision {
  if (!sender || isBlocked) return { type: 'refuse', code: 'access/not-found' };
  if (me.soulmate === sender.uid) return { type: 'same' };
  if (me.soulmate !== null) return { type: 'refuse', code: 'soulmate/self-taken' };
  if (sender.soulmate !== null) return { type: 'refuse', code: 'soulmate/taken' };
  return { type: 'bond' };
}

// Presence is sent at most once in 5 s per person, with the state of that moment, to limit the cost for others.

export const presencePauseMs = 5000;

export interface PresenceFact {
  /** The last state that was sent. */
  readonly isShownOnline: boolean;
  readonly sentAtMs: number;
  readonly isConnected: boolean;
  readonly nowMs: number;
}

export type PresenceUpdate =
  | { readonly type: 'none' }
  | { readonly type: 'now' }
  | { readonly type: 'later'; readonly atMs: number };

export function decidePresenceUpdate({ isShownOnline, sentAtMs, isConnected, nowMs }: PresenceFact): PresenceUpdate {
  if (isShownOnline === isConnected) return { type: 'none' };
  // A send time in the future means that the clock was set back: don't wait until it catches up.
  const isTooSoon = nowMs >= sentAtMs && nowMs < sentAtMs + presencePauseMs;
  return isTooSoon ? { type: 'later', atMs: sentAtMs + presencePauseMs } : { type: 'now' };
}
