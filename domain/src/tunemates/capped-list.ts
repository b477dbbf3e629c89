/**
 * A list with a cap: when it is full the oldest entry is dropped for a new one (MATE-2). This concerns one side only:
 * the person who is dropped keeps their own entry.
 */
import { limits } from '@tunemate/protocol';

export interface CappedList<Item> {
  /** Oldest first. */
  list: readonly Item[];
  /** Entries that were dropped, oldest first. */
  dropped: readonly Item[];
  /** False when the item was in the list already; then nothing changed, its place included. */
  isAdded: boolean;
}

/** Adds `item` to `list` (oldest first). */
export function addToCappedList<Item>(
  list: readonly Item[],
  item: Item,
  cap: number = limits.tunemates,
): CappedList<Item> {
  if (list.includes(item)) return { list, dropped: [], isAdded: false };
  const overflow = Math.max(0, list.length + 1 - cap);
  return { list: [...list.slice(overflow), item], dropped: list.slice(0, overflow), isAdded: true };
}
