import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addToCappedList } from './people.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a capped list', () => {
  test('puts the new entry last (MATE-1)', () => {
    expect(addToCappedList([1, 2], 3)).toEqual({ list: [1, 2, 3], dropped: [], isAdded: true });
  });

  test('drops the oldest for the 51st (MATE-2)', () => {
    const added = addToCappedList(upTo(50), 99);
    expect(added.dropped).toEqual([0]);
    expect(added.list).toEqual([...upTo(50).slice(1), 99]);
  });

  test('leaves a full list alone when the person is in it already (MATE-3)', () => {
    expect(addToCappedList(upTo(50), 0)).toEqual({ list: upTo(50), dropped: [], isAdded: false });
  });

  test('never holds more than its cap or anyone twice, whatever is added (MATE-2)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(12)), fc.integer({ min: 1, max: 8 }), (additions, cap) => {
        let list: readonly number[] = [];
        for (const item of additions) {
          const added = addToCappedList(list, item, cap);
          expect(added.list).toContain(item);
          expect(new Set(added.list).size).toBe(added.list.length);
          expect(added.list.length).toBeLessThanOrEqual(cap);
          // Every entry that is missing is reported as dropped.
          expect(new Set([...added.list, ...added.dropped])).toEqual(new Set([...list, item]));
          list = added.list;
        }
      }),
    );
  });
});
