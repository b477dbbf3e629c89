/** What the music server says of taste, and one that does not know the calls, is slow or lies. */
import {
  fakeAccount,
  fakeSong,
  type FakeSubsonic,
  sendSubsonic,
  startFakeSubsonic,
} from '@tunemate/testkit/fakes/fake-subsonic';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LibraryItem } from '../../library/library-item.ts';
import { subsonicClient } from './subsonic-client.ts';
import { songReader } from './subsonic-items.ts';
import { subsonicTaste } from './subsonic-taste.ts';

let fake: FakeSubsonic;
let nowMs = 0;
const read = songReader();
const song = (index: number) => read(fakeSong(index)) as LibraryItem;
const asked = () => fake.calls.map(({ method }) => method);

beforeEach(async () => {
  fake = await startFakeSubsonic({});
  nowMs = 0;
});
afterEach(() => fake.close());

function open() {
  const { user, password } = fakeAccount;
  return subsonicTaste(subsonicClient({ url: fake.url, user, password, token: null }), () => nowMs);
}

test('similar tracks and the best known of the artist are asked for once an hour, favourites every ten minutes', async () => {
  fake.answer = ({ method }, response) => {
    const songs: Record<string, object> = {
      getSimilarSongs2: { similarSongs2: { song: [fakeSong(2), fakeSong(3)] } },
      getTopSongs: { topSongs: { song: [fakeSong(3), fakeSong(4)] } },
      getStarred2: { starred2: { song: [fakeSong(5)] } },
    };
    const found = songs[method];
    if (found !== undefined) sendSubsonic(response, found);
    return found !== undefined;
  };
  const taste = open();
  expect(await taste.similarTo(song(1))).toEqual([2, 3, 4].map((index) => song(index).id));
  expect(await taste.favourites()).toEqual(new Set([song(5).id]));
  await Promise.all([taste.similarTo(song(1)), taste.favourites()]);
  expect(asked()).toEqual(['getOpenSubsonicExtensions', 'getSimilarSongs2', 'getTopSongs', 'getStarred2']);
  nowMs = 11 * 60_000;
  await Promise.all([taste.similarTo(song(1)), taste.favourites()]);
  expect(asked()).toHaveLength(5);
});

test('what sounds alike comes first where the server knows the extension for that, which is asked for once', async () => {
  fake.answer = ({ method }, response) => {
    const answers: Record<string, object> = {
      getOpenSubsonicExtensions: { openSubsonicExtensions: [{ name: 'sonicSimilarity', versions: [1] }] },
      getSonicSimilarTracks: {
        sonicMatch: [
          { entry: fakeSong(7), similarity: 0.9 },
          { similarity: 0.8 },
          { entry: fakeSong(2), similarity: 0 },
        ],
      },
      getSimilarSongs2: { similarSongs2: { song: [fakeSong(2), fakeSong(3)] } },
    };
    const found = answers[method];
    if (found !== undefined) sendSubsonic(response, found);
    return found !== undefined;
  };
  const taste = open();
  expect(await taste.similarTo(song(1))).toEqual([7, 2, 3].map((index) => song(index).id));
  await taste.similarTo(song(4));
  expect(asked().filter((method) => method === 'getOpenSubsonicExtensions')).toHaveLength(1);
});

test('a server that makes lists of XML names one track without a list', async () => {
  fake.answer = ({ method }, response) => {
    if (method !== 'getStarred2') return false;
    sendSubsonic(response, { starred2: { song: fakeSong(5) } });
    return true;
  };
  expect(await open().favourites()).toEqual(new Set([song(5).id]));
});

test.each([
  ['does not know the calls', {}],
  ['answers something else', { similarSongs2: { song: 'all' }, topSongs: [], starred2: { song: [null, { id: {} }] } }],
])('a server that %s says nothing', async (_name, answer) => {
  fake.answer = (_call, response) => {
    if (Object.keys(answer).length === 0) return false;
    sendSubsonic(response, answer);
    return true;
  };
  const taste = open();
  expect(await taste.similarTo(song(1))).toEqual([]);
  expect(await taste.favourites()).toEqual(new Set());
});
