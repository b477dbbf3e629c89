/** Words of the music server: by the extension, by name, and of a server that lies. */
import { limits, type Lyrics } from '@tunemate/protocol';
import {
  fakeAccount,
  fakeSong,
  type FakeSubsonic,
  type FakeSubsonicOptions,
  sendSubsonic,
  sendSubsonicError,
  startFakeSubsonic,
} from '@tunemate/testkit/fakes/fake-subsonic';
import { afterEach, expect, test } from 'vitest';
import type { LibraryItem } from '../../library/library-item.ts';
import { subsonicClient } from './subsonic-client.ts';
import { songReader } from './subsonic-items.ts';
import { subsonicLyrics } from './subsonic-lyrics.ts';

let fake: FakeSubsonic;
let noted: unknown[] = [];
let nowMs = 0;
afterEach(() => fake.close());

const songs = songReader();
const song = (index: number) => songs(fakeSong(index)) as LibraryItem;

async function open(options: FakeSubsonicOptions = {}, waitMs = 5000) {
  fake = await startFakeSubsonic(options);
  [noted, nowMs] = [[], 0];
  const { user, password } = fakeAccount;
  const account = { url: fake.url, user, password, token: null };
  const client = subsonicClient(account, { answerMs: waitMs, partMs: waitMs, wholeMs: waitMs, refusedMs: 50 });
  const lyrics = subsonicLyrics({
    client,
    library: { note: (error) => void noted.push(error) },
    nowMs: () => nowMs,
    waitMs,
  });
  return (index = 1): Promise<Lyrics | null> => lyrics(song(index));
}
const asked = (method: string) => fake.calls.filter((call) => call.method === method).length;
const structured = (line: readonly object[], more: object = {}) => ({
  ...{ displayArtist: 'A', displayTitle: 'T', lang: 'xxx', synced: true, line },
  ...more,
});

test('with the extension a track’s words come by its id, with their times and by its offset', async () => {
  const timed = structured(
    [
      { start: 0, value: '' },
      { start: 1500, value: 'Over  the\nwater' },
      { start: 62_340, value: '<b>again</b>' },
    ],
    { offset: 500 },
  );
  const plain = structured([{ value: 'Plain' }], { synced: false });
  const words = await open({ lyricsOf: (id) => (id === 'tr-1' ? [plain, timed] : []) });
  expect(await words()).toEqual({
    type: 'timed',
    lines: [
      { atSeconds: 0, text: '' },
      { atSeconds: 1, text: 'Over the water' },
      { atSeconds: 61.84, text: '<b>again</b>' },
    ],
  });
  expect(fake.calls.find(({ method }) => method === 'getLyricsBySongId')?.parameters).toMatchObject({ id: 'tr-1' });
  expect(await words(2)).toBeNull();
  expect(asked('getLyrics')).toBe(0);
});

test('lines without times are plain words, and those of an LRC that the server did not read are timed', async () => {
  const words = await open({
    lyricsOf: (id) => [
      structured([{ value: id === 'tr-1' ? 'One' : '[00:02.00]One' }, { value: '' }, { value: 'Two' }], {
        synced: false,
      }),
    ],
  });
  expect(await words(1)).toEqual({ type: 'plain', lines: ['One', '', 'Two'] });
  expect(await words(2)).toMatchObject({ type: 'timed', lines: [{ atSeconds: 2 }] });
});

test('without the extension they come by artist and title', async () => {
  const words = await open({ wordsOf: (artist, title) => `${artist}\n${title}` });
  expect(await words(1)).toEqual({ type: 'plain', lines: ['Artist 0', 'Song number 1'] });
  expect([asked('getOpenSubsonicExtensions'), asked('getLyricsBySongId'), asked('getLyrics')]).toEqual([1, 0, 1]);
  fake.answer = ({ method }, response) => {
    if (method === 'getLyrics') sendSubsonic(response, { lyrics: { title: 'Song number 25', value: 'Of another' } });
    return method === 'getLyrics';
  };
  expect(await words(2)).toBeNull();
});

test.each([404, 500, 200])('a server that answers %i where it knows no extensions is asked by name', async (status) => {
  const words = await open({ wordsOf: () => 'Words' });
  fake.answer = ({ method }, response) => {
    if (method === 'getOpenSubsonicExtensions' && status !== 500) response.writeHead(status).end('<h1>No</h1>');
    else if (method === 'getOpenSubsonicExtensions') sendSubsonicError(response, 0);
    return method === 'getOpenSubsonicExtensions';
  };
  expect(await words()).toEqual({ type: 'plain', lines: ['Words'] });
});

const one = { start: 1000, value: 'One' };
const plainOne = { type: 'plain', lines: ['One'] };
test.each<[string, object]>([
  ['one object in place of each list', { structuredLyrics: { synced: true, line: one } }],
  ['numbered objects', { structuredLyrics: { 0: { synced: true, line: { 0: one } } } }],
  [
    'numbers and yes as text',
    { structuredLyrics: [{ synced: 'true', offset: '0', line: [{ ...one, start: '1000' }] }] },
  ],
])('words by id are read where they are %s', async (_form, lyricsList) => {
  const words = await open({ lyricsOf: () => [] });
  fake.answer = ({ method }, response) => {
    if (method === 'getOpenSubsonicExtensions')
      sendSubsonic(response, { openSubsonicExtensions: { name: 'songLyrics', versions: 1 } });
    else if (method === 'getLyricsBySongId') sendSubsonic(response, { lyricsList });
    return method !== 'search3';
  };
  expect(await words()).toEqual({ type: 'timed', lines: [{ atSeconds: 1, text: 'One' }] });
});

