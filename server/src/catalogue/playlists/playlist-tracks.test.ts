/** Which tracks the lines of other players mean, and which lines a queue becomes. */
import type { ListedTrack } from '@tunemate/domain';
import type { NamedTrack, RoomKind, VideoId } from '@tunemate/protocol';
import { leastCpuMs, turnsDuring } from '@tunemate/testkit/least-cpu';
import { expect, test } from 'vitest';
import { libraryId, type LibraryItem } from '../library/library-item.ts';
import { mediaLinks } from '../sources/links/media-links.ts';
import { linesOf, nameOfLine, tracksOfLines } from './playlist-tracks.ts';

function file(path: string, title: string, artist: string | null, more: Partial<LibraryItem> = {}): LibraryItem {
  const at = path.lastIndexOf('/');
  return {
    ...{ id: libraryId(path), title, artist, artists: artist === null ? [] : [artist], genres: [], album: null },
    ...{
      folder: path.slice(0, Math.max(at, 0)),
      modifiedMs: 0,
      kind: 'audio',
      durationSeconds: 200,
      mime: 'audio/flac',
    },
    ...{ streams: null, seeksExactly: true, playsEverywhere: true, path: `/music/${path}`, cover: { in: 'nowhere' } },
    ...{ subtitles: [], lyrics: { in: 'nowhere' }, loudness: { track: null, album: null } },
    ...more,
  };
}
const remote = (folder: string, title: string, artist: string, durationSeconds = 200) =>
  file(`${folder}/${title}`, title, artist, {
    path: '',
    durationSeconds,
    at: { source: 'subsonic', id: title, bytes: 1 },
  });

const ferry = file('Ada Byrd/Best/01 Night Ferry.flac', 'Night Ferry', 'Ada Byrd');
const morning = file('Ada Byrd/Best/02.flac', 'Morning Ferry', 'Ada Byrd');
const other = file('Zora Quill/Late/02.flac', 'Last Bus', 'Zora Quill');
const top = file('Hello.mp3', 'Hello', null);
const film = file('Films/Harbour.mp4', 'Harbour', null, { kind: 'video' });
const cafe = remote('Café del Mar/Vol. 1', 'Ocean Drive', 'Café del Mar');
const long = remote('Zora Quill/Live', 'Encore', 'Zora Quill', 900);
const short = remote('Zora Quill/Late', 'Encore', 'Zora Quill', 240);
const items = [ferry, morning, other, top, film, cafe, long, short];
const library = { list: () => items, byId: (id: string) => items.find((item) => item.id === id) ?? null };
const links = mediaLinks(['films.example.org']);
const sources = { library, links };

const line = (place: string, title: string | null = null, seconds: number | null = null): ListedTrack => ({
  ...{ place, title, seconds },
});
async function found(place: string, title?: string, seconds?: number, kind: RoomKind = 'audio') {
  const [track] = await tracksOfLines([line(place, title, seconds)], kind, sources);
  return track === null || track === undefined ? null : track.videoId;
}

test.each<[string, LibraryItem]>([
  ['/home/ada/Music/Ada Byrd/Best/01 Night Ferry.flac', ferry],
  ['C:\\Music\\Ada Byrd\\Best\\01 Night Ferry.mp3', ferry],
  ['file:///home/ada/Ada%20Byrd/Best/01%20Night%20Ferry.flac', ferry],
  ['Ada%20Byrd/Best/01%20Night%20Ferry.flac', ferry],
  ['../Best/./01 NIGHT FERRY.flac', ferry],
  ['../../../../Best/02.flac', morning],
  ['Late/02.flac', other],
  ['Hello.mp3', top],
  ['/somewhere/else/Hello.mp3', top],
  ['01 Night Ferry.flac', ferry],
])('%s is found by the end of its path', async (place, item) => {
  expect(await found(place)).toBe(item.id);
});

