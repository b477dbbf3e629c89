/** Looking through the library: order and pages of made-up items, and a folder of 5,000 real files. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits, type LibraryGrouping } from '@tunemate/protocol';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filesSource } from '../sources/files/files-source.ts';
import type { Source } from '../sources/source.ts';
import { keptList } from './kept-list.ts';
import { libraryBrowsing } from './library-browsing.ts';
import { type LibraryAlbum, libraryId, type LibraryItem } from './library-item.ts';
import { openMediaLibrary } from './media-library.ts';
import { createLog } from '../../system/logging.ts';

function item(path: string, more: Partial<LibraryItem> = {}): LibraryItem {
  return {
    id: libraryId(path),
    title: path.split('/').at(-1) ?? '',
    artist: null,
    artists: typeof more.artist === 'string' ? [more.artist] : [],
    genres: [],
    album: null,
    folder: path.split('/').slice(0, -1).join('/'),
    modifiedMs: 0,
    kind: 'audio',
    durationSeconds: 90,
    mime: 'audio/mp4',
    streams: null,
    seeksExactly: true,
    playsEverywhere: true,
    path: `/music/${path}`,
    cover: { in: 'nowhere' },
    subtitles: [],
    lyrics: { in: 'nowhere' },
    loudness: { track: null, album: null },
    ...more,
  };
}

const album = (name: string, more: Partial<LibraryAlbum> = {}): LibraryAlbum => ({
  name,
  artist: null,
  year: null,
  place: 0,
  ...more,
});

const files = filesSource();

function browsing(items: readonly LibraryItem[]) {
  const library = { items };
  return {
    library,
    ...libraryBrowsing({
      ...{ list: () => library.items, search: () => Promise.resolve([]), byId: () => null },
      ...{ look: () => undefined, sources: () => [files] as const, sourceOf: () => files, progress: () => null },
    }),
  };
}

const namesOf = (shown: readonly { name: string | null }[]) => shown.map(({ name }) => name ?? '');

/** The tracks of the one group of this name. */
async function tracksOf(
  library: ReturnType<typeof browsing>,
  by: LibraryGrouping,
  name: string | null,
): Promise<string[]> {
  const group = (await library.groups('audio', by, 0)).groups.find((each) => each.name === name);
  const { tracks } = await library.tracks('audio', { type: 'group', by, id: group?.id ?? '' }, 0);
  return tracks.map((track) => track.name);
}

