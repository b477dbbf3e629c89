import { pairId, type PrivateMessage } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { uidOf, clientId } from '../../testing/connection-fixtures.ts';
import { gapBefore, type MessageLog, withEarlierPage, withLatestPage, withMessage } from '../messages/message-log.ts';
import { conversationItems } from './conversation.ts';
import { shownSize } from './images.ts';
import { afterChange, opensPresence, unreadOf } from './conversation-list.ts';
import { textParts } from '../messages/LinkedText.tsx';
import { aMessage } from '../../testing/screens/people.ts';

const [me, theo] = [uidOf('M'), uidOf('T')];
const pair = pairId.parse(`${me}_${theo}`);
const noon = new Date(2030, 0, 5, 12).getTime();

const message = (number: number, over: Partial<PrivateMessage> = {}) =>
  aMessage(theo, number, { text: `m${String(number)}`, timestamp: noon, ...over });
const logOf = (...numbers: number[]) => ({ messages: numbers.map((one) => message(one)), hasEarlierMessages: true });
const numbersOf = ({ messages }: { messages: readonly PrivateMessage[] }) => messages.map(({ number }) => number);

describe('the log of a chat', () => {
  test('every message is shown once and in order, whichever way it arrives', () => {
    const log = [message(7), message(5), message(6), message(6), message(2)].reduce<MessageLog<PrivateMessage>>(
      withMessage,
      logOf(4, 5),
    );
    expect(numbersOf(log)).toEqual([4, 5, 6, 7]);
  });

  test('an earlier page is put before the loaded messages, and missing messages are detected', () => {
    expect(numbersOf(withEarlierPage(logOf(4, 5), logOf(2, 3, 4)))).toEqual([2, 3, 4, 5]);
    expect([gapBefore(logOf(4, 5), logOf(8, 9)), gapBefore(logOf(4, 5), logOf(5, 6))]).toEqual([8, null]);
    expect(numbersOf(withLatestPage(logOf(4, 5), logOf(5, 6)))).toEqual([4, 5, 6]);
  });
});

describe('what an open chat shows', () => {
  const marks = { deliveredUpTo: 2, readUpTo: 1 };
  test('messages of the current user show a clock while unsent, one tick when stored, two when delivered or read', () => {
    const log = { ...logOf(), messages: [1, 2, 3].map((one) => message(one, { sender: me })) };
    const waiting = { clientId: clientId(99), uid: theo, text: 'w', image: null, writtenAtMs: noon, failure: null };
    const items = conversationItems({ log, theirs: marks, unreadAfter: null }, [waiting], me);
    const ticks = items.flatMap((item) => (item.type === 'message' ? [item.tick] : []));
    expect(ticks).toEqual(['read', 'delivered', 'sent', 'sending']);
  });

  test('days are separated, and a divider is shown above the first unread message', () => {
    const log = { ...logOf(), messages: [message(1, { timestamp: noon - 864e5 }), message(2), message(3)] };
    const items = conversationItems({ log, theirs: marks, unreadAfter: 2 }, [], me);
    expect(items.map(({ type }) => type)).toEqual(['day', 'message', 'day', 'message', 'unread', 'message']);
  });
});

