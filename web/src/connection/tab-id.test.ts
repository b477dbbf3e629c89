import { expect, test } from 'vitest';
import { memoryStorage } from '../store/memory-storage.ts';
import { aTabId } from './fixtures.ts';
import { claimTabId, leaveTabId } from './tab-id.ts';

const newId = (): string => aTabId;

test('CONN-15: a reloaded tab keeps its name, a duplicate of a living one gets its own', () => {
  const storage = memoryStorage();
  const kept = '11111111-2222-4333-8444-555555555555';
  leaveTabId(
    storage,
    claimTabId(storage, () => kept),
  );
  expect(claimTabId(storage, newId)).toBe(kept);
  expect(claimTabId(storage, newId)).toBe(aTabId);
});

test('CONN-15: a name that is none is not taken up', () => {
  const storage = memoryStorage();
  storage.setItem('tunemate/tab', '<script>');
  expect(claimTabId(storage, newId)).toBe(aTabId);
});
