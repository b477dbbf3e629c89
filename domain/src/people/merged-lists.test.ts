import type { RoomKind, Uid } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { mergeLists } from './people.ts';

const met = (mate: string, kind: RoomKind, addedAtMs: number) => ({ mate: mate as Uid, kind, addedAtMs });
const order = (...entries: ReturnType<typeof met>[]) => mergeLists(entries).map(({ uid }) => uid);

describe('the two lists shown together', () => {
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
