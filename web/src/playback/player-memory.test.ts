import { describe, expect, test } from 'vitest';
import { lenientStorage } from '../store/lenient-storage.ts';
import { createPlayerMemory } from './players/page-player.ts';

function storageWith(value: string | null) {
  let kept = value;
  return { getItem: () => kept, setItem: (_: string, text: string) => void (kept = text) };
}

describe('what this device remembers of its players', () => {
  test('is there again at the next visit', () => {
    const storage = storageWith(null);
    createPlayerMemory(storage).write({ version: 1, players: {} });
    expect(createPlayerMemory(storage).read()).toEqual({ version: 1, players: {} });
  });

  test.each([null, '', '{', `"${'x'.repeat(100_000)}"`])('is nothing where storage holds %.10j', (kept) => {
    expect(createPlayerMemory(storageWith(kept)).read()).toBeNull();
  });

  test('is nothing where storage is forbidden', () => {
    const memory = createPlayerMemory(
      lenientStorage(() => {
        throw new Error('forbidden');
      }),
    );
    memory.write({ version: 1 });
    expect(memory.read()).toBeNull();
  });
});
