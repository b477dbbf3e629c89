import { describe, expect, test } from 'vitest';
import { lenientStorage } from '../store/lenient-storage.ts';
import { createPlayerMemory } from './players/page-player.ts';

function storageWith(value: string | null) {
  let kept = value;
  return { getItem: () => kept, setItem: (_: string, text: string) => void (kept = text) };
}

describe('the stored latencies of a device’s players', () => {
  test('are kept until the next visit', () => {
    const storage = storageWith(null);
    createPlayerMemory(storage).write({ version: 1, players: {} });
    expect(createPlayerMemory(storage).read()).toEqual({ version: 1, players: {} });
  });

  test.each([null, '', '{', `"${'x'.repeat(100_000)}"`])('are empty where storage holds %.10j', (kept) => {
    expect(createPlayerMemory(storageWith(kept)).read()).toBeNull();
  });

  test('are empty where storage is forbidden', () => {
    const memory = createPlayerMemory(
      lenientStorage(() => {
        throw new Error('forbidden');
      }),
    );
    memory.write({ version: 1 });
    expect(memory.read()).toBeNull();
  });
});
