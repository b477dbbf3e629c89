import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RoomKind, Uid } from '@tunemate/protocol';
import { addToCappedList, mergeLists, decidePresenceUpdate, decideToAccept, refusalToAsk } from './people.ts';

describe('a capped list', () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

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

  test('never holds more than its cap or a person twice, whatever is added (MATE-2)', () => {
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

describe('the two lists shown together', () => {
  const met = (mate: string, kind: RoomKind, addedAtMs: number) => ({ mate: mate as Uid, kind, addedAtMs });
  const order = (...entries: ReturnType<typeof met>[]) => mergeLists(entries).map(({ uid }) => uid);

  test('show each person once, with where you met, the last one met first', () => {
    const merged = mergeLists([met('a', 'audio', 1), met('b', 'video', 2), met('a', 'video', 3), met('c', 'audio', 2)]);
    expect(merged).toEqual([
      { uid: 'a', metIn: ['video', 'audio'] },
      { uid: 'b', metIn: ['video'] },
      { uid: 'c', metIn: ['audio'] },
    ]);
  });

  test('count the last meeting of each person, whichever list names it first', () => {
    expect(order(met('a', 'video', 1), met('b', 'video', 2), met('a', 'audio', 9))).toEqual(['a', 'b']);
    expect(order(met('a', 'audio', 9), met('a', 'video', 1), met('b', 'video', 2))).toEqual(['a', 'b']);
    expect(order(met('b', 'video', 2), met('a', 'video', 1))).toEqual(['b', 'a']);
  });

  test('have one order for people met at the same time, whatever order they come in', () => {
    const [a, b, c] = [met('a', 'video', 5), met('b', 'audio', 5), met('c', 'video', 5)];
    for (const shuffled of [
      [a, b, c],
      [c, b, a],
      [b, c, a],
    ])
      expect(order(...shuffled)).toEqual(['a', 'b', 'c']);
  });

  test('are empty when both lists are', () => {
    expect(mergeLists([])).toEqual([]);
  });
});

describe('presence update', () => {
  const sentAtMs = 100_000;

  describe.each([true, false])('presence last sent as online: %s', (isShownOnline) => {
    const decide = (nowMs: number, isConnected: boolean) =>
      decidePresenceUpdate({ isShownOnline, sentAtMs, isConnected, nowMs }).type;

    test.each([
      [sentAtMs, 'later'],
      [sentAtMs + 4999, 'later'],
      [sentAtMs + 5000, 'now'],
      [sentAtMs - 1, 'now'],
    ])('a change is sent 5 s after the last one at the earliest (at %i ms: %s) (PRES-16)', (nowMs, type) => {
      expect(decide(nowMs, !isShownOnline)).toBe(type);
    });

    test.each([sentAtMs, sentAtMs + 60_000])('an unchanged state is not sent again (at %i ms) (PRES-16)', (nowMs) => {
      expect(decide(nowMs, isShownOnline)).toBe('none');
    });
  });

  test('a change that comes too soon is due 5 s after the last update (PRES-16)', () => {
    const fact = { isShownOnline: true, sentAtMs, isConnected: false, nowMs: sentAtMs + 1200 };
    expect(decidePresenceUpdate(fact)).toEqual({ type: 'later', atMs: sentAtMs + 5000 });
  });
});

describe('soulmate link', () => {
  const side = (uid: string, soulmate: string | null = null) => ({ uid: uid as Uid, soulmate: soulmate as Uid | null });
  const me = side('me');
  const other = side('other');
  const friendly = { me, other, isAcquainted: true, isBlocked: false };

  describe('asking to be soulmates', () => {
    test('is allowed for people who know each other and have no soulmate', () => {
      expect(refusalToAsk(friendly)).toBeNull();
    });

    test.each([
      ['SOUL-2 refuses oneself', { other: me }, 'input/invalid'],
      ['SOUL-2 refuses an account that is not there', { other: null }, 'access/not-found'],
      ['SOUL-2 refuses a stranger', { isAcquainted: false }, 'access/forbidden'],
      ['SOUL-2 refuses where one has blocked the other', { isBlocked: true }, 'access/forbidden'],
      ['SOUL-3 refuses a sender who has a soulmate', { me: side('me', 'x') }, 'soulmate/self-taken'],
      ['SOUL-3 refuses a recipient who has a soulmate', { other: side('other', 'x') }, 'soulmate/taken'],
    ] as const)('%s', (_, facts, code) => {
      expect(refusalToAsk({ ...friendly, ...facts })).toBe(code);
    });

    test('does not reveal to a stranger whether the other has a soulmate', () => {
      expect(refusalToAsk({ ...friendly, other: side('other', 'x'), isAcquainted: false })).toBe('access/forbidden');
    });
  });

  describe('accepting', () => {
    test('links two people without a soulmate (SOUL-4)', () => {
      expect(decideToAccept(me, other, false)).toEqual({ type: 'bond' });
    });

    test('is the same again between the two (SOUL-5)', () => {
      expect(decideToAccept(side('me', 'other'), side('other', 'me'), false)).toEqual({ type: 'same' });
    });

    test.each([
      ['SOUL-6 comes too late when the accepter has another', side('me', 'x'), other, false, 'soulmate/self-taken'],
      ['SOUL-6 comes too late when the sender has another', me, side('other', 'x'), false, 'soulmate/taken'],
      ['SOUL-7 answers not-found when the sender was deleted', me, null, false, 'access/not-found'],
      ['SOUL-7 answers not-found when one has blocked the other meanwhile', me, other, true, 'access/not-found'],
    ] as const)('%s', (_, mine, sender, isBlocked, code) => {
      expect(decideToAccept(mine, sender, isBlocked)).toEqual({ type: 'refuse', code });
    });
  });
});