test.each([
  ['another folder/02.flac', null],
  ['/02.flac', null],
  ['02.flac', null],
  ['Films/Harbour.mp4', null],
  ['/etc/passwd', null],
  ['../../../../../../etc/shadow', null],
  ['..', null],
  ['%2e%2e%2f%2e%2e%2fetc%2fpasswd', null],
  ['%E0%A4%A', null],
])('%s means no track', async (place, expected) => {
  expect(await found(place)).toBe(expected);
});

test('a file name that is in many folders means the track that the list names', async () => {
  expect(await found('x/02.flac', 'Ada Byrd - Morning Ferry')).toBe(morning.id);
  expect(await found('02.flac', 'Zora Quill - Last Bus')).toBe(other.id);
  expect(await found('Hello.mp3', 'Ada Byrd - Night Ferry')).toBe(ferry.id);
  expect(await found('Hello.mp3', 'Somebody - Something')).toBeNull();
});

test.each([
  ['/x/y.mp3', 'Ada Byrd - Night Ferry'],
  ['/x/y.mp3', 'ADA BYRD – night  ferry!'],
  ['/x/y.mp3', 'Night Ferry - Ada Byrd'],
  ['/Ada Byrd/y.mp3', 'Night Ferry'],
  ['/x/03 - Ada Byrd - Night Ferry.mp3', null],
  ['/Ada Byrd/Another album/1-03 Night Ferry.mp3', null],
])('%s, said to be %s, is found by artist and title', async (place, title) => {
  expect(await found(place, title ?? undefined)).toBe(ferry.id);
});

test('tracks of a music server are found by name, accents or not, and of several the one of that length', async () => {
  expect(await found('/x.mp3', 'Cafe del mar - Ocean Drive')).toBe(cafe.id);
  expect(await found('/music/Café del Mar/Vol. 1/04 - Ocean Drive.flac')).toBe(cafe.id);
  expect(await found('/x.mp3', 'Zora Quill - Encore', 880)).toBe(long.id);
  expect(await found('/x.mp3', 'Zora Quill - Encore', 230)).toBe(short.id);
});

test('a title alone means nothing', async () => {
  expect(await found('/x/y.mp3', 'Night Ferry')).toBeNull();
});

test('films and links to them are for video rooms', async () => {
  expect(await found('Films/Harbour.mp4', undefined, undefined, 'video')).toBe(film.id);
  const link = 'https://films.example.org/one.mp4';
  expect(await found(link, 'One', 60, 'video')).toBe(`link:${link}`);
  expect(await found(link, 'One', 60, 'audio')).toBeNull();
  for (const place of [
    'https://evil.example.org/one.mp4',
    'http://127.0.0.1/one.mp4',
    'https://films.example.org:8443/one.mp4',
  ])
    expect(await found(place, 'One', 60, 'video')).toBeNull();
});

test('an address of a video is that video, titled as the list says', async () => {
  const [track] = await tracksOfLines(
    [line('https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42', '<b>Never</b>\u202e', 213)],
    'audio',
    sources,
  );
  expect(track).toEqual({ videoId: 'dQw4w9WgXcQ', title: '<b>Never</b>', durationSeconds: 213, startSeconds: 42 });
  expect(await found('https://www.youtube.com/playlist?list=PL1234')).toBeNull();
  expect(await found('dQw4w9WgXcQ')).toBeNull();
  expect(await found('https://evil.example/?u=https://youtu.be/dQw4w9WgXcQ')).toBeNull();
  const [endless] = await tracksOfLines([line('youtu.be/dQw4w9WgXcQ', null, 9e9)], 'audio', sources);
  expect(endless).toEqual({ videoId: 'dQw4w9WgXcQ', title: 'dQw4w9WgXcQ', durationSeconds: null });
});

