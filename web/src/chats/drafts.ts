/**
 * Half-written messages by recipient, kept on this device until they are sent or the user signs out: later users of the
 * device must not find them.
 */
import type { Uid } from '@tunemate/protocol';
import { cell } from '../store/cell.ts';
import type { LenientStorage } from '../store/lenient-storage.ts';

export type Drafts = ReturnType<typeof createDrafts>;

export function createDrafts(storage: LenientStorage, self: Uid) {
  const key = `tunemate/drafts/${self}`;
  const texts = cell<ReadonlyMap<Uid, string>>(new Map(read()));

  function read(): [Uid, string][] {
    try {
      const kept: unknown = JSON.parse(storage.getItem(key) ?? '{}');
      if (typeof kept !== 'object' || kept === null) return [];
      return Object.entries(kept).filter((each): each is [Uid, string] => typeof each[1] === 'string');
    } catch {
      // Foreign data, or an incomplete write.
      return [];
    }
  }

  return {
    texts,
    keep(uid: Uid, text: string): void {
      // Other tabs keep theirs in the same place.
      const stored = new Map(read());
      const next = new Map(texts.get());
      for (const map of [stored, next]) {
        if (text === '') map.delete(uid);
        else map.set(uid, text);
      }
      if (stored.size === 0) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(Object.fromEntries(stored)));
      texts.set(next);
    },
  };
}
