/** What this device stored of chats that are not open. */
import type { PrivateMessage } from '@tunemate/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { maraUid, uidOf } from '../../testing/connection-fixtures.ts';
import { aConversation, aMessage } from '../../testing/screens/people.ts';
import type { Kept } from '../store/kept.ts';
import { joined } from './conversation.ts';
import { createKeptChats } from './kept-chats.ts';

const theo = uidOf('T');

/** Stores as JSON, some time later. */
function aStore() {
  const stored = new Map<string, string>();
  const kept: Pick<Kept, 'read' | 'follow'> = {
    read: async (key) => JSON.parse(stored.get(key) ?? 'null') ?? undefined,
    follow: (key, _source, value) => () => {
      const text = JSON.stringify(value());
      setTimeout(() => stored.set(key, text), 5);
    },
  };
  return { stored, chats: createKeptChats(kept, maraUid) };
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
