/**
 * What one network and one new account get of the calls that all share, over a real database and a fake video service;
 * what costs nothing of it; and that the whole server asks for it.
 */
import { join } from 'node:path';
import { protocolVersion, type Result, type Uid, type Value, type VideoId } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { createFakeClock, type FakeClock } from '@tunemate/testkit/fake-clock';
import { type FakeDataApi, startFakeDataApi, videoIdNumber } from '@tunemate/testkit/fakes/fake-data-api';
import { openClient } from '@tunemate/testkit/network/client';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bounds } from '../../../access/bounds.ts';
import { day } from '../../../access/bound.ts';
import { createLimits } from '../../../access/limits.ts';
import { type Database, migrate, openDatabase } from '../../../storage/database.ts';
import { storedMemory } from './search-memory.ts';
import { type Payer, searchShares } from './search-shares.ts';
import { defaultAllowances, type VideoCalls, videoCalls } from './video-calls.ts';
import { type YouTubeSource, youtubeSource } from './youtube-source.ts';

let api: FakeDataApi;
let clock: FakeClock;
let dir: TempDir;
let database: Database;
let source: YouTubeSource;
let calls: VideoCalls;
let asked = 0;

beforeEach(async () => {
  api = await startFakeDataApi();
  clock = createFakeClock();
  dir = await makeTempDir('shares');
  database = openDatabase(`sqlite:${join(dir.path, 'tunemate.sqlite')}`);
  await migrate(database);
  const { db } = database;
  source = youtubeSource({ baseUrl: api.url, key: 'a-key', timeoutMs: 20_000 });
  const shares = searchShares({ limits: createLimits({ clock, scale: 1 }), db, clock });
  const log = { warn: () => undefined };
  calls = videoCalls({ source, memory: storedMemory(db), shares, clock, log, allowances: defaultAllowances });
  asked = 0;
});
afterEach(async () => {
  source.close();
  await api.close();
  await database.close();
  await dir.remove();
});

const oneAddress = '203.0.113.7';

/** The host of a room asks. */
async function account(name: string, address: string, ageMs = 0): Promise<Payer> {
  const uid = name.padEnd(22, '1') as Uid;
  await database.db
    .insertInto('users')
    .values({
      ...{ uid, name, email: `${name}@example.org`, email_verified: 1, password_hash: '', online: 1 },
      ...{ created_at_ms: clock.now() - ageMs, presence_changed_at_ms: 0, soulmate: null, deleted_at_ms: null },
    })
    .execute();
  return { host: uid, asker: { uid, address } };
}

const ask = {
  search: (payer: Payer) =>
    calls.search({ kind: 'audio', query: `query ${String((asked += 1))}`, payer }, (api) => api.searchAudio('query')),
  lookUp: (payer: Payer) => calls.details([videoIdNumber((asked += 1)) as VideoId], payer, 'lookUp'),
  card: (payer: Payer) => calls.details([videoIdNumber((asked += 1)) as VideoId], payer, 'card'),
};

/** How many of so many calls are made. */
async function made(what: keyof typeof ask, payer: Payer, count: number): Promise<number> {
  const before = api.calls.length;
  for (let n = 0; n < count; n += 1) await ask[what](payer).catch(() => undefined);
  return api.calls.length - before;
}

describe.each([
  ['search', defaultAllowances.serverPerDay, 30, 4],
  ['lookUp', defaultAllowances.lookUpsPerDay, 60, 9],
  ['card', defaultAllowances.lookUpsPerDay, 60, 9],
] as const)('of the calls to %s', (what, perDay, perHour, accounts) => {
  test('new accounts of one address get a fifth, and another host is answered (ACCESS-48)', async () => {
    let taken = 0;
    for (let n = 0; n < accounts; n += 1) {
      taken += await made(what, await account(`stranger${String(n)}`, oneAddress), perHour);
    }
    expect(taken).toBe(perDay / 5);
    expect(await made(what, await account('mara', '198.51.100.4'), 1)).toBe(1);
  });

  test('an old account of an address on the internet gets a fifth in a day, and as much the next', async () => {
    const old = await account('old', oneAddress, 2 * day);
    let taken = 0;
    for (let n = 0; n < 3; n += 1) {
      taken += await made(what, old, perHour);
      clock.advance(day / 24);
    }
    expect(taken).toBe(perDay / 5);
    clock.advance(day);
    expect(await made(what, old, 1)).toBe(1);
  });
});

test('a new account at home gets a fifth, an old one all that is there', async () => {
  const home = '192.168.1.20';
  expect(await made('search', await account('new', home), 30)).toBe(18);
  expect(await made('search', await account('old', home, 2 * day), 30)).toBe(30);
});

test('a call that does not reach the service costs nothing of an hour, a day or a share', async () => {
  await api.close();
  const mara = await account('mara', oneAddress);
  // The first ones are refused a connection; after these none is tried.
  for (let n = 0; n < 40; n += 1) await expect(ask.search(mara)).rejects.toMatchObject({ code: 'unavailable' });
  api = await startFakeDataApi();
});

test('a fifth is a fifth of the allowances', () => {
  const fifth = { searches: defaultAllowances.serverPerDay / 5, lookUps: defaultAllowances.lookUpsPerDay / 5 };
  for (const of of ['Network', 'Newcomer'] as const) {
    expect(bounds[`searchesOf${of}`].buckets[0].burst).toBe(fifth.searches);
    expect(bounds[`lookUpsOf${of}`].buckets[0].burst).toBe(fifth.lookUps);
  }
});

/** A new account in a room of its own, connected from an address: the status of each search. */
async function searcher(world: SocketWorld, name: string, address: string) {
  const { cookie } = await world.person(name);
  const url = `http://127.0.0.1:${String(world.app.app.port)}`;
  const headers = { 'x-forwarded-for': address };
  const socket = await openClient(url, { cookie, origin: world.app.url, headers });
  await socket.request('session/hello', { protocolVersion, tabId: crypto.randomUUID() });
  const create = { clientId: newClientId(), kind: 'audio', name };
  const { code } = valueOf((await socket.request('rooms/create', create)) as Result<Value<'rooms/create'>>);
  return async (count: number) => {
    const asked = Array.from({ length: count }, async (_, n) => {
      const query = `${name} ${String(n)}`;
      const answer = await socket.request('catalogue/search', { kind: 'audio', code, query });
      return valueOf(answer as Result<Value<'catalogue/search'>>).status;
    });
    return await Promise.all(asked);
  };
}

test('four at full pace from one address leave five people elsewhere their searches (ACCESS-48)', async () => {
  const env = { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true', YOUTUBE_API_KEY: 'a-key', YOUTUBE_API_URL: api.url };
  const world = await openSocketWorld({ env });
  const come = async (name: string, address: (n: number) => string, count: number) =>
    await Promise.all(Array.from({ length: count }, (_, n) => searcher(world, `${name} ${String(n)}`, address(n))));
  const strangers = await come('Stranger', () => oneAddress, 4);
  const others = await come('Other', (n) => `198.51.100.${String(n + 1)}`, 5);
  const [ofStrangers, ofOthers] = await Promise.all([
    Promise.all(strangers.map((search) => search(30))),
    Promise.all(others.map((search) => search(10))),
  ]);
  expect(ofStrangers.flat().filter((status) => status === 'ok')).toHaveLength(18);
  expect(ofOthers.flat().filter((status) => status !== 'ok')).toEqual([]);
  await world.close();
});
