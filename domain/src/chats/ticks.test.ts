import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advanceMarks, tickOf, visibleMarks } from './chats.ts';

const marks = (deliveredUpTo: number, readUpTo: number) => ({ deliveredUpTo, readUpTo });

describe('marks', () => {
  test('CHAT-10 move forwards', () => {
    expect(advanceMarks(marks(1, 0), marks(3, 2))).toEqual(marks(3, 2));
  });

  test('CHAT-10 never move back', () => {
    expect(advanceMarks(marks(5, 4), marks(3, 2))).toBeNull();
    expect(advanceMarks(marks(5, 2), marks(3, 3))).toEqual(marks(5, 3));
  });

  test('CHAT-11 count what was read as delivered', () => {
    expect(advanceMarks(marks(0, 0), marks(0, 4))).toEqual(marks(4, 4));
  });

  test('CHAT-10 end at the same place in whatever order they come, and twice', () => {
    const someMarks = fc.record({ deliveredUpTo: fc.nat(9), readUpTo: fc.nat(9) });
    const end = (all: ReturnType<typeof marks>[]) =>
      all.reduce((current, asked) => advanceMarks(current, asked) ?? current, marks(0, 0));
    fc.assert(
      fc.property(fc.array(someMarks), (all) => {
        expect(end([...all, ...all].toReversed())).toEqual(end(all));
      }),
    );
  });

  test('CHAT-13 hide reading, not delivery, where either has switched receipts off', () => {
    expect(visibleMarks(marks(4, 3), true)).toEqual(marks(4, 3));
    expect(visibleMarks(marks(4, 3), false)).toEqual(marks(4, 0));
  });
});

test('CHAT-12 shows one tick, then two once delivered or read', () => {
  expect([1, 2, 3].map((number) => tickOf(number, marks(2, 1)))).toEqual(['read', 'delivered', 'sent']);
});
