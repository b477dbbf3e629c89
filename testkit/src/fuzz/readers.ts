/** What reads files and answers from outside: each with real ones to begin from. */
import { spawnSync } from 'node:child_process';
import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serve } from '../network/serve.ts';
import { readM3u8 } from '@tunemate/domain';
import sharp from 'sharp';
import { pictureIn } from '../../../server/src/catalogue/library/album-pictures.ts';
import { lyricsOfText } from '../../../server/src/catalogue/library/lrc.ts';
import { embeddedCover, readTagged } from '../../../server/src/catalogue/library/tags.ts';
import { decodedText } from '../../../server/src/catalogue/library/text-encoding.ts';
import { webVttOf } from '../../../server/src/catalogue/library/web-vtt.ts';
import { hidePicture } from '../../../server/src/catalogue/media/hidden-picture.ts';
import { subsonicClient } from '../../../server/src/catalogue/sources/subsonic/subsonic-client.ts';
import { subsonicLibrary } from '../../../server/src/catalogue/sources/subsonic/subsonic-library.ts';
import { readHead } from '../../../server/src/chats/pictures/image-header.ts';
import { imageReader } from '../../../server/src/chats/pictures/image-reader.ts';
import { wordsOf } from '../../../server/src/chats/previews/page-words.ts';
import { voiceReader } from '../../../server/src/chats/voice/voice-reader.ts';
import { createLog } from '../../../server/src/system/logging.ts';
import { fakeAccount, fakeSong } from '../fakes/fake-subsonic.ts';
import { findProgram } from '../services/system-programs.ts';
import { jpegOfScans } from './hostile-images.ts';

export interface Reader {
  /** Real files; empty where this machine can't make them. */
  readonly seeds: readonly Buffer[];
  /** Rejects only where that is a fault. */
  read(bytes: Buffer): Promise<unknown>;
  close?(): Promise<unknown>;
}

/** By name, with how much longer than the quickest one each takes. */
export const readerCosts = {
  ...{ subtitles: 1, words: 1, playlists: 1, pages: 1, tags: 40, 'hidden pictures': 4 },
  ...{ 'music servers': 10, pictures: 20, recordings: 100 },
} as const;
export type ReaderName = keyof typeof readerCosts;

const root = join(import.meta.dirname, '../../..');
const text = (...parts: string[]) => Buffer.from(parts.join('\n'));
const log = createLog('silent');

/** `folder` is for its files. */
export const openReader: Readonly<Record<ReaderName, (folder: string) => Promise<Reader>>> = {
  subtitles: () => Promise.resolve({ seeds: subtitles, read: (bytes) => later(() => webVttOf(bytes, 'Film.de.srt')) }),
  words: () =>
    Promise.resolve({ seeds: words, read: (bytes) => later(() => lyricsOfText(decodedText(bytes, 'Song.lrc'))) }),
  playlists: () =>
    Promise.resolve({ seeds: playlists, read: (bytes) => later(() => readM3u8(decodedText(bytes, null), 500)) }),
  pages: () => Promise.resolve({ seeds: pages, read: (bytes) => later(() => wordsOf(decodedText(bytes, null))) }),
  async tags(folder) {
    const path = join(folder, 'song.mp3');
    return {
      seeds: await mediaFiles(folder),
      async read(bytes) {
        await writeFile(path, bytes);
        const file = { relativePath: 'song.mp3', path, size: bytes.length, modifiedMs: 0, inode: 1 };
        // A broken file is no item of the library.
        await Promise.allSettled([readTagged(file), embeddedCover(path)]);
      },
    };
  },
  async 'hidden pictures'(folder) {
    const path = join(folder, 'song.m4a');
    return {
      seeds: await mediaFiles(folder),
      async read(bytes) {
        await writeFile(path, bytes);
        await using file = await open(path);
        await hidePicture(file, (await stat(path)).size);
      },
    };
  },
  async pictures() {
    const reader = imageReader({ log });
    return {
      seeds: await pictureFiles(),
      async read(bytes) {
        readHead(bytes);
        pictureIn(bytes);
        await reader.read(bytes);
      },
      close: () => reader.close(),
    };
  },
  async recordings(folder) {
    const reader = voiceReader({ log });
    const [recorded, written] = [join(folder, 'recorded'), join(folder, 'written')];
    return {
      seeds: (await mediaFiles(folder)).slice(0, findProgram(['ffmpeg']) === undefined ? 0 : undefined),
      read: (bytes) => reader.read(bytes, recorded, written),
      close: () => reader.close(),
    };
  },
  'music servers': openMusicServer,
};

/** A fault of pure code rejects, too. */
const later = (work: () => unknown): Promise<unknown> => Promise.resolve().then(work);

/** Each call is answered with the bytes. */
async function openMusicServer(): Promise<Reader> {
  let answer: Buffer = Buffer.alloc(0);
  const { url, close } = await serve(
    (_request, response) => void response.setHeader('content-type', 'application/json').end(answer),
  );
  const { user, password } = fakeAccount;
  const songs = Array.from({ length: 5 }, (_, index) => fakeSong(index));
  const said = { status: 'ok', version: '1.16.1', type: 'navidrome', serverVersion: '0.55.2', openSubsonic: true };
  const answers = [{}, { searchResult3: { song: songs } }, { error: { code: 40, message: 'Wrong' } }];
  return {
    seeds: answers.map((more) => Buffer.from(JSON.stringify({ 'subsonic-response': { ...said, ...more } }))),
    async read(bytes) {
      answer = bytes;
      const client = subsonicClient({ url, user, password, token: null });
      const library = subsonicLibrary({ client, log, nowMs: () => 0, show: () => undefined });
      await library.refresh();
      library.close();
    },
    close,
  };
}

