import { describe, expect, test } from 'vitest';
import { newestFirst, outgrown, refusalToInvite } from './inbox.ts';

const notices = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `n${index}`, timestamp: index }));

describe('the newest 20', () => {
  test('drops the oldest for the 21st', () => {
    expect(outgrown(notices(20), { id: 'new', timestamp: 100 })).toEqual(['n0']);
    expect(outgrown(notices(19), { id: 'new', timestamp: 100 })).toEqual([]);
  });

  test('never drops the notification just added, whatever its time', () => {
    expect(outgrown(notices(20), { id: 'new', timestamp: -1 })).toEqual(['n0']);
  });

  test('drops nothing when one of the 20 is refreshed', () => {
    expect(outgrown(notices(20), { id: 'n3', timestamp: 100 })).toEqual([]);
  });

  test('sorts equal times the same way everywhere', () => {
    const same = ['b', 'a', 'c'].map((id) => ({ id, timestamp: 1 }));
    expect(same.sort(newestFirst).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });
});

describe('inviting', () => {
  const fine = { isSelf: false, exists: true, isMine: true, isBlocked: false };
  test.each([
    ['NOTE-3 lets me invite my tunemates and my soulmate', {}, null],
    ['NOTE-4 refuses myself', { isSelf: true }, 'input/invalid'],
    ['NOTE-4 refuses an account that is not there', { exists: false }, 'access/not-found'],
    ['NOTE-4 refuses a person who is not on my lists', { isMine: false }, 'access/forbidden'],
    ['NOTE-4 refuses where one has blocked the other', { isBlocked: true }, 'access/forbidden'],
  ] as const)('%s', (_, facts, code) => {
    expect(refusalToInvite({ ...fine, ...facts })).toBe(code);
  });
});
