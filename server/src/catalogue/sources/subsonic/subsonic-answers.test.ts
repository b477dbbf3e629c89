/** What music servers answer: as the protocol says, and in the forms that servers are known to send. */
import { valueOf } from '@tunemate/testkit/answers';
import {
  fakeAccount,
  type FakeSubsonic,
  fakeSong,
  sendSubsonic,
  startFakeSubsonic,
} from '@tunemate/testkit/fakes/fake-subsonic';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { LibraryItem } from '../../library/library-item.ts';
import { readAnswer } from './subsonic-answers.ts';
import { songReader } from './subsonic-items.ts';

const { user, password } = fakeAccount;
let fake: FakeSubsonic;
let world: Awaited<ReturnType<typeof openSocketWorld>>;
afterEach(async () => {
  await world.close();
  await fake.close();
});

type Answer = Parameters<FakeSubsonic['answer']>[0];
const sendXml = (response: ServerResponse, code: number, status = 200): void =>
  void response
    .writeHead(status, { 'content-type': 'text/xml; charset=utf-8' })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<subsonic-response xmlns="http://subsonic.org/restapi" status="failed" version="1.16.1"><error code="${String(code)}" message="No"/></subsonic-response>`,
    );

async function listed(answer: (call: Answer, response: ServerResponse) => boolean) {
  fake = await startFakeSubsonic({ file: Buffer.alloc(5_000_000) });
  fake.answer = answer;
  world = await openSocketWorld({ env: { SUBSONIC_URL: fake.url, SUBSONIC_USER: user, SUBSONIC_PASSWORD: password } });
  const guest = await world.arrive('Mara');
  const room = await world.room(guest, 'audio');
  const visitor = await world.app.member('Ada');
  return {
    visitor,
    groups: async () => valueOf(await guest.ask('library/groups', { ...room, by: 'album', from: 0 })),
    tracks: async () =>
      valueOf(await guest.ask('library/tracks', { ...room, view: { type: 'search', words: 'song number' }, from: 0 }))
        .tracks,
    events: () => world.app.log.map(({ event }) => event).filter((event) => event.startsWith('catalogue.subsonic')),
  };
}

const one = fakeSong(0);
test.each<[string, object]>([
  ['one object in place of a list (Ampache, Madsonic)', { searchResult3: { song: one } }],
  ['a numbered object (PHP)', { searchResult3: { song: { '0': one } } }],
  ['a part in a list', { searchResult3: [{ song: [one] }] }],
  ['the name of an older list', { searchResult2: { song: [one] } }],
])('a list is read where it is %s', async (_form, answer) => {
  const { tracks } = await listed(({ method, parameters }, response) => {
    if (method !== 'search3') return false;
    sendSubsonic(response, parameters['songOffset'] === '0' ? answer : { searchResult3: '' });
    return true;
  });
  expect((await tracks()).map(({ name }) => name)).toEqual(['Song number 0']);
});

test('albums of one track are read one by one, and one that fails hides no other', async () => {
  const { tracks } = await listed(({ method, parameters }, response) => {
    const isFirst = parameters['offset'] === '0';
    if (method === 'search3') sendSubsonic(response, {});
    else if (method === 'getAlbumList2')
      sendSubsonic(response, { albumList: isFirst ? { album: [{ id: 1 }, { id: 2 }, { id: 3 }] } : '' });
    else if (method === 'getAlbum' && parameters['id'] === '2') sendXml(response, 0);
    else if (method === 'getAlbum') sendSubsonic(response, { album: { song: fakeSong(Number(parameters['id'])) } });
    else return false;
    return true;
  });
  expect((await tracks()).map(({ name }) => name)).toEqual(['Song number 1', 'Song number 3']);
});

test('an album that can not be read for once keeps its tracks, and one that is gone does not', async () => {
  let code: number | null = null;
  const { tracks, groups } = await listed(({ method, parameters }, response) => {
    const isFirst = parameters['offset'] === '0';
    if (method === 'search3') sendSubsonic(response, {});
    else if (method === 'getAlbumList2')
      sendSubsonic(response, { albumList2: isFirst ? { album: [{ id: 1 }, { id: 2 }] } : '' });
    else if (method === 'getAlbum' && parameters['id'] === '2' && code !== null) sendXml(response, code);
    else if (method === 'getAlbum') sendSubsonic(response, { album: { song: fakeSong(Number(parameters['id'])) } });
    else return false;
    return true;
  });
  const reads = () => world.app.log.filter(({ event }) => event === 'catalogue.subsonic-read').length;
  const after = async (said: number) => {
    code = said;
    const before = reads();
    world.app.clock.advance(16 * 60_000);
    // A look at the library reads the list again, behind the answer.
    await groups();
    await expect.poll(reads).toBe(before + 1);
    return (await tracks()).map(({ name }) => name);
  };
  expect(await after(0)).toEqual(['Song number 1', 'Song number 2']);
  const read = world.app.log.findLast(({ event }) => event === 'catalogue.subsonic-read');
  expect(read?.fields).toMatchObject({ skipped: { album: 1 } });
  expect(await after(70)).toEqual(['Song number 1']);
});

test.each<[string, number, number, boolean]>([
  ['one of two libraries', 40, 20, true],
  ['a single album', 200, 190, false],
  ['a few of few', 12, 5, false],
  ['a tenth', 100, 90, true],
])('a list that comes back without %s: %i are %i', async (_what, before, now, isSaid) => {
  let count = before;
  const { groups } = await listed(({ method, parameters }, response) => {
    if (method !== 'search3') return false;
    const songs = Array.from({ length: count }, (_, at) => fakeSong(at)).slice(Number(parameters['songOffset']));
    sendSubsonic(response, { searchResult3: { song: songs } });
    return true;
  });
  count = now;
  world.app.clock.advance(16 * 60_000);
  await groups();
  const read = () => world.app.log.filter(({ event }) => event === 'catalogue.subsonic-read').length;
  await expect.poll(read).toBe(2);
  const said = world.app.log.find(({ event }) => event === 'catalogue.subsonic-fewer');
  expect(said?.fields).toEqual(
    isSaid ? { before, now, advice: expect.stringMatching(/mounted/u) as string } : undefined,
  );
});

test.each<[string, object, string]>([
  ['without an ending', { suffix: undefined, contentType: 'audio/flac' }, 'audio/flac'],
  ['with an empty one', { suffix: '', contentType: 'audio/mpeg; charset=utf-8' }, 'audio/mpeg'],
  ['with all endings of its container', { suffix: 'mov,mp4,m4a,3gp,3g2,mj2', contentType: 'audio/mp4' }, 'audio/mp4'],
  ['with those of a container alone', { suffix: 'mov,mp4,m4a,3gp', contentType: undefined, path: 'a/b' }, 'audio/mp4'],
  ['with a stop before it', { suffix: '.OGG' }, 'audio/ogg'],
  ['with an ending in its path alone', { suffix: undefined, contentType: undefined, path: 'a/b.opus' }, 'audio/ogg'],
  [
    'with a title, an artist and a year of other types',
    { title: 1999, artist: 311, artists: 'x', genres: 'Jazz', year: '1999' },
    'audio/flac',
  ],
])('a song %s is one', (_form, more, mime) => {
  const read = songReader()({ ...one, ...more });
  expect(read).toMatchObject({ mime, kind: 'audio' });
});

const unknown = { track: null, album: null };
test.each<[string, object, object]>([
  [
    '0 for a year and a size that are not known (Ampache, Gonic)',
    { year: 0, size: 0 },
    { album: { year: null }, at: { bytes: null } },
  ],
  ['text for numbers (Jellyfin)', { year: '1999', size: '500' }, { album: { year: 1999 }, at: { bytes: 500 } }],
  [
    'zeros for gains that are not known (older Navidrome)',
    { replayGain: { trackGain: 0, albumGain: 0, trackPeak: 0 } },
    { loudness: unknown },
  ],
  ['no gains (OpenSubsonic)', { replayGain: {} }, { loudness: unknown }],
  [
    'a gain for tracks of which none is known, which is measured instead',
    { replayGain: { trackGain: 0, fallbackGain: -6, baseGain: 2 } },
    { loudness: unknown },
  ],
  [
    'the text of tags for gains',
    { replayGain: { trackGain: '-8.00 dB', albumGain: '-6,5 dB' } },
    { loudness: { track: -10, album: -11.5 } },
  ],
  [
    'the text of tags for a place, a year and a gain',
    { track: '3/12', discNumber: '2/2', year: '1994-05-01', replayGain: { trackGain: '+1.50 dB' } },
    { album: { year: 1994, place: 20_003 }, loudness: { track: -19.5, album: null } },
  ],
  [
    'a gain of 0 beside another',
    { replayGain: { trackGain: 0, albumGain: -2 } },
    { loudness: { track: -18, album: -16 } },
  ],
  ['numbers for ids (Airsonic, Funkwhale)', { id: 7, coverArt: 12 }, { at: { id: '7' }, cover: { id: '12' } }],
  [
    'an empty cover and an empty date (Nextcloud Music)',
    { coverArt: '', created: '' },
    { cover: { in: 'nowhere' }, modifiedMs: 0 },
  ],
])('%s is read as what it means', (_form, more, item) => {
  const read = songReader()({ ...one, ...more }) as LibraryItem;
  const { album, at, loudness, cover, modifiedMs } = read;
  expect({ album, at, loudness, cover, modifiedMs }).toMatchObject(item);
});

test('a format that browsers do not play is none, whatever else is said of it', () => {
  for (const more of [
    { suffix: 'dsf', contentType: 'audio/mpeg' },
    { suffix: 'wma' },
    { suffix: '', contentType: 'video/mp4', path: '' },
  ]) {
    expect(songReader()({ ...one, ...more })).toBe('unsupported');
  }
});

test.each([
  ['{"subsonic-response":{"status":"OK","version":1.16}}', { type: 'answer' }],
  ['\uFEFF{"subsonic-response":{"status":"failed","error":[{"code":"70"}]}}', { type: 'failed', code: 70 }],
  [
    "<s:subsonic-response status='failed'><s:error message='x' code='50' /></s:subsonic-response>",
    { type: 'failed', code: 50 },
  ],
  ['<subsonic-response status="ok"/>', { type: 'other' }],
  ['<html><error code="70"></html>', { type: 'other' }],
  ['nothing', { type: 'other' }],
])('%s is read', (said, answer) => {
  expect(readAnswer(Buffer.from(said))).toMatchObject(answer);
});

test.each<[string, number, (response: ServerResponse) => void]>([
  ['an error in XML', 503, (response) => sendXml(response, 0)],
  ['an error in XML with a status of failure', 503, (response) => sendXml(response, 50, 403)],
  [
    'a page of another program',
    503,
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>no'),
  ],
  ['that it is gone, in XML', 404, (response) => sendXml(response, 70)],
  ['that it is gone, in XML with its status', 404, (response) => sendXml(response, 70, 404)],
  ['nothing (Ampache)', 404, (response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end()],
])('%s in place of a cover is the state of the cover alone', async (_form, status, send) => {
  const { visitor, tracks, events } = await listed(({ method }, response) => {
    if (method !== 'getCoverArt') return false;
    send(response);
    return true;
  });
  const [track] = await tracks();
  expect((await visitor.fetch(track?.thumbnail ?? '')).status).toBe(status);
  const calls = fake.calls.filter(({ method }) => method === 'search3').length;
  expect(await tracks()).toHaveLength(10);
  expect(fake.calls.filter(({ method }) => method === 'search3')).toHaveLength(calls);
  expect(events()).not.toContain('catalogue.subsonic-failed');
});

test.each<[string, (response: ServerResponse) => void]>([
  ['in XML', (response) => sendXml(response, 70)],
  ['by nothing in place of its bytes (Airsonic-Pulse)', (response) => response.writeHead(200).end()],
  [
    'by nothing of a length that is said',
    (response) => response.writeHead(200, { 'content-type': 'audio/flac', 'content-length': 0 }).end(),
  ],
  ['by a page that is not found (Funkwhale)', (response) => response.writeHead(404).end('<title>Not Found')],
])('a track that is gone, said %s, leaves the list at once', async (_form, send) => {
  let isGone = false;
  const { visitor, tracks, events } = await listed(({ method, parameters }, response) => {
    if (!isGone || method !== 'stream' || parameters['id'] !== 'tr-3') return false;
    send(response);
    return true;
  });
  const found = (await tracks()).find(({ name }) => name === 'Song number 3');
  isGone = true;
  expect((await visitor.fetch(`/media/${found?.videoId ?? ''}`)).status).toBe(404);
  expect(await tracks()).toHaveLength(9);
  expect(events()).not.toContain('catalogue.subsonic-failed');
});

test('an account that may not stream is told so, and not that its password is wrong', async () => {
  const { visitor, tracks } = await listed(({ method }, response) => {
    if (method !== 'stream') return false;
    sendXml(response, 50);
    return true;
  });
  const [track] = await tracks();
  for (let times = 0; times < 2; times += 1) {
    expect((await visitor.fetch(`/media/${track?.videoId ?? ''}`)).status).toBe(503);
  }
  const said = world.app.log.filter(({ event }) => event === 'catalogue.subsonic-refused');
  expect(said).toHaveLength(1);
  expect(said[0]?.fields).toMatchObject({
    fault: 'rights',
    advice: expect.stringMatching(/right to stream/u) as string,
  });
  expect(await tracks()).toHaveLength(10);
});

test('a server that comes back without its disk keeps its list, and its tracks are only away', async () => {
  let isEmpty = false;
  const { visitor, tracks, events } = await listed(({ method }, response) => {
    if (!isEmpty) return false;
    if (method === 'search3' || method === 'getAlbumList2') sendSubsonic(response, {});
    else if (method === 'stream') sendXml(response, 70);
    else return false;
    return true;
  });
  const [track] = await tracks();
  isEmpty = true;
  expect((await visitor.fetch(`/media/${track?.videoId ?? ''}`)).status).toBe(503);
  expect(await tracks()).toHaveLength(10);
  expect(events().filter((event) => event === 'catalogue.subsonic-empty')).toHaveLength(1);
  isEmpty = false;
  world.app.clock.advance(30_000);
  await expect.poll(async () => (await visitor.fetch(`/media/${track?.videoId ?? ''}`)).status).toBe(200);
  expect(await tracks()).toHaveLength(10);
});
