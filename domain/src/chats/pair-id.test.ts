import { uid } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { pairIdOf, readPairId } from './chats.ts';

const a = uid.parse('A'.repeat(22));
const b = uid.parse('B'.repeat(22));
const c = uid.parse('a'.repeat(22));

describe('pair ids', () => {
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
