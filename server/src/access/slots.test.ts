import { expect, test } from 'vitest';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { createSlots } from './slots.ts';

test('a slot that is given back twice is free once', () => {
  const slots = createSlots({ perKey: 2, inAll: 3 });
  const leave = valueOf(slots.take('ada'));
  slots.take('ada');
  expect(codeOf(slots.take('ada'))).toBe('limit/too-many');
  leave();
  leave();
  expect([codeOf(slots.take('ada')), codeOf(slots.take('ada'))]).toEqual(['ok', 'limit/too-many']);
  expect([codeOf(slots.take('ivo')), codeOf(slots.take('ivo'))]).toEqual(['ok', 'server/busy']);
});
