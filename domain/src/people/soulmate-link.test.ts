import type { Uid } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { decideToAccept, refusalToAsk } from './people.ts';

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
