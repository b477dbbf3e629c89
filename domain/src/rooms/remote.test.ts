import { limits, type Uid } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { holdsRemote, lent, remoteUsedBy } from './remote.ts';

const [mara, ada, ivo] = ['mara', 'ada', 'ivo'] as Uid[] as [Uid, Uid, Uid];

describe('holdsRemote', () => {
  test.each([
    [null, [true, false, false]],
    [{ use: 'lent' as const, holders: [ada] }, [true, true, false]],
    [{ use: 'everyone' as const, holders: [] }, [true, true, true]],
  ])('with %j', (remote, expected) => {
    expect([mara, ada, ivo].map((uid) => holdsRemote({ host: mara, remote }, uid))).toEqual(expected);
  });
});

describe('remoteUsedBy', () => {
  test('keeps to whom it was lent, but for the host alone', () => {
    const remote = { use: 'lent' as const, holders: [ada] };
    expect(remoteUsedBy(remote, 'everyone')).toEqual({ use: 'everyone', holders: [ada] });
    expect(remoteUsedBy(remote, 'host')).toBeNull();
    expect(remoteUsedBy(null, 'lent')).toEqual({ use: 'lent', holders: [] });
  });
});

describe('lent', () => {
  test('adds a person once, and takes them off', () => {
    const once = { use: 'lent' as const, holders: [ada] };
    expect(lent(null, ada, true)).toEqual({ ok: true, value: once });
    expect(lent(once, ada, true)).toEqual({ ok: true, value: once });
    expect(lent(once, ada, false)).toEqual({ ok: true, value: { use: 'lent', holders: [] } });
    expect(lent(null, ada, false)).toEqual({ ok: true, value: null });
  });

  test('refuses beyond its limit', () => {
    const holders = Array.from({ length: limits.remoteHolders }, (_, at) => `u${at}` as Uid);
    expect(lent({ use: 'lent', holders }, ada, true)).toMatchObject({ ok: false });
    expect(lent({ use: 'lent', holders }, holders[0] ?? ada, true)).toMatchObject({ ok: true });
  });
});
