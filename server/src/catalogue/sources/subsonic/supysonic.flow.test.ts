/** A real music server, Supysonic, as a source of the whole server: browsing, searching, playing, and its bad days. */
import { execFile } from 'node:child_process';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { valueOf } from '@tunemate/testkit/answers';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { startSupysonic, type TestSupysonic } from '@tunemate/testkit/services/programs/supysonic';
import { openSocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { readConfig } from '../../../config.ts';
import { startFailureLine } from '../../../system/start-failure.ts';

const run = promisify(execFile);
const track = (file: string, title: string, artist: string, number: number) => ({
  ...{ file, title, artist, number, seconds: 12 },
  album: `Best of ${artist}`,
});
const tracks = [
  track('Ada Byrd/Best/01.flac', 'Night Ferry', 'Ada Byrd', 1),
  track('Ada Byrd/Best/02.mp3', 'Morning Ferry', 'Ada Byrd', 2),
  track('Zora Quill/03.mp3', 'Last Bus', 'Zora Quill', 3),
  { ...track('Zora Quill/04.flac', 'Bus', 'Zora Quill', 4), lyrics: '[00:01.50]Wait for it\n[00:04.00]<b>Here</b>' },
];

async function openRoom(env: TestSupysonic['env']) {
  const world = await openSocketWorld({ env });
  const guest = await world.arrive('Mara');
  const room = await world.room(guest, 'audio');
  return {
    world,
    guest,
    room,
    find: async (query: string) => valueOf(await guest.ask('catalogue/search', { ...room, query })).items,
    fetch: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`http://127.0.0.1:${String(world.app.app.port)}${path}`, {
        method,
        headers: { cookie: guest.cookie, 'sec-fetch-site': 'same-origin', ...headers },
      }),
  };
}

const group = async (
  tab: Tab,
  room: { kind: 'audio' | 'video'; code: string },
  by: 'artist' | 'album' | 'folder' | 'playlist',
) => valueOf(await tab.ask('library/groups', { ...room, by, from: 0 })).groups;

