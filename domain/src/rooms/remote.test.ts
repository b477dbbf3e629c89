import { limits, type Uid } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { holdsRemote, lent, ownRemote, withWhatFollows } from './remote.ts';

const [mara, ada, ivo] = ['mara', 'ada', 'ivo'] as Uid[] as [Uid, Uid, Uid];
const lentTo = (...remoteHolders: Uid[]) => ({ remoteUse: 'lent' as const, remoteHolders });

describe('holdsRemote', () => {
  test.each([
    [ownRemote, [true, false, false]],
    [lentTo(ada), [true, true, false]],
    [{ remoteUse: 'everyone' as const, remoteHolders: [] }, [true, true, true]],
  ])('with %j', (remote, expected) => {
    expect([mara, ada, ivo].map((uid) => holdsRemote({ host: mara, ...remote }, uid))).toEqual(expected);
  });
});

test('keeps to whom it was lent, but for the host alone', () => {
  expect(withWhatFollows({ remoteUse: 'everyone' })).toEqual({ remoteUse: 'everyone' });
  expect(withWhatFollows({ remoteUse: 'host', isLocked: true })).toEqual({ ...ownRemote, isLocked: true });
  expect(withWhatFollows({ isLocked: true })).toEqual({ isLocked: true });
});

describe('lent', () => {
  test('adds a person once, and takes them off', () => {
    const once = lentTo(ada);
    expect(lent(ownRemote, ada, true)).toEqual({ ok: true, value: once });
    expect(lent(once, ada, true)).toEqual({ ok: true, value: once });
    expect(lent(once, ada, false)).toEqual({ ok: true, value: lentTo() });
    expect(lent(ownRemote, ada, false)).toEqual({ ok: true, value: ownRemote });
  });

  test('refuses beyond its limit', () => {
    const holders = Array.from({ length: limits.remoteHolders }, (_, at) => `u${at}` as Uid);
    expect(lent(lentTo(...holders), ada, true)).toMatchObject({ ok: false });
    expect(lent(lentTo(...holders), holders[0] ?? ada, true)).toMatchObject({ ok: true });
  });
});
