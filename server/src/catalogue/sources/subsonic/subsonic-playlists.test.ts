/** Playlists of the music server: those that are public, asked for again after ten minutes, of a server that fails too. */
import {
  fakeAccount,
  type FakePlaylist,
  fakeSong,
  type FakeSubsonic,
  sendSubsonic,
  sendSubsonicError,
  startFakeSubsonic,
} from '@tunemate/testkit/fakes/fake-subsonic';
import { expect, onTestFinished, test } from 'vitest';
import type { LibraryItem } from '../../library/library-item.ts';
import { subsonicClient } from './subsonic-client.ts';
import { songReader } from './subsonic-items.ts';
import { subsonicPlaylists } from './subsonic-playlists.ts';

const read = songReader();
const idOf = (index: number) => (read(fakeSong(index)) as LibraryItem).id;

async function open(of: readonly FakePlaylist[] = []) {
  const fake = await startFakeSubsonic({ playlists: of });
  onTestFinished(() => fake.close());
  const clock = { nowMs: 0 };
  const { user, password } = fakeAccount;
  const client = subsonicClient({ url: fake.url, user, password, token: null });
  return { fake, clock, playlists: subsonicPlaylists(client, () => clock.nowMs) };
}
const asked = ({ calls }: FakeSubsonic) => calls.map(({ method }) => method);
const list = (id: string, name: string, songs: readonly number[], isPublic = true): FakePlaylist => ({
  ...{ id, name, owner: 'mara', isPublic, songs },
});
const failing: FakeSubsonic['answer'] = (_call, response) => (sendSubsonicError(response, 0), true);

test('those that are public are listed with their tracks in order, and asked for again after ten minutes', async () => {
  const { fake, clock, playlists } = await open([
    list('pl-1', 'Kitchen,\u0007 Sundays', [3, 1, 3]),
    list('pl-2', 'My diary', [5], false),
    list('pl-3', '', []),
  ]);
  const expected = [
    { id: 'pl-1', name: 'Kitchen, Sundays', owner: 'mara', tracks: [3, 1, 3].map(idOf) },
    { id: 'pl-3', name: 'Untitled', owner: 'mara', tracks: [] },
  ];
  // A list does not wait long for them.
  await expect.poll(playlists).toEqual(expected);
  expect(await playlists()).toEqual(expected);
  expect(asked(fake)).toEqual(['getPlaylists', 'getPlaylist', 'getPlaylist']);
  clock.nowMs = 11 * 60_000;
  fake.answer = failing;
  // What it had stays while it fails.
  expect(await playlists()).toEqual(expected);
  await expect.poll(() => asked(fake)).toHaveLength(4);
});

test('one that fails says nothing of the others', async () => {
  const ids = ['pl-1', 'pl-2', 'pl-3', 'pl-4'];
  const { fake, clock, playlists } = await open(ids.map((id, at) => list(id, id, [at])));
  const names = async () => (await playlists()).map(({ name, tracks }) => [name, tracks.length]);
  const odd = (id: string, response: Parameters<FakeSubsonic['answer']>[1]): boolean => {
    if (id === 'pl-2') sendSubsonicError(response, 70, 'playlist not found');
    else if (id === 'pl-3') sendSubsonicError(response, 50, 'You are not authorized');
    // More than an answer may have, as of a playlist of all that there is.
    else if (id === 'pl-4') sendSubsonic(response, { playlist: { entry: [{ title: 'x'.repeat(9_000_000) }] } });
    else return false;
    return true;
  };
  fake.answer = ({ parameters }, response) => odd(parameters['id'] ?? '', response);
  await expect.poll(names).toEqual([['pl-1', 1]]);
  fake.answer = () => false;
  clock.nowMs += 11 * 60_000;
  await expect.poll(names).toEqual(ids.map((id) => [id, 1]));
  // One that was read before is as it was then, unless it is gone.
  fake.answer = ({ parameters }, response) => odd(parameters['id'] ?? '', response);
  clock.nowMs += 11 * 60_000;
  await expect.poll(names).toEqual([
    ['pl-1', 1],
    ['pl-4', 1],
  ]);
});

test('of a server that fails they are asked for again after half a minute', async () => {
  const { fake, clock, playlists } = await open([list('pl-1', 'Kitchen', [1])]);
  fake.answer = failing;
  expect(await playlists()).toEqual([]);
  await expect.poll(() => asked(fake)).toHaveLength(1);
  fake.answer = () => false;
  expect(await playlists()).toEqual([]);
  clock.nowMs = 31_000;
  await expect.poll(playlists).toHaveLength(1);
});

test.each([
  ['Supysonic, of another person', { name: '[mara] Kitchen', owner: 'mara', public: true }, ['Kitchen', 'mara']],
  ['Supysonic, of the account', { name: '[mara] Kitchen', owner: 'ivo', public: true }, ['[mara] Kitchen', 'ivo']],
  ['Funkwhale', { id: 7, name: 'Kitchen', owner: 'mara', public: 'true' }, ['Kitchen', 'mara']],
  ['a server that makes JSON of XML', { name: 1984, public: 'true' }, ['1984', null]],
])('what %s says of one is read as what it means', async (_server, said, expected) => {
  const { fake, playlists } = await open();
  fake.answer = ({ method }, response) => {
    const playlist = { id: 'pl-1', ...said };
    const whole =
      method === 'getPlaylists' ? { playlists: { playlist } } : { playlist: { ...playlist, entry: fakeSong(3) } };
    return (sendSubsonic(response, whole), true);
  };
  const shown = async () => (await playlists()).map(({ name, owner, tracks }) => [name, owner, ...tracks]);
  await expect.poll(shown).toEqual([[...expected, idOf(3)]]);
});

test('a server that does not know the call, or answers something else, has none', async () => {
  for (const playlists of [undefined, null, 7, { playlist: 'x' }, { playlist: [{ id: {}, public: 'true' }, 'x'] }]) {
    const { fake, ...opened } = await open();
    fake.answer = (_call, response) => (sendSubsonic(response, { playlists }), true);
    expect(await opened.playlists()).toEqual([]);
  }
});
