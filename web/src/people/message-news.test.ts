import { expect, test } from 'vitest';
import { uidOf } from '../../testing/connection-fixtures.ts';
import { aMessage } from '../../testing/screens/people.ts';
import { withNews, type MessageNews } from './message-news.ts';

const theo = { uid: uidOf('Theo'), name: 'Theo Brandt' };
const isFriend = (uid: string): boolean => uid === theo.uid;
const sent = (number: number, more: object = {}) =>
  ({ type: 'chats/messageSent', message: aMessage(theo.uid, number, more), other: theo }) as const;
const after = (...changes: Parameters<typeof withNews>[1][]): readonly MessageNews[] =>
  changes.reduce<readonly MessageNews[]>((now, change) => withNews(now, change, isFriend), []);

test('NEWS-1 messages of friends are news once each, photos by their word; those of others and my own are not', () => {
  const mine = sent(3, { sender: uidOf('M') });
  const read = { type: 'notifications/read' } as const;
  expect(after(sent(1), sent(1), mine, read, sent(2, { text: '' })).map(({ text }) => text)).toEqual([
    'message 1',
    'Photo',
  ]);
});
