import type { RoomKind, Uid } from '@tunemate/protocol';
import { expect, it } from 'vitest';
import { mergeLists } from './merged-lists.ts';

const met = (mate: string, kind: RoomKind, addedAtMs: number) => ({ mate: mate as Uid, kind, addedAtMs });

it('MATE-4 shows each person once, with where you met, the last one met first', () => {
  const merged = mergeLists([met('a', 'audio', 1), met('b', 'video', 2), met('a', 'video', 3), met('c', 'audio', 2)]);
  expect(merged).toEqual([
    { uid: 'a', metIn: ['video', 'audio'] },
    { uid: 'b', metIn: ['video'] },
    { uid: 'c', metIn: ['audio'] },
  ]);
});

it('MATE-4 shows nobody when both lists are empty', () => {
  expect(mergeLists([])).toEqual([]);
});
