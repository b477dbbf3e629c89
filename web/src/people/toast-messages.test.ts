import { expect, test } from 'vitest';
import { uidOf } from '../../testing/connection-fixtures.ts';
import { aMessage } from '../../testing/screens/people.ts';
import { withMessage, type ToastMessage } from './toast-messages.ts';

const theo = { uid: uidOf('Theo'), name: 'Theo Brandt' };
const isFriend = (uid: string): boolean => uid === theo.uid;
const sent = (number: number, more: object = {}) =>
  ({ type: 'chats/messageSent', message: aMessage(theo.uid, number, more), other: theo }) as const;
const after = (...changes: Parameters<typeof withMessage>[1][]): readonly ToastMessage[] =>
  changes.reduce<readonly ToastMessage[]>((now, change) => withMessage(now, change, isFriend), []);

test('each message of a friend is shown once, photos by their word; messages of others and own ones are not', () => {
  const mine = sent(3, { sender: uidOf('M') });
  const read = { type: 'notifications/read' } as const;
  expect(after(sent(1), sent(1), mine, read, sent(2, { text: '' })).map(({ text }) => text)).toEqual([
    'message 1',
    'Photo',
  ]);
});
