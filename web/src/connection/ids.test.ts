import { clientId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { aTabId } from '../../testing/connection-fixtures.ts';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { claimTabId, leaveTabId, newUuid } from './ids.ts';

test.each([0x00, 0xff])('ids are UUIDs of version 4 whatever the random bytes are (%i) (CONN-16)', (byte) => {
  const id = newUuid({ getRandomValues: (array) => (array instanceof Uint8Array ? (array.fill(byte), array) : array) });
  expect(clientId.safeParse(id).success).toBe(true);
  expect(id[14]).toBe('4');
});

test('two ids differ (CONN-16)', () => {
  expect(newUuid()).not.toBe(newUuid());
});

const newId = (): string => aTabId;

test('a reloaded tab keeps its id, and a duplicate of an open tab gets its own', () => {
  const storage = memoryStorage();
  const kept = '11111111-2222-4333-8444-555555555555';
  leaveTabId(
    storage,
    claimTabId(storage, () => kept),
  );
  expect(claimTabId(storage, newId)).toBe(kept);
  expect(claimTabId(storage, newId)).toBe(aTabId);
});

test('a stored value that is no tab id is ignored', () => {
  const storage = memoryStorage();
  storage.setItem('tunemate/tab', '<script>');
  expect(claimTabId(storage, newId)).toBe(aTabId);
});