test.each([
  ['a text alone', 'One'],
  ['a list of one', [{ artist: 'A', value: 'One' }]],
])('words by name are read where they are %s', async (_form, lyrics) => {
  const words = await open();
  fake.answer = ({ method }, response) => {
    if (method === 'getLyrics') sendSubsonic(response, { lyrics });
    return method === 'getLyrics';
  };
  expect(await words()).toEqual(plainOne);
});

test('a server that is not there, or asks for a pause, has no words now, and is asked again for the next person', async () => {
  const words = await open({ wordsOf: () => 'One' }, 5000);
  fake.answer = (_call, response) => {
    response.writeHead(429, { 'retry-after': '1' }).end();
    return true;
  };
  expect(await words()).toBeNull();
  expect(noted).toMatchObject([{ fault: 'busy' }]);
  fake.answer = () => false;
  expect(await words()).toEqual(plainOne);
});

test('all pages of a large room ask it once, and again after a quarter of an hour (SONIC-5)', async () => {
  const words = await open({ lyricsOf: () => [structured([{ start: 1, value: 'x' }])] });
  await Promise.all(Array.from({ length: 50 }, () => words()));
  expect([asked('getLyricsBySongId'), asked('getOpenSubsonicExtensions')]).toEqual([1, 1]);
  await Promise.all(Array.from({ length: 40 }, (_, at) => words(at)));
  expect(fake.mostAtOnce()).toBeLessThanOrEqual(4);
  nowMs += 16 * 60_000;
  await words();
  expect([asked('getLyricsBySongId'), asked('getOpenSubsonicExtensions')]).toEqual([41, 2]);
});

test('a server that is away or refuses its account has no words now, and is asked again for the next person (SONIC-4)', async () => {
  const words = await open({ wordsOf: () => 'Words' });
  fake.answer = (_call, response) => {
    sendSubsonicError(response, 40);
    return true;
  };
  expect(await words()).toBeNull();
  expect(noted).toMatchObject([{ fault: 'password' }]);
  fake.answer = () => false;
  await expect.poll(() => words()).toEqual({ type: 'plain', lines: ['Words'] });
});

test('a server that says nothing holds up no page (SONIC-4)', async () => {
  const words = await open({ wordsOf: () => 'Words' }, 50);
  fake.answer = () => true;
  expect(await Promise.all(Array.from({ length: 20 }, (_, at) => words(at)))).toEqual(
    Array.from({ length: 20 }, () => null),
  );
});

const endless = Array.from({ length: 5000 }, (_, at) => ({
  start: at * 1000,
  value: `Line ${String(at)} ${'x'.repeat(50)}`,
}));

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'words'],
  ['no list', { structuredLyrics: 'words' }],
  [
    'a list of others',
    { structuredLyrics: [null, 1, 'x', [], {}, { synced: 'yes', line: [] }, { synced: true, line: 'x' }] },
  ],
  ['lines that are none', { structuredLyrics: [structured([{}, { value: 1 }, { start: 1 }, { value: null }])] }],
])('of an answer with %s there are no words (SONIC-5)', async (_what, lyricsList) => {
  const words = await open({ lyricsOf: () => [] });
  fake.answer = ({ method }, response) => {
    if (method === 'getLyricsBySongId') sendSubsonic(response, { lyricsList });
    return method === 'getLyricsBySongId';
  };
  expect(await words()).toBeNull();
});

test('times that are none, and lines without end, are brought into bounds (SONIC-5)', async () => {
  const odd = [
    { start: -5, value: 'Before' },
    { start: 1e300, value: 'Never' },
    { start: '7', value: 'As text' },
    { value: `Long ${'y'.repeat(100_000)}\u202e\u0007` },
  ];
  const words = await open({ lyricsOf: (id) => [structured(id === 'tr-1' ? odd : endless, { offset: 'soon' })] });
  const lines = (await words(1)) as Extract<Lyrics, { type: 'timed' }>;
  for (const { atSeconds, text } of lines.lines) {
    expect(atSeconds).toBeGreaterThanOrEqual(0);
    expect(Number.isFinite(atSeconds)).toBe(true);
    expect(text.length).toBeLessThan(2500);
    expect(text).not.toMatch(/[\u202e\u0007]/u);
  }
  const many = (await words(2)) as Extract<Lyrics, { type: 'timed' }>;
  expect(many.lines.length).toBeLessThanOrEqual(limits.lyricsLines);
});

test('words without end are given up at half a megabyte, and lead nowhere else (SONIC-2, SONIC-5)', async () => {
  const words = await open({ lyricsOf: () => [structured([{ start: 0, value: 'z'.repeat(600_000) }])] });
  expect(await words(1)).toBeNull();
  fake.answer = (_call, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    return true;
  };
  expect(await words(2)).toBeNull();
  await fake.close();
  const more = await open();
  fake.answer = ({ method }, response) => {
    if (method !== 'getLyrics') return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    const send = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.on('drain', send);
    send();
    return true;
  };
  expect(await more(3)).toBeNull();
});
