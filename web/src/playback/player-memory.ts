/**
 * What this device remembers of its players from one visit to the next: how soon they start, go on and land. What is in
 * there means something to the engine only.
 */
import type { PlayerMemory } from '@tunemate/playback';
import type { LenientStorage } from '../store/lenient-storage.ts';

const key = 'tunemate/players';
/** Far more than the engine ever writes. */
const mostCharacters = 2000;

export function createPlayerMemory(storage: Pick<LenientStorage, 'getItem' | 'setItem'>): PlayerMemory {
  return {
    read() {
      const kept = storage.getItem(key);
      if (kept === null || kept.length > mostCharacters) return null;
      try {
        return JSON.parse(kept) as unknown;
      } catch {
        // Something else was written there.
        return null;
      }
    },
    write: (memory) => storage.setItem(key, JSON.stringify(memory)),
  };
}
