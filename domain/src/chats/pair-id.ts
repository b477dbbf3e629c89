/**
 * The id of a private chat: the two uids, sorted and joined with an underscore.
 */
import { pairId, type PairId, type Uid } from '@tunemate/protocol';

/** The id of the chat of two different people, in either order. */
export function pairIdOf(a: Uid, b: Uid): PairId {
  return pairId.parse([a, b].sort().join('_'));
}

/**
 * The chat that `text` names and who the other one is, as seen by `me`. Null unless it is exactly two different uids,
 * sorted, one of them mine (ACCESS-10).
 */
export function readPairId(text: string, me: Uid): { pairId: PairId; other: Uid } | null {
  const read = pairId.safeParse(text);
  if (!read.success) return null;
  const [first, second] = read.data.split('_') as [Uid, Uid];
  if (first >= second || (first !== me && second !== me)) return null;
  return { pairId: read.data, other: first === me ? second : first };
}
