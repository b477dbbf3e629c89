import { expect, test } from 'vitest';
import { memoryStorage } from '../../../testing/memory-storage.ts';
import { createRequestSound } from './request-sound.ts';

test('the sound of a request is off until it is turned on, and that is remembered', () => {
  const storage = memoryStorage();
  let played = 0;
  const sound = createRequestSound(storage, () => (played += 1));
  sound.tick();
  expect([sound.isOn.get(), played]).toEqual([false, 0]);
  sound.set(true);
  sound.tick();
  expect(played).toBe(2);
  const later = createRequestSound(storage, () => (played += 1));
  later.tick();
  expect([later.isOn.get(), played]).toEqual([true, 3]);
  later.set(false);
  later.tick();
  expect(played).toBe(3);
});