const subtitles = [
  text(
    '1',
    '00:00:01,000 --> 00:00:02,500',
    '<i>Good evening</i>',
    '',
    '2',
    '00:01:00,000 --> 00:01:01,000',
    'Two',
    'lines',
    '',
  ),
  text('WEBVTT', '', 'STYLE', '::cue { color: red }', '', '00:01.000 --> 00:02.000 line:90%', 'Hello <b>you</b>', ''),
  text(
    '[Script Info]',
    '[Events]',
    'Format: Layer, Start, End, Style, Text',
    String.raw`Dialogue: 0,0:00:01.00,0:00:02.00,Default,{\an8}Up\Nhere`,
    '',
  ),
  text('{25}{50}Frames|and more', '{75}{100}{y:i}Again', ''),
  text(
    '<SAMI><BODY>',
    '<SYNC Start=1000><P Class=ENCC>Hello&nbsp;there',
    '<SYNC Start=2000><P>&nbsp;',
    '</BODY></SAMI>',
  ),
  text('0:00:01.000,0:00:02.000', 'Tube', ''),
  text('<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="00:00:02.5">A<br/>b</p></div></body></tt>'),
];
const words = [
  text(
    '[ti:Song]',
    '[offset:+250]',
    '[00:01.00]First',
    '[00:02.00][00:04.00]Again',
    '[00:05.5]<00:05.50>word <00:06.00>by',
    '',
  ),
  text('Plain words', '', 'of a song', ''),
  text('[Script Info]', '[Events]', 'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\k20}On{\\k30}e\\Ntwo', ''),
  text(
    '<tt><body><p begin="1.0"><span begin="1.0">One</span><span ttm:role="x-translation">Eins</span></p></body></tt>',
  ),
  text('[1000,2500]On(1000,500)e(1500,300)', '[00:03.000][tr:de]Zwei', '[00:03.000][tt]<0,0><500,1>', ''),
  Buffer.from('\u{FEFF}[00:01.00]Zwölf', 'utf16le'),
];
const playlists = [
  text(
    '#EXTM3U',
    '#PLAYLIST:Evening',
    '#EXTINF:180,Artist - Title',
    'Artist/Album/01 Title.flac',
    '#EXTINF:-1,Link',
    'https://youtu.be/abcdefghijk?t=5',
    '',
  ),
  text('../music/Song.mp3', 'C:\\Music\\Song.mp3', 'file:///music/Song%20two.mp3', ''),
];
const pages = [
  text(
    '<!doctype html><html><head><meta charset="utf-8"><title>A &amp; b</title>',
    '<meta property="og:title" content="Title">',
    '<meta name="description" content=\'Words\'><link rel="canonical" href="/a"></head><body>x',
  ),
  text(
    '<html><head><META content="Late" property=og:description><title>Un<!-- -->closed',
    '<script>"</title>"</script>',
  ),
];

async function pictureFiles(): Promise<Buffer[]> {
  const covers = join(root, 'library/covers');
  const [png = Buffer.alloc(0)] = await Promise.all(
    (await readdir(covers)).slice(0, 1).map((name) => readFile(join(covers, name))),
  );
  const small = sharp(png).resize(64);
  const formats = [
    small.clone().jpeg(),
    small.clone().webp(),
    small.clone().gif(),
    small.clone().avif(),
    small.clone().png(),
  ];
  return [...(await Promise.all(formats.map((format) => format.toBuffer()))), jpegOfScans(2)];
}

/** Half a second of sound in each format, with tags, words and a picture; without ffmpeg the beginning of a track. */
function mediaFiles(folder: string): Promise<Buffer[]> {
  return (madeFiles ??= makeMediaFiles(folder));
}

let madeFiles: Promise<Buffer[]> | null = null;

async function makeMediaFiles(folder: string): Promise<Buffer[]> {
  const ffmpeg = findProgram(['ffmpeg']);
  if (ffmpeg === undefined)
    return [(await readFile(join(root, 'library/media/rain-on-the-tram.m4a'))).subarray(0, 200_000)];
  const cover = join(root, 'library/covers/walking-home.png');
  const tags = [
    'title=A title',
    'artist=One; Two',
    'album=Album',
    'track=3/9',
    'lyrics=[00:01.00]Words',
    'REPLAYGAIN_TRACK_GAIN=-6.2 dB',
  ];
  const files: Buffer[] = [];
  for (const [extension, ...more] of [
    ['mp3', '-i', cover, '-map', '0', '-map', '1', '-c:v', 'copy', '-id3v2_version', '3'],
    ['m4a', '-i', cover, '-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v:0', 'attached_pic'],
    ...[['flac'], ['wav'], ['webm', '-c:a', 'libopus'], ['ogg', '-c:a', 'libvorbis'], ['opus'], ['mkv'], ['mp4']],
  ]) {
    const to = join(folder, `seed.${extension ?? ''}`);
    const sound = ['-v', 'quiet', '-y', '-f', 'lavfi', '-i', 'sine=duration=0.5'];
    spawnSync(ffmpeg, [...sound, ...more, ...tags.flatMap((tag) => ['-metadata', tag]), to]);
    const made = await readFile(to).catch(() => null);
    if (made !== null && made.length > 0) files.push(made);
  }
  return files;
}
