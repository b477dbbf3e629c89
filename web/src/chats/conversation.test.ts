import { type PrivateMessage } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { uidOf, clientId } from '../../testing/connection-fixtures.ts';
import { conversationItems } from './conversation.ts';
import { aMessage } from '../../testing/screens/people.ts';

const [me, theo] = [uidOf('M'), uidOf('T')];
const noon = new Date(2030, 0, 5, 12).getTime();

const message = (number: number, over: Partial<PrivateMessage> = {}) =>
  aMessage(theo, number, { text: `m${String(number)}`, timestamp: noon, ...over });
const logOf = (...numbers: number[]) => ({ messages: numbers.map((one) => message(one)), hasEarlierMessages: true });

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

  test('who set the timer stands before the first message that was sent after it', () => {
    const timer = { days: 7, by: theo, at: noon + 1 } as const;
    const log = { messages: [message(1), message(2, { timestamp: noon + 2 })], hasEarlierMessages: true };
    const typesWith = (at: number) =>
      conversationItems({ log, theirs: marks, unreadAfter: null, timer: { ...timer, at } }, [], me).map(
        ({ type }) => type,
      );
    expect(typesWith(noon + 1)).toEqual(['day', 'message', 'timer', 'message']);
    expect(typesWith(noon + 3)).toEqual(['day', 'message', 'message', 'timer']);
    // It was set before the messages that are loaded.
    expect(typesWith(noon - 5)).toEqual(['day', 'message', 'message']);
  });
});
