import { expect, test } from 'vitest';
import { isSameRow } from './same-row.ts';

const onPress = (): void => undefined;
const row = (item: object, isLast = false) => ({ item, isLast, onPress });
const isSame = isSameRow<'item', ReturnType<typeof row>>('item');
const message = {
  key: 'a',
  text: 'Side 60',
  author: { id: 'u1', name: 'Ada' },
  reactions: [{ uid: 'u2', emoji: '🎷' }],
};

test('an item that is made anew and says the same is the same row', () => {
  expect(isSame(row(message), row(structuredClone(message)))).toBe(true);
});

test.each([
  { what: 'its text', item: { ...message, text: 'Side 61' } },
  { what: 'the name of its author', item: { ...message, author: { id: 'u1', name: 'Ada L.' } } },
  { what: 'a reaction', item: { ...message, reactions: [] } },
  { what: 'one field more', item: { ...message, edits: 1 } },
  { what: 'one field fewer', item: { key: 'a', text: 'Side 60' } },
])('another row, by $what', ({ item }) => {
  expect(isSame(row(message), row(item))).toBe(false);
  expect(isSame(row(item), row(message))).toBe(false);
});

test('what is not the item is compared by identity', () => {
  expect(isSame(row(message), row(message, true))).toBe(false);
  expect(isSame(row(message), { ...row(message), onPress: () => undefined })).toBe(false);
});