test('a queue becomes lines that mean the same queue, at another address of the server too', async () => {
  const queue: NamedTrack[] = [
    { videoId: ferry.id, title: 'Night Ferry – Ada Byrd', durationSeconds: 200 },
    { videoId: 'dQw4w9WgXcQ' as VideoId, title: 'A - video, by: two', durationSeconds: 213.061, startSeconds: 90 },
    { videoId: film.id, title: 'Harbour', durationSeconds: 200 },
    { videoId: 'link:https://films.example.org/a%20b.m3u8?x=1' as VideoId, title: 'Live', durationSeconds: null },
    { videoId: ferry.id, title: 'Night Ferry – Ada Byrd', durationSeconds: 200 },
  ];
  const lines = linesOf(queue, sources, 'https://old.example.org');
  expect(lines[0]).toEqual({
    ...{ place: `https://old.example.org/library/${ferry.id}`, title: 'Ada Byrd - Night Ferry', seconds: 200 },
  });
  expect(await tracksOfLines(lines, 'video', sources)).toEqual(queue);
});

test('a track that is gone is written all the same, and is found by its name once it is back under another id', async () => {
  const gone: NamedTrack = { videoId: libraryId('gone.mp3'), title: 'Night Ferry – Ada Byrd', durationSeconds: 9 };
  const [written] = linesOf([gone], sources, 'https://x.example');
  expect(written).toMatchObject({ title: gone.title });
  expect(await found(written?.place ?? '', written?.title ?? undefined)).toBe(ferry.id);
});

test('what is missing is called by one short plain line', () => {
  expect(nameOfLine(line('/a/b/Some song.mp3'))).toBe('Some song');
  expect(nameOfLine(line('x', `<script>\u202e${'a'.repeat(900)}`))).toHaveLength(200);
  expect(nameOfLine(line('///'))).toBe('?');
});

test('lines of dashes, of steps upwards and of nothing mean no track', async () => {
  const hostile = [line('../'.repeat(600)), line(' - '.repeat(600), ' - '.repeat(600)), line('-', '-'), line('\\')];
  expect(await tracksOfLines(hostile, 'audio', sources)).toEqual([null, null, null, null]);
});

test('lines of a name that all files have cost about as much as others', async () => {
  const lines = Array.from({ length: 200 }, (_, n) =>
    line(`Artist ${String(n)}/Lost/Track 01.mp3`, 'Lost - Track 01', n + 1),
  );
  const timeWith = async (nameOf: (n: number) => string) => {
    const all = Array.from({ length: 4000 }, (_, n) =>
      file(`Artist ${String(n)}/Album/${nameOf(n)}.flac`, nameOf(n), 'Lost', { durationSeconds: n + 1 }),
    );
    const match = () => tracksOfLines(lines, 'audio', { library: { list: () => all, byId: () => null }, links });
    return { ms: await leastCpuMs(match), matched: await match() };
  };
  const apart = await timeWith((n) => `Track ${String(n + 2)}`);
  const alike = await timeWith(() => 'Track 01');
  expect(apart.matched.filter((each) => each !== null)).toEqual([]);
  // By name alone, and of 4,000 recordings the one of the same length.
  expect(alike.matched.map((each) => each?.durationSeconds)).toEqual(lines.map(({ seconds }) => seconds));
  // Each line compared anew with all of them it is a hundred times as much.
  expect(alike.ms).toBeLessThan(apart.ms * 15);
});

test.each(['https://films.example.org/', 'https://youtu.be/'])(
  'marks in the links of %s cost about as much as letters',
  async (host) => {
    const timeOf = (character: string) => {
      const lines = Array.from({ length: 90 }, () => line(`${host}${character.repeat(1900)}a`));
      return leastCpuMs(() => tracksOfLines(lines, 'video', { library, links }));
    };
    const usual = await timeOf('a');
    // Where a run of them ends, looked for from each of them, is a hundred times as much.
    for (const mark of [')', '"', ':', '?', '.']) expect(await timeOf(mark), mark).toBeLessThan(usual * 25);
  },
);

test('others are served while the addresses of a long list are read', async () => {
  const lines = Array.from({ length: 500 }, () => line(`https://youtu.be/dQw4w9WgXcQ?${'q=a/?'.repeat(300)}`));
  const turns = await turnsDuring(async () => {
    const tracks = await tracksOfLines(lines, 'video', { library, links });
    expect(tracks.every((track) => track?.videoId === 'dQw4w9WgXcQ')).toBe(true);
  });
  expect(turns).toBeGreaterThanOrEqual(90);
});
