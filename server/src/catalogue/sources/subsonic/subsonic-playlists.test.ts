/** Playlists of the music server: those that are public, asked for again after ten minutes, of a server that fails too. */
import {
  fakeAccount,
  fakeSong,
  type FakeSubsonic,
  sendSubsonic,
  sendSubsonicError,
  startFakeSubsonic,
} from '@tunemate/testkit/fakes/fake-subsonic';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LibraryItem } from '../../library/library-item.ts';
import { subsonicClient } from './subsonic-client.ts';
import { songReader } from './subsonic-items.ts';
import { subsonicPlaylists } from './subsonic-playlists.ts';

let fake: FakeSubsonic;
let nowMs = 0;
const read = songReader();
const idOf = (index: number) => (read(fakeSong(index)) as LibraryItem).id;
const asked = () => fake.calls.map(({ method }) => method);

beforeEach(async () => {
  fake = await startFakeSubsonic({});
  nowMs = 0;
});
afterEach(() => fake.close());

function open() {
  const { user, password } = fakeAccount;
  return subsonicPlaylists(subsonicClient({ url: fake.url, user, password, token: null }), () => nowMs);
}

const shared = { id: 'pl-1', name: 'Kitchen,\u0007 Sundays', owner: 'mara', public: true };
const answers = (): Record<string, object> => ({
  getPlaylists: {
    playlists: {
      playlist: [shared, { id: 'pl-2', name: 'My diary', owner: 'tunemate', public: false }, { id: 'pl-3' }, 'broken'],
    },
  },
  getPlaylist: { playlist: { ...shared, entry: [fakeSong(3), { title: 'without an id' }, fakeSong(1), fakeSong(3)] } },
});

test('those that are public are listed with their tracks in order, and asked for again after ten minutes', async () => {
  fake.answer = ({ method }, response) => {
    const said = answers()[method];
    if (said !== undefined) sendSubsonic(response, said);
    return said !== undefined;
  };
  const playlists = open();
  const expected = [{ id: 'pl-1', name: 'Kitchen, Sundays', owner: 'mara', tracks: [3, 1, 3].map(idOf) }];
  expect(await playlists()).toEqual(expected);
  expect(await playlists()).toEqual(expected);
  expect(asked()).toEqual(['getPlaylists', 'getPlaylist']);
  nowMs = 11 * 60_000;
  fake.answer = (_call, response) => {
    sendSubsonicError(response, 0);
    return true;
  };
  // What it had stays while it fails.
  expect(await playlists()).toEqual(expected);
  expect(asked()).toHaveLength(3);
});

test('a server that does not know the call, or answers something else, has none', async () => {
  for (const playlists of [undefined, null, 7, { playlist: 'x' }, { playlist: [{ id: {}, public: 'true' }] }]) {
    fake.answer = (_call, response) => {
      sendSubsonic(response, { playlists });
      return true;
    };
    expect(await open()()).toEqual([]);
  }
});
