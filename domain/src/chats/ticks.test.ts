import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advanceMarks, tickOf, visibleMarks } from './chats.ts';

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

  test('hide reading, not delivery, where either has switched receipts off', () => {
    expect(visibleMarks(marks(4, 3), true)).toEqual(marks(4, 3));
    expect(visibleMarks(marks(4, 3), false)).toEqual(marks(4, 0));
  });
});

test('shows one tick, then two once delivered or read (CHAT-12)', () => {
  expect([1, 2, 3].map((number) => tickOf(number, marks(2, 1)))).toEqual(['read', 'delivered', 'sent']);
});
