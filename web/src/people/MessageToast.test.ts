import { expect, test } from 'vitest';
import { uidOf } from '../../testing/connection-fixtures.ts';
import { aMessage } from '../../testing/screens/people.ts';
import { withMessage, type ToastMessage } from './MessageToast.tsx';

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

const changed = (number: number, more: object) =>
  ({ type: 'chats/messageChanged', message: aMessage(theo.uid, number, more), unread: 1 }) as const;

test('what is edited is shown as it is now, what is deleted or hidden not any more, and a reaction shows nothing', () => {
  const edited = changed(1, { text: 'at nine', edits: 1 });
  const gone = (state: string) => changed(2, { text: '', state });
  const texts = (...changes: Parameters<typeof after>) => after(...changes).map(({ text }) => text);
  expect(texts(sent(1), sent(2), edited)).toEqual(['at nine', 'message 2']);
  expect(texts(sent(1), sent(2), gone('deleted'))).toEqual(['message 1']);
  expect(texts(sent(1), sent(2), gone('hidden'))).toEqual(['message 1']);
  const reactions = [{ uid: theo.uid, emoji: '🔥' }];
  expect(texts(changed(5, { sender: uidOf('M'), reactions }), changed(6, { reactions }))).toEqual([]);
});

test('a message of a muted chat shows nothing', () => {
  expect(after({ ...sent(1), isMuted: true })).toEqual([]);
});