describe('groups', () => {
  test('are sorted as people read, and each first letter names its place', async () => {
    const artists = ['émile', 'Zed', '2 Tone', 'anna', 'Emil', '10cc', 'Çelik'];
    const { groups, letters } = await browsing(artists.map((artist) => item(artist, { artist }))).groups(
      'audio',
      'artist',
      0,
    );
    expect(namesOf(groups)).toEqual(['2 Tone', '10cc', 'anna', 'Çelik', 'Emil', 'émile', 'Zed']);
    expect(letters).toEqual([
      { letter: '#', at: 0 },
      { letter: 'A', at: 2 },
      { letter: 'C', at: 3 },
      { letter: 'E', at: 4 },
      { letter: 'Z', at: 6 },
    ]);
  });

  test('artists written in other cases are one, and files that name none are a group without a name', async () => {
    const { groups } = await browsing([item('a', { artist: 'Ines' }), item('b', { artist: 'INES' }), item('c')]).groups(
      'audio',
      'artist',
      0,
    );
    expect(groups.map(({ name, tracks }) => [name, tracks])).toEqual([
      [null, 1],
      ['Ines', 2],
    ]);
  });

  test('albums of one name are distinguished by their artist or their folder', async () => {
    const library = browsing([
      item('x/1', { artist: 'Ines', album: album('Live', { artist: 'Ines' }) }),
      item('y/1', { artist: 'Otis', album: album('Live', { artist: 'Otis', year: 1999 }) }),
      item('z/1', { artist: 'Anna', album: album('Live') }),
      item('z/2', { artist: 'Theo', album: album('Live') }),
      item('z/3', { artist: 'Theo', album: album('Hits') }),
    ]);
    const { groups } = await library.groups('audio', 'album', 0);
    const seen = groups.map(({ name, artist, year, tracks }) => [name, artist, year, tracks].join(' '));
    expect(seen.toSorted()).toEqual(['Hits Theo  1', 'Live   2', 'Live Ines  1', 'Live Otis 1999 1']);
  });

  test('albums by year come with the newest first, those of one year by name, those without a year last', async () => {
    const made = (name: string, year: number | null) => item(`${name}/1`, { album: album(name, { year }) });
    const library = browsing([made('Low Water', 2021), made('Ash', null), made('Rain', 2024), made('Bell', 2021)]);
    const { groups, letters } = await library.groups('audio', 'album', 0, { order: 'year' });
    expect(namesOf(groups)).toEqual(['Rain', 'Bell', 'Low Water', 'Ash']);
    expect(letters).toEqual([]);
  });

  const albumsIn = async (...items: LibraryItem[]) => {
    const { groups } = await browsing(items).groups('audio', 'album', 0);
    return groups.map(({ name, tracks }) => `${String(name)} ${String(tracks)}`);
  };

  test.each([
    ['CD1', 'CD2'],
    ['Disc 1', 'Disc 2'],
    ['Long Record (CD 1)', 'Long Record (CD 2)'],
    ['Long Record - Disk A', 'Long Record - Disk B'],
    ['CD1of2', 'CD2of2'],
    ['Диск 1', 'Диск 2'],
    ['disc_01 The Early Years', 'disc_02 The Later Years'],
  ])('the discs in %j and %j are one album in their order', async (first, second) => {
    const on = (place: string, number: number) =>
      item(`Ann/Long Record/${place}`, { artist: 'Ann', album: album('Long Record', { place: number }) });
    const tracks = [on(`${second}/c`, 1), on(`${first}/a`, 1), on(`${second}/d`, 2), on(`${first}/b`, 2)];
    expect(await albumsIn(...tracks)).toEqual(['Long Record 4']);
    expect(await tracksOf(browsing(tracks), 'album', 'Long Record')).toEqual(['a', 'b', 'c', 'd']);
  });

  test('discs that their names number are one album, and a number alone is no disc', async () => {
    const by = { artist: 'Ann', year: 1990 };
    expect(
      await albumsIn(
        item('x/1', { album: album('Long Record (Disc 1)', { ...by, place: 1 }) }),
        item('y/1', { album: album('Long Record [CD2]', { ...by, place: 1 }) }),
        item('z/1', { album: album('Disco 2', by) }),
        item('z/2', { album: album('Disco 3', by) }),
      ),
    ).toEqual(['Disco 2 1', 'Disco 3 1', 'Long Record 2']);
  });

  test('two releases of one name are two albums, and what they share once is none', async () => {
    const release = (year: number, folder: string) =>
      [1, 2].map((place) =>
        item(`${folder}/${String(place)}`, { album: album('Ann', { artist: 'Ann', year, place }) }),
      );
    expect(await albumsIn(...release(1994, 'a'), ...release(2001, 'b'))).toEqual(['Ann 2', 'Ann 2']);
    expect(await albumsIn(...release(1994, 'a'), ...release(1994, 'b'))).toEqual(['Ann 2', 'Ann 2']);
    const [one, two] = release(1994, 'a');
    const [, late] = release(2001, 'b');
    expect(await albumsIn(one ?? expect.fail(), late ?? two ?? expect.fail())).toEqual(['Ann 2']);
  });

  test('album artists with guests, and names that differ in punctuation, are one', async () => {
    const by = (artist: string, name: string) => item(name, { artist, album: album(name, { artist }) });
    expect(await albumsIn(by('Ann', 'Here'), by('Ann feat. Ben', 'Here'), by('Ann (ft. Cleo)', 'here'))).toEqual([
      'Here 3',
    ]);
    const names = ['Guns N’ Roses', "Guns N' Roses", "Guns N' Roses", 'Jay‐Z', 'JAY-Z', '!!!', '!!', 'Björk', 'Bjork'];
    const { groups } = await browsing(names.map((artist, at) => item(String(at), { artist }))).groups(
      'audio',
      'artist',
      0,
    );
    expect(groups.map(({ name, tracks }) => `${String(name)} ${String(tracks)}`).toSorted()).toEqual(
      ['!! 1', '!!! 1', 'Bjork 1', 'Björk 1', "Guns N' Roses 3", 'Jay‐Z 2'].toSorted(),
    );
  });

  test.each([
    ['Ines & Ben', 'Ines and Ben'],
    ['Ines + the Owls', 'Ines & The Owls'],
    ['The Owls', 'Owls, The'],
  ])('%j and %j are one artist', async (one, other) => {
    const items = [item('1', { artist: one }), item('2', { artist: one }), item('3', { artist: other })];
    const { groups } = await browsing(items).groups('audio', 'artist', 0);
    expect(groups.map(({ name, tracks }) => [name, tracks])).toEqual([[one, 3]]);
  });

  test('the albums of an artist are those on which they are, also beside others', async () => {
    const { groups } = browsing([
      item('1', { artist: 'Ines', album: album('Velvet Hour') }),
      item('2', { artists: ['Ines', 'Ada'], album: album('Both') }),
      item('3', { artist: 'Ada', album: album('Alone') }),
    ]);
    const artists = (await groups('audio', 'artist', 0)).groups;
    const albumsOf = async (name: string) =>
      namesOf((await groups('audio', 'album', 0, { artist: artists.find((each) => each.name === name)?.id })).groups);
    expect(await albumsOf('Ines')).toEqual(['Both', 'Velvet Hour']);
    expect(await albumsOf('Ada')).toEqual(['Alone', 'Both']);
    expect((await groups('audio', 'album', 0, { artist: '0'.repeat(16) })).groups).toEqual([]);
  });

  test('an artist has the number of their albums, and an album its length, unless that of one track is unknown', async () => {
    const { groups } = browsing([
      item('1', { artist: 'Ines', album: album('Low Water', { artist: 'Ines' }) }),
      item('2', { artist: 'INES', album: album('Low Water', { artist: 'Ines' }), durationSeconds: 100.5 }),
      item('3', { artists: ['Ines', 'Ada'], album: album('Both') }),
      item('4', { artists: ['Ines', 'Ada'], album: album('Both'), durationSeconds: null }),
      item('5', { artist: 'Otis' }),
    ]);
    const listed = async (by: LibraryGrouping) =>
      (await groups('audio', by, 0)).groups.map((group) => [group.name, group.albums, group.durationSeconds]);
    expect(await listed('artist')).toEqual([
      ['Ada', 1, null],
      ['Ines', 2, null],
      ['Otis', 0, null],
    ]);
    expect(await listed('album')).toEqual([
      ['Both', null, null],
      ['Low Water', null, 190.5],
    ]);
    expect((await listed('folder')).flat()).toEqual([null, null, null]);
  });

  test('a group shows the cover of one of its files', async () => {
    const withCover = item('b', { artist: 'Ines', cover: { in: 'media' } });
    const { groups } = await browsing([item('a', { artist: 'Ines' }), withCover]).groups('audio', 'artist', 0);
    expect(groups[0]?.thumbnail).toBe(`/media/${withCover.id}/cover`);
  });

  test('a group keeps its id when files are added, and is empty once it is gone', async () => {
    const library = browsing([item('a', { artist: 'Ines' })]);
    const [before] = (await library.groups('audio', 'artist', 0)).groups;
    library.library.items = [
      item('b', { artist: 'Anna' }),
      item('a', { artist: 'Ines' }),
      item('c', { artist: 'ines' }),
    ];
    const after = (await library.groups('audio', 'artist', 0)).groups.find(({ name }) => name === 'Ines');
    expect(after).toMatchObject({ id: before?.id, tracks: 2 });
    library.library.items = [];
    const view = { type: 'group', by: 'artist', id: before?.id ?? '' } as const;
    expect(await library.tracks('audio', view, 0)).toEqual({ total: 0, tracks: [] });
  });
});