describeWithService(
  'Supysonic',
  () => startSupysonic(tracks),
  (supysonic) => {
    test('its tracks stand beside the library: by artist, album and folder, the newest, and found by words (SONIC-1)', async () => {
      const { world, guest, room, find } = await openRoom(supysonic.env);
      const artists = await group(guest, room, 'artist');
      expect(artists.map(({ name }) => name)).toEqual([
        'Ada Byrd',
        'Bartholomew Band',
        'Cold Harbour Duo',
        'Harbour Sessions',
        'Lena Vogt Septet',
        'Zora Quill',
      ]);
      expect((await group(guest, room, 'album')).map(({ name }) => name)).toEqual([
        'Best of Ada Byrd',
        'Best of Zora Quill',
      ]);
      expect((await group(guest, room, 'folder')).map(({ name }) => name)).toEqual([
        null,
        'Ada Byrd/Best',
        'Zora Quill',
      ]);
      const view = { type: 'group', by: 'artist', id: artists[0]?.id ?? '' } as const;
      const listed = valueOf(await guest.ask('library/tracks', { ...room, view, from: 0 }));
      expect(listed.tracks.map(({ name }) => name)).toEqual(['Night Ferry', 'Morning Ferry']);
      expect((await find('ferry byrd night')).map(({ title }) => title)).toEqual(['Night Ferry – Ada Byrd']);
      const newest = valueOf(await guest.ask('library/tracks', { ...room, view: { type: 'newest' }, from: 0 }));
      expect(newest.tracks.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['Night Ferry', 'Morning Ferry', 'Last Bus', 'Bus']),
      );
      await world.close();
    });

    test('a track passes through our own address, whole and in exact ranges, typed by us (SONIC-2)', async () => {
      const { world, find, fetch: get } = await openRoom(supysonic.env);
      const file = await readFile(join(supysonic.folder, 'Ada Byrd/Best/01.flac'));
      const url = `/media/${(await find('night ferry'))[0]?.videoId ?? ''}`;
      const whole = await get(url);
      expect(whole.status).toBe(200);
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-type': 'audio/flac',
        'content-length': String(file.length),
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
      });
      expect(Buffer.from(await whole.arrayBuffer()).equals(file)).toBe(true);
      for (const [range, first, last] of [
        ['bytes=1000-1999', 1000, 1999],
        ['bytes=70000-', 70_000, file.length - 1],
        ['bytes=-500', file.length - 500, file.length - 1],
      ] as const) {
        const part = await get(url, { range });
        expect([part.status, part.headers.get('content-range')]).toEqual([
          206,
          `bytes ${String(first)}-${String(last)}/${String(file.length)}`,
        ]);
        expect(Buffer.from(await part.arrayBuffer()).equals(file.subarray(first, last + 1)), range).toBe(true);
      }
      const head = await get(url, {}, 'HEAD');
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'audio/flac']);
      expect((await get(url, { range: `bytes=${String(file.length)}-` })).status).toBe(416);
      const etag = whole.headers.get('etag') ?? '';
      expect((await get(url, { 'if-none-match': etag })).status).toBe(304);
      await world.close();
    });

    test('its covers come by our own address, and a file that is no picture is none (SONIC-2)', async () => {
      const [good, bad] = ['Ada Byrd/Best/cover.jpg', 'Zora Quill/cover.jpg'].map((each) =>
        join(supysonic.folder, each),
      );
      await run('ffmpeg', ['-y', '-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1', good ?? '']);
      await writeFile(bad ?? '', '<script>alert(1)</script>');
      await supysonic.scan();
      const { world, find, fetch: get } = await openRoom(supysonic.env);
      const coverOf = async (words: string) => await get(`/media/${(await find(words))[0]?.videoId ?? ''}/cover`);
      const cover = await coverOf('night ferry');
      expect([cover.status, cover.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(Buffer.from(await cover.arrayBuffer()).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
      expect((await coverOf('last bus')).status).toBe(404);
      await Promise.all([good, bad].map((each) => rm(each ?? '')));
      await supysonic.scan();
      await world.close();
    });

    test('a track of which it does not say how loud it is is measured once it has begun to play', async () => {
      const { world, guest, room, find, fetch: get } = await openRoom(supysonic.env);
      const videoId = (await find('night ferry'))[0]?.videoId ?? ('' as never);
      const loudness = async () => valueOf(await guest.ask('library/loudness', { ...room, videoId })).track;
      expect(await loudness()).toBeNull();
      await (await get(`/media/${videoId}`)).arrayBuffer();
      await expect.poll(loudness).toBeLessThan(0);
      await world.close();
    });

    test('a track that browsers seek inexactly is copied once it has begun to play', async () => {
      const { world, find, fetch: get } = await openRoom(supysonic.env);
      const url = `/media/${(await find('morning ferry'))[0]?.videoId ?? ''}`;
      const first = await get(url);
      expect(first.headers.get('content-type')).toBe('audio/mpeg');
      await first.arrayBuffer();
      await expect.poll(async () => (await get(url, {}, 'HEAD')).headers.get('content-type')).toBe('audio/mp4');
      // Nothing unfinished is left.
      expect(await readdir(join(world.app.dataDir, 'subsonic-copies'))).toHaveLength(1);
      await world.close();
    });

    test('words come from its tags or from the file beside a track, each of its own track', async () => {
      await writeFile(join(supysonic.folder, 'Ada Byrd/Best/01.txt'), 'Over the water\n\nagain');
      const { world, guest, room, find } = await openRoom(supysonic.env);
      const words = async (title: string) => {
        const item = (await find(title)).find((each) => each.title.startsWith(title));
        return valueOf(await guest.ask('library/lyrics', { ...room, videoId: item?.videoId ?? '' })).lyrics;
      };
      expect(await words('Bus')).toEqual({
        type: 'timed',
        lines: [
          { atSeconds: 1.5, text: 'Wait for it' },
          { atSeconds: 4, text: '<b>Here</b>' },
        ],
      });
      expect(await words('Night Ferry')).toEqual({ type: 'plain', lines: ['Over the water', '', 'again'] });
      await rm(join(supysonic.folder, 'Ada Byrd/Best/01.txt'));
      await world.close();
    });

    test('its public playlists stand there with their owner, in their order and without what is gone', async () => {
      interface Said {
        searchResult3: { song: { id: string; title: string }[] };
        playlists: { playlist: { id: string; name: string }[] };
      }
      const ask = async (user: string, method: string, parameters: Parameters<TestSupysonic['ask']>[2] = {}) =>
        (await supysonic.ask(user, method, parameters)) as Said;
      const { song: songs } = (await ask('mara', 'search3', { query: '', songCount: '10' })).searchResult3;
      const idsOf = (...titles: string[]) =>
        titles.map((title) => songs.find((each) => each.title === title)?.id ?? title);
      const make = async (user: string, name: string, isPublic: boolean, ...titles: string[]) => {
        await ask(user, 'createPlaylist', { name, songId: idsOf(...titles) });
        const made = (await ask(user, 'getPlaylists')).playlists.playlist.find((each) => each.name === name);
        await ask(user, 'updatePlaylist', { playlistId: made?.id ?? '', public: String(isPublic) });
      };
      await make('mara', 'Sundays', true, 'Last Bus', 'Night Ferry', 'Bus', 'Night Ferry');
      await make('mara', 'Diary', false, 'Bus');
      await make('tunemate', 'Ferries', true, 'Night Ferry', 'Morning Ferry');
      await make('tunemate', 'Own', false, 'Bus');
      await make('tunemate', 'Nothing', true);
      const shown = async ({ guest, room }: Awaited<ReturnType<typeof openRoom>>) => {
        // A list does not wait long for them.
        await expect.poll(async () => (await group(guest, room, 'playlist')).length).toBeGreaterThan(1);
        const found = await group(guest, room, 'playlist');
        const tracksOf = async (id: string) => {
          const view = { type: 'group', by: 'playlist', id } as const;
          return valueOf(await guest.ask('library/tracks', { ...room, view, from: 0 })).tracks.map(({ name }) => name);
        };
        return await Promise.all(found.map(async ({ id, name, artist }) => [name, artist, await tracksOf(id)]));
      };
      const before = await openRoom(supysonic.env);
      const ferries = ['Ferries', 'tunemate', ['Night Ferry', 'Morning Ferry']];
      expect(await shown(before)).toEqual([
        ferries,
        ['Sundays', 'mara', ['Last Bus', 'Night Ferry', 'Bus', 'Night Ferry']],
      ]);
      await before.world.close();
      const [from, to] = [join(supysonic.folder, 'Zora Quill/03.mp3'), join(supysonic.folder, '../03.mp3')];
      await rename(from, to);
      await supysonic.scan();
      const after = await openRoom(supysonic.env);
      expect(await shown(after)).toEqual([ferries, ['Sundays', 'mara', ['Night Ferry', 'Bus', 'Night Ferry']]]);
      await after.world.close();
      await rename(to, from);
      await supysonic.scan();
    });

    test('its address and its account are in no answer, also while it is away (SONIC-3)', async () => {
      const { world, guest, room, find, fetch: get } = await openRoom(supysonic.env);
      const said: string[] = [];
      const note = async (answer: Response) => {
        const body = answer.headers.get('content-type')?.startsWith('audio/') === true ? '' : await answer.text();
        await answer.body?.cancel().catch(() => undefined);
        said.push(JSON.stringify([...answer.headers]), body);
      };
      const found = await find('ferry');
      const url = `/media/${found[0]?.videoId ?? ''}`;
      const asked = { ...room, videoId: found[0]?.videoId ?? ('' as never) };
      const all = { ...room, view: { type: 'newest' }, from: 0 } as const;
      said.push(JSON.stringify([found, guest.snapshot, await guest.ask('library/tracks', all)]));
      for (const by of ['artist', 'album', 'folder'] as const) said.push(JSON.stringify(await group(guest, room, by)));
      for (const request of ['library/lyrics', 'library/loudness'] as const) {
        said.push(JSON.stringify(await guest.ask(request, asked)));
      }
      const everything = async () => {
        for (const path of [url, `${url}/cover`, `${url}?even=-80`, `${url}/subtitles/x`]) await note(await get(path));
      };
      await everything();
      await supysonic.kill();
      await everything();
      await supysonic.restart();
      const { SUBSONIC_URL: address, SUBSONIC_PASSWORD: password } = supysonic.env;
      expect(said.join('\n')).toContain('Night Ferry');
      for (const secret of [new URL(address).host, password, 'open sesame', encodeURIComponent(password)]) {
        expect(said.join('\n')).not.toContain(secret);
      }
      await world.close();
    });

    test('a deleted track is not found, and the others go on (SONIC-4)', async () => {
      const { world, find, fetch: get } = await openRoom(supysonic.env);
      const [item] = await find('last bus');
      const [from, to] = [join(supysonic.folder, 'Zora Quill/03.mp3'), join(supysonic.folder, '../03.mp3')];
      await rename(from, to);
      await supysonic.scan();
      expect((await get(`/media/${item?.videoId ?? ''}`)).status).toBe(404);
      expect(await find('last bus')).toEqual([]);
      expect(await find('night ferry')).toHaveLength(1);
      await rename(to, from);
      await supysonic.scan();
      await world.close();
    });

    test('a server that is away is said to be unavailable, in time, and plays again when it is back (SONIC-4)', async () => {
      const { world, find, fetch: get } = await openRoom(supysonic.env);
      const url = `/media/${(await find('night ferry'))[0]?.videoId ?? ''}`;
      await supysonic.kill();
      expect((await get(url)).status).toBe(503);
      expect(await find('night ferry')).toHaveLength(1);
      await supysonic.restart();
      expect((await get(url)).status).toBe(200);
      expect(world.app.log.map(({ event }) => event)).toEqual(
        expect.arrayContaining(['catalogue.subsonic-failed', 'catalogue.subsonic-back']),
      );
      await world.close();
    });

    test('a changed password is said in the log, without the password (SONIC-3)', async () => {
      const { world, find, fetch: get } = await openRoom(supysonic.env);
      const url = `/media/${(await find('night ferry'))[0]?.videoId ?? ''}`;
      const { SUBSONIC_PASSWORD: password } = supysonic.env;
      await supysonic.setPassword('another one');
      expect((await get(url)).status).toBe(503);
      expect(world.app.log).toContainEqual(
        expect.objectContaining({ fields: expect.objectContaining({ fault: 'password' }) as object }),
      );
      await supysonic.setPassword(password);
      await expect.poll(async () => (await get(url)).status).toBe(200);
      expect(JSON.stringify(world.app.log)).not.toMatch(/open.?sesame|6f70656e/);
      await world.close();
    });

    test('a wrong account or address stops the start with one line (SONIC-3)', async () => {
      const { env } = supysonic;
      for (const [wrong, line] of [
        [{ SUBSONIC_PASSWORD: 'not this' }, /does not accept the account/],
        [{ SUBSONIC_USER: 'nobody' }, /does not accept the account/],
        [{ SUBSONIC_TOKEN: 'a key' }, /accepts no API keys/],
        [{ SUBSONIC_URL: `${env.SUBSONIC_URL}/not/here` }, /no Subsonic server/],
      ] as const) {
        const settings = { ...env, ...wrong };
        const failure: unknown = await openSocketWorld({ env: settings }).catch((error: unknown) => error);
        expect(startFailureLine(failure, readConfig(settings))).toMatch(line);
      }
    });
  },
);
