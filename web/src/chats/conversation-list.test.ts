import { pairId, type PrivateMessage, type Uid } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { uidOf } from '../../testing/connection-fixtures.ts';
import type { Connection } from '../connection/port.ts';
import { afterChange, createConversationList, opensPresence, unreadOf } from './conversation-list.ts';
import { aConversationRow, aMessage } from '../../testing/screens/people.ts';

const [me, theo] = [uidOf('M'), uidOf('T')];
const pair = pairId.parse(`${me}_${theo}`);
const noon = new Date(2030, 0, 5, 12).getTime();

const message = (number: number, over: Partial<PrivateMessage> = {}) =>
  aMessage(theo, number, { text: `m${String(number)}`, timestamp: noon, ...over });

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

  test('rows that this device stored say nothing of what is unread, until the server answers', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const connection = { requestUntilAnswered: () => promise } as unknown as Connection;
    const stored = [aConversationRow('Theo', {}, { unread: 2 }), aConversationRow('Ivo')];
    const list = createConversationList(connection, me, () => Promise.resolve(stored));
    list.renew(1);
    await expect.poll(list.rows.get).toBe(stored);
    expect([list.isKept(), list.unread.get()]).toEqual([true, 1]);
    const conversations = [aConversationRow('Theo'), aConversationRow('Ivo', {}, { unread: 3 })];
    resolve({ ok: true, value: { conversations } });
    await expect.poll(list.unread.get).toBe(3);
    expect(list.isKept()).toBe(false);
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
    expect([unknown.presence, opensPresence([], sent)]).toEqual([null, true]);
    const asked = (sender: Uid) => opensPresence([unknown], { ...sent, message: { ...sent.message, sender } });
    // A stranger who answers for the first time.
    expect([asked(theo), asked(me)]).toEqual([true, false]);
    expect(afterChange([unknown], came, me)).toEqual([unknown]);
    const known = { ...unknown, presence: { ...presence, state: 'offline' as const } };
    expect(afterChange([known], came, me)).toEqual([{ ...known, presence }]);
    const block = (isClosed: boolean) => ({ type: 'chats/closed', uid: theo, isClosed }) as const;
    const parted = afterChange([known], block(true), me);
    expect(afterChange(parted, came, me)).toEqual([unknown]);
    expect([opensPresence(parted, block(true)), opensPresence(parted, block(false))]).toEqual([false, true]);
  });
});