test('a track is in each of its genres, however they are spelled; those without one are the last group, unless they are all', async () => {
  const { groups, tracks } = browsing([
    item('1', { artist: 'Otis', genres: ['Jazz', 'Soul'] }),
    item('2', { artist: 'Ines', genres: ['jazz'] }),
    item('3', { artist: 'Ada', genres: ['Jazz'] }),
    item('4', { artist: 'Ada' }),
  ]);
  const listed = (await groups('audio', 'genre', 0)).groups;
  expect(listed.map(({ name, tracks: count, albums }) => [name, count, albums])).toEqual([
    ['Jazz', 3, null],
    ['Soul', 1, null],
    [null, 1, null],
  ]);
  const jazz = { type: 'group', by: 'genre', id: listed[0]?.id ?? '' } as const;
  expect(namesOf((await tracks('audio', jazz, 0)).tracks)).toEqual(['3', '2', '1']);
  const without = await browsing([item('1'), item('2')]).groups('audio', 'genre', 0);
  expect([without.totals.genre, without.groups]).toEqual([0, []]);
});

describe('several sources', () => {
  const cover = { in: 'media' } as const;
  const ofFolder = [item('a', { artist: 'Ines' }), item('film', { kind: 'video' })];
  const ofServer = [1, 2, 3, 4].map((at) =>
    item(`s${String(at)}`, {
      artist: 'Otis',
      album: album(`Album ${String(at)}`),
      cover,
      at: { source: 'attic', id: '', bytes: null },
    }),
  );
  const all = [...ofFolder, ...ofServer];
  const playlist = (id: string, name: string, tracks: readonly LibraryItem[]) => ({
    ...{ id, name, owner: 'mara', tracks: tracks.map((each) => each.id) },
  });
  const playlists = [
    playlist('1', 'Second', ofServer.slice(0, 1)),
    playlist('2', 'First', [...ofServer.toReversed(), item('gone')]),
    playlist('3', 'Gone', [item('gone')]),
    playlist('4', 'Films', ofFolder.slice(1)),
  ];
  const folder = filesSource({ list: () => keptList(ofFolder) });
  const attic: Source = {
    ...filesSource({ list: () => keptList(ofServer) }),
    ...{ name: 'attic', server: () => 'navidrome', playlists: () => Promise.resolve(playlists) },
  };
  const library = libraryBrowsing({
    ...{
      list: () => all,
      search: () => Promise.resolve(all),
      byId: (id) => all.find((each) => each.id === id) ?? null,
    },
    ...{ look: () => undefined, sources: () => [folder, attic] as const, progress: () => null },
    sourceOf: ({ at }) => (at === undefined ? folder : attic),
  });

  test('are named, and each can be looked through alone', async () => {
    const { sources, totals } = await library.groups('audio', 'artist', 0);
    expect(sources).toEqual([
      { name: 'files', server: null },
      { name: 'attic', server: 'navidrome' },
    ]);
    expect([totals.artist, totals.tracks]).toEqual([2, 5]);
    const alone = await library.groups('audio', 'artist', 0, { source: 'attic' });
    expect([namesOf(alone.groups), alone.totals.tracks]).toEqual([['Otis'], 4]);
    const found = async (source?: string) =>
      (await library.tracks('audio', { type: 'search', words: 'x' }, 0, source)).tracks;
    expect((await found()).map(({ server }) => server)).toEqual([null, ...ofServer.map(() => 'navidrome')]);
    expect((await found('attic')).map(({ server }) => server)).toEqual(ofServer.map(() => null));
    expect((await found('files')).length).toBe(1);
    // One that was there is no longer set up.
    expect((await found('cellar')).length).toBe(5);
  });

  test('playlists come by name with what the room plays of them in its order, their owner and four covers', async () => {
    const { groups, totals, letters } = await library.groups('audio', 'playlist', 0);
    expect([totals.playlist, letters]).toEqual([2, []]);
    expect(groups.map(({ name, artist, tracks }) => [name, artist, tracks])).toEqual([
      ['First', 'mara', 4],
      ['Second', 'mara', 1],
    ]);
    expect(groups.map(({ covers }) => covers?.length)).toEqual([4, undefined]);
    const view = { type: 'group', by: 'playlist', id: groups[0]?.id ?? '' } as const;
    expect(namesOf((await library.tracks('audio', view, 0)).tracks)).toEqual(['s4', 's3', 's2', 's1']);
    expect(namesOf((await library.groups('video', 'playlist', 0)).groups)).toEqual(['Films', 'First', 'Second']);
    expect((await library.groups('audio', 'playlist', 0, { source: 'files' })).groups).toEqual([]);
  });
});

