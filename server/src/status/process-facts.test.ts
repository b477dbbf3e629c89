import { expect, test } from 'vitest';
import { disagreementsOf, type ProcessFacts, type Surroundings } from './process-facts.ts';

const own: ProcessFacts = {
  ...{ version: '1.2.3', settings: { PEOPLE_PER_ROOM: 'a' }, folder: 'f', library: 'l', redis: 'r', connections: 13 },
};
const around: Surroundings = { roundTripMs: 1, clockOffMs: 5, connectionsMost: 97, withoutTls: [] };
const kindsOf = (...given: Parameters<typeof disagreementsOf>) =>
  disagreementsOf(...given).map(({ kind, isHarmful }) => `${kind}${isHarmful ? '!' : ''}`);

test('equal processes agree, and so does one alone', () => {
  expect(disagreementsOf(own, [own, own], around)).toEqual([]);
  expect(disagreementsOf({ ...own, redis: null }, [], around)).toEqual([]);
});

test.each<[string, Partial<ProcessFacts>, Partial<ProcessFacts>, string[]]>([
  ['Redis on one only', { redis: null }, {}, ['redis!']],
  ['Redis on the other only', {}, { redis: null }, ['redis!']],
  ['two Redis', {}, { redis: 'other' }, ['redis!']],
  ['Redis on none', { redis: null }, { redis: null }, ['redis']],
  ['a Redis that does not say who it is', {}, { redis: 'unnamed' }, []],
  ['another folder', {}, { folder: 'g' }, ['folder!']],
  ['another folder beside an object store', { folder: null }, { folder: 'g' }, []],
  ['another version', {}, { version: '1.2.4', settings: {} }, ['version']],
  ['another setting', {}, { settings: { PEOPLE_PER_ROOM: 'b' } }, ['settings']],
  ['another library', {}, { library: 'm' }, ['library']],
  ['a library that is being read', {}, { library: null }, []],
])('%s', (_what, mine, theirs, kinds) => {
  expect(kindsOf({ ...own, ...mine }, [{ ...own, ...theirs }], around)).toEqual(kinds);
});

test.each<[string, Partial<Surroundings>, string[]]>([
  ['too few connections for all', { connectionsMost: 25 }, ['connections']],
  ['just enough connections', { connectionsMost: 26 }, []],
  ['a far database', { roundTripMs: 40 }, ['distance']],
  ['a clock that is off', { clockOffMs: -2000 }, ['clock']],
  ['no TLS', { withoutTls: ['DATABASE_URL'] }, ['tls']],
])('%s', (_what, here, kinds) => {
  expect(kindsOf(own, [own], { ...around, ...here })).toEqual(kinds);
});

test('a setting that differs is named, and its value is not', () => {
  const [found] = disagreementsOf(own, [{ ...own, settings: { PEOPLE_PER_ROOM: 'b' } }], around);
  expect(found?.what).toBe('processes have other values of PEOPLE_PER_ROOM');
});
