import { clientId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { newUuid } from './client-id.ts';

test.each([0x00, 0xff])('CONN-16: ids are UUIDs of version 4 whatever the random bytes are (%i)', (byte) => {
  const id = newUuid({ getRandomValues: (array) => (array instanceof Uint8Array ? (array.fill(byte), array) : array) });
  expect(clientId.safeParse(id).success).toBe(true);
  expect(id[14]).toBe('4');
});

test('CONN-16: two ids differ', () => {
  expect(newUuid()).not.toBe(newUuid());
});