describe('the list of chats', () => {
  test('a new message moves its chat to the top and is counted once, until it is read', () => {
    const other = { uid: theo, name: 'Theo' };
    const sent = { type: 'chats/messageSent', message: message(1), other } as const;
    const rows = afterChange(afterChange([], sent, me), sent, me);
    expect([rows.length, unreadOf(rows)]).toEqual([1, 1]);
    const marked = {
      type: 'chats/marked',
      pairId: pair,
      marks: { uid: me, deliveredUpTo: 1, readUpTo: 1 },
      unread: 0,
    } as const;
    expect(unreadOf(afterChange(rows, marked, me))).toBe(0);
  });

  test('an edit or deletion of the last message, and the number of unread ones, show in the row; a hidden one needs the server', () => {
    const sent = { type: 'chats/messageSent', message: message(2), other: { uid: theo, name: 'Theo' } } as const;
    const rows = afterChange([], sent, me);
    const change = (more: object, unread: number) =>
      ({ type: 'chats/messageChanged', message: { ...message(2), revision: 1, ...more }, unread }) as const;
    expect(afterChange(rows, change({ text: 'edited' }, 3), me)).toMatchObject([
      { last: { text: 'edited' }, unread: 3 },
    ]);
    expect(afterChange(rows, change({ number: 1, text: 'older' }, 1), me)).toMatchObject([{ last: { text: 'm2' } }]);
    const deleted = afterChange(rows, change({ text: '', state: 'deleted' }, 0), me);
    expect(deleted).toMatchObject([{ last: { text: '', state: 'deleted' }, unread: 0 }]);
    expect(afterChange(rows, change({ text: '', state: 'hidden' }, 0), me)).toMatchObject([{ last: { text: 'm2' } }]);
  });

  test('a chat shows the new name of the other person', () => {
    const sent = { type: 'chats/messageSent', message: message(1), other: { uid: theo, name: 'Theo' } } as const;
    const presence = { uid: theo, state: 'online', last_changed: 1 } as const;
    const renamed = { type: 'people/changed', person: { uid: theo, name: 'Theo Lind', presence } } as const;
    expect(afterChange(afterChange([], sent, me), renamed, me)).toMatchObject([{ other: { name: 'Theo Lind' } }]);
  });

  test('a chat whose other person is gone shows no presence, as after a reload', () => {
    const sent = { type: 'chats/messageSent', message: message(1), other: { uid: theo, name: 'Theo' } } as const;
    const presence = { uid: theo, state: 'online', last_changed: 1 } as const;
    const rows = afterChange([], sent, me).map((row) => ({ ...row, presence }));
    const person = {
      uid: theo,
      name: 'Deleted user',
      presence: { ...presence, state: 'offline', last_changed: 2 },
    } as const;
    expect(afterChange(rows, { type: 'people/changed', person, isGone: true }, me)).toMatchObject([
      { other: { name: 'Deleted user' }, presence: null },
    ]);
  });

  test('presence that is shown is updated live, and the server is asked when presence may have become visible', () => {
    const other = { uid: theo, name: 'Theo' };
    const sent = { type: 'chats/messageSent', message: message(1), other } as const;
    const presence = { uid: theo, state: 'online', last_changed: 1 } as const;
    const came = { type: 'people/changed', person: { ...other, presence } } as const;
    const [unknown] = afterChange([], sent, me);
    if (unknown === undefined) throw new Error('no row');
    expect([unknown.presence, opensPresence([], sent), opensPresence([unknown], sent)]).toEqual([null, true, false]);
    expect(afterChange([unknown], came, me)).toEqual([unknown]);
    const known = { ...unknown, presence: { ...presence, state: 'offline' as const } };
    expect(afterChange([known], came, me)).toEqual([{ ...known, presence }]);
    const block = (isClosed: boolean) => ({ type: 'chats/closed', uid: theo, isClosed }) as const;
    const parted = afterChange([known], block(true), me);
    expect(afterChange(parted, came, me)).toEqual([unknown]);
    expect([opensPresence(parted, block(true)), opensPresence(parted, block(false))]).toEqual([false, true]);
  });
});

test.each([
  [
    { width: 960, height: 480 },
    { width: 280, height: 140 },
  ],
  [
    { width: 300, height: 3200 },
    { width: 30, height: 320 },
  ],
  [
    { width: 40, height: 20 },
    { width: 40, height: 20 },
  ],
  [
    { width: 2048, height: 1 },
    { width: 280, height: 1 },
  ],
])('a picture of %o is shown whole, in its shape and never enlarged', (picture, shown) => {
  expect(shownSize(picture)).toEqual(shown);
});

test('addresses of the web and of mail become links, and nothing else does', () => {
  const hrefs = (text: string) => textParts(text).flatMap((part) => (typeof part === 'string' ? [] : [part.href]));
  expect(hrefs('see https://a.example/x, b.com and c@d.com.')).toEqual([
    'https://a.example/x',
    'https://b.com/',
    'mailto:c@d.com',
  ]);
  expect(hrefs('javascript:alert(1) data:text/html,x ftp://a.example file:///etc vbscript:x')).toEqual([]);
  const words = textParts('a https://b.com c').map((part) => (typeof part === 'string' ? part : part.words));
  expect(words.join('')).toBe('a https://b.com c');
});
