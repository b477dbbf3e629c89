import { type PrivateMessage } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { uidOf } from '../../testing/connection-fixtures.ts';
import { gapBefore, type MessageLog, withEarlierPage, withLatestPage, withMessage } from './message-log.ts';
import { aMessage } from '../../testing/screens/people.ts';

const theo = uidOf('T');
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
