/** The manners of music servers that no test can start: Gonic, Airsonic, and Jellyfin by its plug-in. */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '@tunemate/testkit/extent';
import { valueOf } from '@tunemate/testkit/answers';
import {
  fakeAccount,
  type FakeSubsonic,
  fakeSong,
  sendSubsonic,
  sendSubsonicError,
  startFakeSubsonic,
  type SubsonicCall,
} from '@tunemate/testkit/fakes/fake-subsonic';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { readConfig } from '../../../config.ts';
import { migrate, openDatabase } from '../../../storage/database.ts';
import { createLog } from '../../../system/logging.ts';
import { startFailureLine } from '../../../system/start-failure.ts';
import { openSubsonic } from './open-subsonic.ts';

let fake: FakeSubsonic;
afterEach(() => fake.close());
const { user, password } = fakeAccount;
const file = randomBytes(3000);
const accountOf = (words: string = password) => ({
  SUBSONIC_URL: fake.url,
  SUBSONIC_USER: user,
  SUBSONIC_PASSWORD: words,
});

interface Song {
  readonly id: string;
  readonly title: string;
}
const songs = [0, 1, 2].map((at) => fakeSong(at) as Song);

/** Of those that are asked for. */
const pageOf = ({ parameters }: SubsonicCall, of: readonly object[] = songs) =>
  of.slice(Number(parameters['songOffset']), Number(parameters['songOffset']) + Number(parameters['songCount']));

/** Its ids tell songs, albums and artists apart. */
function gonic(call: SubsonicCall, response: ServerResponse): void {
  const type = 'gonic';
  if (call.method !== 'search3') return sendSubsonic(response, { type });
  sendSubsonic(response, { type, searchResult3: { song: pageOf(call) } }, '1.15.0');
}

/** It names no kind of server, its ids are numbers, and it finds nothing without a word. */
function airsonic({ method }: SubsonicCall, response: ServerResponse): void {
  const type = undefined;
  const numbered = songs.map((song, at) => ({ ...song, id: String(at + 700), coverArt: at + 700 }));
  if (method === 'getAlbum') sendSubsonic(response, { type, album: { song: numbered } });
  else if (method === 'getAlbumList2') sendSubsonic(response, { type, albumList2: { album: [{ id: '12' }] } });
  else sendSubsonic(response, { type, openSubsonic: undefined, searchResult3: {} }, '1.15.0');
}

/** It writes every number and yes as text, and knows no ranges. */
function jellyfin(call: SubsonicCall, response: ServerResponse): void {
  const asText = (song: object) =>
    Object.fromEntries(
      Object.entries(song).flatMap(([name, value]) => {
        if (typeof value === 'object') return [];
        return [[name, typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value)]];
      }),
    );
  const answer = { type: undefined, openSubsonic: undefined, serverVersion: undefined };
  if (call.method === 'search3') {
    const folder = { ...songs[0], id: 'folder', isDir: true };
    sendSubsonic(
      response,
      { ...answer, searchResult3: { song: pageOf(call, [...songs, folder].map(asText)) } },
      '1.12.0',
    );
  } else if (call.method === 'getCoverArt') {
    response.writeHead(204).end();
  } else if (call.method === 'stream') {
    response.writeHead(200, { 'content-type': 'audio/flac', 'content-length': file.length }).end(file);
  } else {
    sendSubsonic(response, answer, '1.12.0');
  }
}

test.each([
  ['Gonic', gonic, 'gonic'],
  ['Airsonic', airsonic, 'other'],
  ['Jellyfin', jellyfin, 'other'],
] as const)('%s has its tracks listed in their order, and played', async (_name, manner, named) => {
  fake = await startFakeSubsonic({ file });
  fake.answer = (call, response) => {
    const isUsual = call.method === 'stream' && manner !== jellyfin;
    if (!isUsual) manner(call, response);
    return !isUsual;
  };
  const world = await openSocketWorld({ env: accountOf() });
  const guest = await world.arrive('Mara');
  const room = await world.room(guest, 'audio');
  const { groups } = valueOf(await guest.ask('library/groups', { ...room, by: 'album', from: 0 }));
  const album = groups.find(({ name }) => name === 'Album 0')?.id ?? '';
  const view = { type: 'group', by: 'album', id: album } as const;
  const { tracks } = valueOf(await guest.ask('library/tracks', { ...room, view, from: 0 }));
  expect(tracks.map(({ name, durationSeconds, server }) => [name, durationSeconds, server])).toEqual([
    ['Song number 0', 180, named],
    ['Song number 1', 181, named],
    ['Song number 2', 182, named],
  ]);
  const visitor = world.app.visitor();
  visitor.setCookie(guest.cookie);
  const id = tracks[1]?.videoId ?? '';
  const part = await visitor.fetch(`/media/${id}`, { headers: { range: 'bytes=100-199' } });
  expect([part.status, Buffer.from(await part.arrayBuffer()).equals(file.subarray(100, 200))]).toEqual([206, true]);
  if (manner === jellyfin) expect((await visitor.fetch(`/media/${id}/cover`)).status).toBe(404);
});

test('a server that answers every ping still stops the start where the password is wrong (SONIC-3)', async () => {
  fake = await startFakeSubsonic();
  fake.answer = ({ method }, response) => {
    if (method === 'ping') sendSubsonic(response, {}, '1.12.0');
    else sendSubsonicError(response, 40);
    return true;
  };
  const failure: unknown = await openSocketWorld({ env: accountOf('wrong') }).catch((error: unknown) => error);
  expect(startFailureLine(failure, readConfig(accountOf('wrong')))).toMatch(/does not accept the account/);
});

test('one that answers nothing holds up the start for five seconds at most', async () => {
  await using data = await makeTempDir('silent');
  fake = await startFakeSubsonic();
  fake.answer = () => true;
  const account = { url: fake.url, user, password, token: null };
  const copies = { of: () => null, forget: () => undefined, want: () => undefined };
  const log = createLog('silent');
  const database = openDatabase(`sqlite:${data.path}/tunemate.sqlite`);
  await migrate(database);
  onTestFinished(() => database.close());
  const parts = { db: database.db, clock: createFakeClock(), log, copies, changed: () => undefined };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // Other files of this process would go on without timers.
  onTestFinished(() => void vi.useRealTimers());
  const opening = openSubsonic({ subsonic: account, ...parts });
  // That of the request, and that of the start.
  await vi.waitUntil(() => vi.getTimerCount() === 2, { timeout: limits.node.poll });
  vi.advanceTimersByTime(5000);
  vi.useRealTimers();
  const opened = await opening;
  expect(opened?.isListed()).toBe(false);
  opened?.close();
});