describe('tracks', () => {
  const library = browsing([
    item('hour/b', { artist: 'Ines', album: album('Velvet Hour', { year: 2021, place: 10_002 }) }),
    item('hour/a', { artist: 'Ines', album: album('Velvet Hour', { year: 2021, place: 20_001 }) }),
    item('hour/c', { artist: 'Ines', album: album('Velvet Hour', { year: 2021, place: 10_001 }) }),
    item('single', { artist: 'Ines' }),
    item('rain/d', { artist: 'Ines', album: album('Rain', { year: 2019, place: 1 }) }),
  ]);

  test('of an album come disc by disc', async () => {
    expect(await tracksOf(library, 'album', 'Velvet Hour')).toEqual(['c', 'b', 'a']);
  });

  test('of an artist come album by album, the oldest first and those without a year last', async () => {
    expect(await tracksOf(library, 'artist', 'Ines')).toEqual(['d', 'c', 'b', 'a', 'single']);
  });

  test('of a folder come by file name, and the top folder has no name', async () => {
    expect(await tracksOf(library, 'folder', 'hour')).toEqual(['b', 'a', 'c']);
    expect(await tracksOf(library, 'folder', null)).toEqual(['single']);
  });

  test('the newest tracks are the files changed last', async () => {
    const { tracks } = await browsing([
      item('old', { modifiedMs: 1 }),
      item('new', { modifiedMs: 3 }),
      item('middle', { modifiedMs: 2 }),
    ]).tracks('audio', { type: 'newest' }, 0);
    expect(namesOf(tracks)).toEqual(['new', 'middle', 'old']);
  });

  test('a video room begins with the newest films and goes on with the newest tracks', async () => {
    const { tracks } = browsing([
      item('old film', { kind: 'video', modifiedMs: 1 }),
      item('new track', { modifiedMs: 4 }),
      item('new film', { kind: 'video', modifiedMs: 2 }),
      item('old track', { modifiedMs: 3 }),
    ]);
    const shown = async (room: 'audio' | 'video') => (await tracks(room, { type: 'toBegin' }, 0)).tracks;
    expect(namesOf(await shown('video'))).toEqual(['new film', 'old film', 'new track', 'old track']);
    expect((await shown('video')).map(({ isFilm }) => isFilm)).toEqual([true, true, false, false]);
    expect(namesOf(await shown('audio'))).toEqual(['new track', 'old track']);
  });

  test('a track names its artist apart from the title under which it plays', async () => {
    const { tracks } = await browsing([item('Rain', { artist: 'Ines', album: album('Velvet Hour') })]).tracks(
      'audio',
      { type: 'newest' },
      0,
    );
    expect(tracks[0]).toMatchObject({ name: 'Rain', title: 'Rain – Ines', artist: 'Ines', album: 'Velvet Hour' });
  });

  test('an audio room sees no films, in lists, counts and searches', async () => {
    const films = await openMediaLibrary({
      folder: join(import.meta.dirname, '../../../../testkit/media'),
      log: createLog('silent'),
    });
    const { tracks, groups } = libraryBrowsing(films);
    const found = async (room: 'audio' | 'video') =>
      namesOf((await tracks(room, { type: 'search', words: 'film' }, 0)).tracks);
    const newest = async (room: 'audio' | 'video') => (await tracks(room, { type: 'newest' }, 0)).total;
    expect((await found('video')).sort()).toEqual(['A Film', 'Web Film']);
    expect(await found('audio')).toEqual([]);
    expect((await newest('video')) - (await newest('audio'))).toBe(2);
    expect((await groups('audio', 'artist', 0)).totals.tracks).toBe(await newest('audio'));
  });
});

