/**
 * The two lists shown together (MATE-4): each person once, with the kinds of room in which you met.
 */
import { type RoomKind, roomKinds, type Uid } from '@tunemate/protocol';

/** One entry of one list. */
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

/** Merges the entries of both lists, the person met last first. */
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
