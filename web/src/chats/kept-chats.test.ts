/** What this device stored of chats that are not open. */
import { quoteOf } from '@tunemate/domain';
import type { PrivateMessage } from '@tunemate/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { maraUid, uidOf } from '../../testing/connection-fixtures.ts';
import { aConversation, aMessage } from '../../testing/screens/people.ts';
import type { Kept } from '../store/kept.ts';
import { joined } from './conversation.ts';
import { createKeptChats } from './kept-chats.ts';

const theo = uidOf('T');

/** Stores as JSON, some time later. */
function aStore(nowMs = 0) {
  const stored = new Map<string, string>();
  const kept: Pick<Kept, 'read' | 'follow'> = {
    read: async (key) => JSON.parse(stored.get(key) ?? 'null') ?? undefined,
    follow: (key, _source, value) => () => {
      const text = JSON.stringify(value());
      setTimeout(() => stored.set(key, text), 5);
    },
  };
  return { stored, chats: createKeptChats(kept, maraUid, () => nowMs) };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

const written = () => vi.advanceTimersByTimeAsync(50);

test('words that are deleted or edited do not stay in a chat that is not open, nor in its quotes', async () => {
  const { stored, chats } = aStore();
  const first = aMessage(theo, 1, { text: 'marmalade' });
  const quote = {
    ...{ number: 1, clientId: first.clientId, sender: theo },
    text: 'marmalade',
    hasImage: false,
    isGone: false,
  };
  const messages = [first, aMessage(theo, 2, { text: 'zeppelin' }), aMessage(theo, 3, { reply: quote })];
  const open = joined(null, aConversation('T', { messages, revision: 4 }), { self: maraUid, uid: theo });
  chats.keepConversation(theo, { get: () => 0, subscribe: () => () => undefined }, () => open)();
  const tell = (message: PrivateMessage) => chats.receive({ type: 'chats/messageChanged', message, unread: 0 });
  await written();
  expect(JSON.stringify([...stored])).toContain('marmalade');
  tell({ ...first, text: '', state: 'deleted', revision: 7 });
  tell(aMessage(theo, 2, { text: 'airship', edits: 1, revision: 8 }));
  await written();
  const text = JSON.stringify([...stored]);
  expect([text.includes('marmalade'), text.includes('zeppelin'), text.includes('airship')]).toEqual([
    false,
    false,
    true,
  ]);
  // What came before, while no page was open, is still asked for.
  expect((await chats.conversation(theo))?.revision).toBe(4);
  // Nothing is stored of a chat that was not.
  tell(aMessage(uidOf('N'), 1));
  await written();
  expect(stored.size).toBe(1);
  // A chat that is deleted after a change of it does not come back.
  tell({ ...first, text: 'again', revision: 9 });
  chats.receive({ type: 'chats/cleared', pairId: first.pairId, upTo: 3, unread: 0 });
  await written();
  expect([...stored.values()]).toEqual(['null']);
});

test('messages whose time was over while no page was open are gone, also from quotes; those of before the timer stay', async () => {
  const hourMs = 3_600_000;
  const { chats } = aStore(100 * hourMs);
  const said = (number: number, hour: number) =>
    aMessage(theo, number, { text: `m${String(number)}`, timestamp: hour * hourMs });
  const gone = said(2, 60);
  const reply = { ...quoteOf(gone), text: 'm2' };
  const messages = [said(1, 10), gone, { ...said(3, 90), reply }];
  const timer = { days: 1 as const, by: theo, at: 50 * hourMs };
  const open = joined(null, aConversation('T', { messages, timer }), { self: maraUid, uid: theo });
  chats.keepConversation(theo, { get: () => 0, subscribe: () => () => undefined }, () => open)();
  await written();
  const found = (await chats.conversation(theo))?.log.messages;
  expect(found?.map(({ text, state }) => [text, state])).toEqual([
    ['m1', 'shown'],
    ['', 'hidden'],
    ['m3', 'shown'],
  ]);
  expect(found?.[2]?.reply).toMatchObject({ text: '', isGone: true });
});