test('pages one after another name everything once, whatever the library contains', async () => {
  const person = fc.constantFrom('Ines', 'Otis', 'Anna', 'ines', null);
  const files = fc.array(fc.record({ artist: person, album: fc.option(fc.constantFrom('Live', 'Hits')) }), {
    minLength: 0,
    maxLength: 3 * limits.libraryPage,
  });
  await fc.assert(
    fc.asyncProperty(files, async (made) => {
      const items = made.map((each, at) =>
        item(`f${String(at % 7)}/${String(at)}`, {
          artist: each.artist,
          album: each.album === null ? null : album(each.album),
        }),
      );
      const { tracks, groups } = browsing(items);
      const pages = await Promise.all(
        [0, 1, 2, 3].map((page) => tracks('audio', { type: 'newest' }, page * limits.libraryPage)),
      );
      const seen = pages.flatMap((page) => page.tracks.map(({ videoId }) => videoId));
      expect(seen.toSorted()).toEqual(items.map(({ id }) => id).toSorted());
      expect(pages.every(({ total }) => total === items.length)).toBe(true);
      for (const by of ['artist', 'folder'] as const) {
        const inGroups = (await groups('audio', by, 0)).groups.reduce((sum, group) => sum + group.tracks, 0);
        expect(inGroups).toBe(items.length);
      }
    }),
    { numRuns: 50 },
  );
});

