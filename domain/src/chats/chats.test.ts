import { describe, expect, test } from 'vitest';
import { uid } from '@tunemate/protocol';
import * as fc from 'fast-check';
import {
  dayMs,
  refusalToWrite,
  type WritingFacts,
  pairIdOf,
  readPairId,
  advanceMarks,
  tickOf,
  visibleMarks,
} from './chats.ts';

describe('writing to a person', () => {
  const stranger: WritingFacts = {
    isSelf: false,
    otherExists: true,
    isBlocked: false,
    areConnected: false,
    messages: 0,
    unanswered: 0,
    openedAtMs: [],
    nowMs: dayMs * 10,
  };
  /** In plain numbers, so that the test does not share the constant it checks. */
  const hoursMs = (hours: number): number => hours * 3_600_000;
  const tenToday = Array.from({ length: 10 }, (_, index) => dayMs * 9 + (index + 1) * 1000);

  test.each([
    ['CHAT-3 is refused to oneself', { isSelf: true }, 'input/invalid'],
    ['CHAT-3 is refused where the account was deleted', { otherExists: false }, 'access/not-found'],
    ['CHAT-4 is refused where one has blocked the other', { isBlocked: true, areConnected: true }, 'access/forbidden'],
    ['CHAT-6 stops after five unanswered first messages', { messages: 5, unanswered: 5 }, 'chat/first-contact-limit'],
  ] as const)('%s', (_, facts, code) => {
    expect(refusalToWrite({ ...stranger, ...facts })?.code).toBe(code);
  });

  test.each([
    ['CHAT-6 allows the fifth', { messages: 4, unanswered: 4 }],
    ['CHAT-6 is free once the other has answered', { messages: 9, unanswered: 8 }],
    ['CHAT-6 is free between tunemates', { messages: 9, unanswered: 9, areConnected: true }],
    ['CHAT-5 does not count tunemates as strangers', { areConnected: true, openedAtMs: tenToday }],
    ['CHAT-5 lets a conversation that exists go on', { messages: 1, openedAtMs: tenToday }],
    ['CHAT-5 allows the tenth', { openedAtMs: tenToday.slice(1) }],
  ] as const)('%s', (_, facts) => {
    expect(refusalToWrite({ ...stranger, ...facts })).toBeNull();
  });

  test('refuses the eleventh new conversation with a stranger in a day, and says when to try again', () => {
    expect(refusalToWrite({ ...stranger, openedAtMs: tenToday })).toEqual({
      code: 'chat/first-contact-limit',
      retryAfterMs: 1000,
    });
  });

  test('frees a place 24 hours after the oldest of the ten', () => {
    const nowMs = hoursMs(240);
    const openedAtMs = Array.from({ length: 10 }, (_, index) => nowMs - hoursMs(20 - index));
    expect(refusalToWrite({ ...stranger, nowMs, openedAtMs })?.retryAfterMs).toBe(hoursMs(4));
  });

  test('does not treat a chat without messages as an unanswered one', () => {
    expect(refusalToWrite({ ...stranger, messages: 0, unanswered: 5 })).toBeNull();
  });
});

describe('pair ids', () => {
  const a = uid.parse('A'.repeat(22));
  const b = uid.parse('B'.repeat(22));
  const c = uid.parse('a'.repeat(22));

  test('are the two uids sorted and joined, in either order', () => {
    expect(pairIdOf(b, a)).toBe(`${a}_${b}`);
    expect(pairIdOf(a, b)).toBe(pairIdOf(b, a));
  });

  test('name the other of the two', () => {
    expect(readPairId(`${a}_${b}`, a)).toEqual({ pairId: `${a}_${b}`, other: b });
    expect(readPairId(`${a}_${b}`, b)).toEqual({ pairId: `${a}_${b}`, other: a });
  });

  test.each([
    ['unsorted', `${b}_${a}`],
    ['of one part', a],
    ['of three parts', `${a}_${b}_${c}`],
    ['of myself twice', `${a}_${a}`],
    ['of two others', `${b}_${c}`],
    ['with an underscore inside', `${a}__${b.slice(1)}`],
    ['of nothing', ''],
    ['of __proto__', '__proto__'],
  ])('do not exist when %s', (_, text) => {
    expect(readPairId(text, a)).toBeNull();
  });
});

describe('ticks', () => {
  const marks = (deliveredUpTo: number, readUpTo: number) => ({ deliveredUpTo, readUpTo });

  describe('marks', () => {
    test('move forwards (CHAT-10)', () => {
      expect(advanceMarks(marks(1, 0), marks(3, 2))).toEqual(marks(3, 2));
    });

    test('never move back (CHAT-10)', () => {
      expect(advanceMarks(marks(5, 4), marks(3, 2))).toBeNull();
      expect(advanceMarks(marks(5, 2), marks(3, 3))).toEqual(marks(5, 3));
    });

    test('count what was read as delivered (CHAT-11)', () => {
      expect(advanceMarks(marks(0, 0), marks(0, 4))).toEqual(marks(4, 4));
    });

    test('end at the same place in whatever order they come, and twice (CHAT-10)', () => {
      const someMarks = fc.record({ deliveredUpTo: fc.nat(9), readUpTo: fc.nat(9) });
      const end = (all: ReturnType<typeof marks>[]) =>
        all.reduce((current, asked) => advanceMarks(current, asked) ?? current, marks(0, 0));
      fc.assert(
        fc.property(fc.array(someMarks), (all) => {
          expect(end([...all, ...all].toReversed())).toEqual(end(all));
        }),
      );
    });

    test('hide reading, not delivery, where either has switched receipts off, and both from a stranger', () => {
      const shown = (isNoticed: boolean, sharesReading: boolean) =>
        visibleMarks(marks(4, 3), { isNoticed, sharesReading });
      expect([shown(true, true), shown(true, false)]).toEqual([marks(4, 3), marks(4, 0)]);
      expect([shown(false, true), shown(false, false)]).toEqual([marks(0, 0), marks(0, 0)]);
    });
  });

  test('shows one tick, then two once delivered or read (CHAT-12)', () => {
    expect([1, 2, 3].map((number) => tickOf(number, marks(2, 1)))).toEqual(['read', 'delivered', 'sent']);
  });
});
