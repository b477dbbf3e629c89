/** The items of a list, and where each is by its id: in numbers, which take half the memory of a Map at most. */
import type { LibraryItem } from './library-item.ts';

/** Items in their order, and where each is. */
export interface KeptList {
  readonly items: readonly LibraryItem[];
  /** The first with this id. */
  byId(id: string): LibraryItem | null;
}

export interface GrowingList extends KeptList {
  push(item: LibraryItem): void;
  /** As it is now; but what comes later is found by its id, too. */
  soFar(): KeptList;
}

/** Of eight digits of an id, which are those of a hash. Another text is no id of an item. */
const hashOf = (id: string): number => Number.parseInt(id.slice(4, 12), 16) >>> 0;

export function growingList(): GrowingList {
  const items: LibraryItem[] = [];
  /** Of each item; there are twice as many slots. */
  let hashes = new Uint32Array(64);
  /** By hash, the place behind that of the item; 0 where there is none. Of two of one slot the second is in the next. */
  let slots = new Uint32Array(128);

  const behind = (slot: number): number => (slot + 1) & (slots.length - 1);

  /** The slot of the item with this id, or the free one in which it would be. */
  function slotOf(id: string, hash: number): number {
    for (let slot = hash & (slots.length - 1); ; slot = behind(slot)) {
      const place = (slots[slot] ?? 0) - 1;
      if (place < 0 || (hashes[place] === hash && items[place]?.id === id)) return slot;
    }
  }

  function grow(): void {
    const before = { hashes, slots };
    hashes = new Uint32Array(before.hashes.length * 2);
    hashes.set(before.hashes);
    slots = new Uint32Array(before.slots.length * 2);
    for (const place of before.slots) {
      if (place === 0) continue;
      let slot = (hashes[place - 1] ?? 0) & (slots.length - 1);
      while (slots[slot] !== 0) slot = behind(slot);
      slots[slot] = place;
    }
  }

  function byId(id: string): LibraryItem | null {
    return items[(slots[slotOf(id, hashOf(id))] ?? 0) - 1] ?? null;
  }

  return {
    ...{ items, byId },
    push(item) {
      if (items.length === hashes.length) grow();
      const hash = hashOf(item.id);
      const slot = slotOf(item.id, hash);
      hashes[items.length] = hash;
      items.push(item);
      if (slots[slot] === 0) slots[slot] = items.length;
    },
    soFar: () => ({ items: items.slice(), byId }),
  };
}

export function keptList(items: readonly LibraryItem[]): KeptList {
  const list = growingList();
  for (const item of items) list.push(item);
  return { items, byId: list.byId };
}
