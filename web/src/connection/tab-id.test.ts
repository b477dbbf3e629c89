import { expect, test } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { aTabId } from '../../testing/connection-fixtures.ts';
import { claimTabId, leaveTabId } from './tab-id.ts';

const newId = (): string => aTabId;

test('CONN-15: a reloaded tab keeps its id, and a duplicate of an open tab gets its own', () => {
  const storage = memoryStorage();
  const kept = '11111111-2222-4333-8444-555555555555';
  leaveTabId(
    storage,
    claimTabId(storage, () => kept),
  );
  expect(claimTabId(storage, newId)).toBe(kept);
  expect(claimTabId(storage, newId)).toBe(aTabId);
});

test('CONN-15: a stored value that is no tab id is ignored', () => {
  const storage = memoryStorage();
  storage.setItem('tunemate/tab', '<script>');
  expect(claimTabId(storage, newId)).toBe(aTabId);
});