/** An ID3v2.3 tag with these text frames. */
function id3(frames: Readonly<Record<string, string>>): Buffer {
  const bodies = Object.entries(frames).map(([name, text]) => {
    const value = Buffer.concat([Buffer.from([3]), Buffer.from(text)]);
    const head = Buffer.alloc(10);
    head.write(name);
    head.writeUInt32BE(value.length, 4);
    return Buffer.concat([head, value]);
  });
  const body = Buffer.concat(bodies);
  const size = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f);
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([3, 0, 0, ...size]), body]);
}

test('5,000 files in folders are listed by artist, album and folder', async () => {
  await using dir = await makeTempDir('large-library');
  const tagged = await readFile(join(import.meta.dirname, '../../../../testkit/media/tagged.mp3'));
  const sound = tagged.subarray(10 + tagged.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0));
  for (let artist = 0; artist < 50; artist += 1) {
    for (let record = 0; record < 10; record += 1) {
      const folder = join(dir.path, `artist ${String(artist)}`, `record ${String(record)}`);
      await mkdir(folder, { recursive: true });
      const files = Array.from({ length: 10 }, async (_, at) => {
        const tags = {
          TIT2: `Song ${String(at + 1)}`,
          TPE1: `Artist ${String(artist)}`,
          TALB: `Record ${String(record)}`,
          TYER: String(2000 + record),
          TRCK: String(at + 1),
        };
        await writeFile(join(folder, `${String(at)}.mp3`), Buffer.concat([id3(tags), sound]));
      });
      await Promise.all(files);
    }
  }
  const library = await openMediaLibrary({
    folder: dir.path,
    log: createLog('silent'),
  });
  const { groups, tracks } = libraryBrowsing(library);
  const artists = await groups('audio', 'artist', 0);
  expect(artists.totals).toEqual({ artist: 50, album: 500, genre: 0, playlist: 0, folder: 500, tracks: 5000 });
  const eleventh = artists.groups.find(({ name }) => name === 'Artist 11');
  const ofArtist = await tracks('audio', { type: 'group', by: 'artist', id: eleventh?.id ?? '' }, 0);
  expect(ofArtist.total).toBe(100);
  expect(ofArtist.tracks[10]).toMatchObject({ name: 'Song 1', album: 'Record 1', artist: 'Artist 11' });
});
