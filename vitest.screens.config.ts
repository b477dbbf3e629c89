/**
 * Screens in a real Chromium: files of `web` that end in `.screen.test.tsx`, beside what they test. They mount the whole
 * app over a stand-in for the server, so nothing leaves the page. What such a test needs of Node is here: the browser, its
 * commands, and media files.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beepingMicrophone, chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { serveFakeYouTube } from '@tunemate/testkit/browsers/fake-youtube';
import { coversEverything, limits } from '@tunemate/testkit/extent';
import { codedStream } from '@tunemate/testkit/browsers/coded-stream';
import { damagedStream, noise } from '@tunemate/testkit/browsers/damaged-stream';
import { hostileSubtitles } from '@tunemate/testkit/browsers/hostile-subtitles';
import { wordedStream } from '@tunemate/testkit/browsers/worded-stream';
import type { YouTubeWorld } from '@tunemate/testkit/browsers/fake-youtube-player';
import { defineBrowserCommand, playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineProject } from 'vitest/config';

/** Looked for when a browser is wanted, so that the other tests need none. */
const launchOptions = {
  get executablePath() {
    return chromiumLaunch({ prefersShell: true }).executablePath;
  },
  get args() {
    return [...chromiumLaunch({ autoplay: true }).args, ...beepingMicrophone];
  },
};

/** Every package that a page loads. A package found only while tests run makes Vite reload the page under them. */
const packages = [
  '@tanstack/react-virtual',
  'axe-core',
  'hls.js',
  'linkify-it',
  'lucide-react',
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-runtime',
  'uqr',
  'vitest-browser-react/pure',
  'zod',
];

/** The device's preferred theme, and whether it prefers reduced motion. */
const emulateTheme = defineBrowserCommand<[theme: 'dark' | 'light', moves?: boolean]>(
  ({ page }, colorScheme, moves = false) =>
    page.emulateMedia({ colorScheme, reducedMotion: moves ? 'no-preference' : 'reduce' }),
);

/** Whether the system sets all colours, as by the high contrast of Windows. */
const forceColors = defineBrowserCommand<[isForced: boolean]>(({ page }, isForced) =>
  page.emulateMedia({ forcedColors: isForced ? 'active' : 'none' }),
);

/** A fake of YouTube and its player, also where another file's test has loaded the script into the page before. */
const serveYouTube = defineBrowserCommand<[world: Partial<YouTubeWorld>]>(({ page }, world) =>
  serveFakeYouTube(page, world),
);

const media = '**/media/lib_*';

/** Blocks requests for media files, until they are allowed again. */
const cutMedia = defineBrowserCommand<[isCut: boolean]>(({ context }, isCut) =>
  isCut ? context.route(media, (route) => route.abort()) : context.unroute(media),
);

const browserCommands = { emulateTheme, forceColors, serveYouTube, cutMedia };

// A minute long: on a busy machine a short one is over before a page has opened.
const film = { file: join(import.meta.dirname, 'library/media/poppy-season.mp4'), type: 'video/mp4' };
const song = { file: join(import.meta.dirname, 'library/media/walking-home.m4a'), type: 'audio/mp4' };
const asMp3 = { ...song, type: 'audio/mpeg' };
const half = (name: string, picture: string, sound: string) => ({
  file: join(import.meta.dirname, 'web/testing/screens/media', name),
  type: 'video/mp4',
  streams: { 'x-film-picture': `video/mp4; codecs="${picture}"`, 'x-film-sound': `audio/mp4; codecs="${sound}"` },
});
const byFirstLetter: Readonly<Record<string, { file: string; type: string; streams?: Record<string, string> }>> = {
  f: film,
  e: asMp3,
  1: half('hevc.mp4', 'hvc1.1.6.L93.B0', 'mp4a.40.2'),
  2: half('ac3.mp4', 'avc1.42E01E', 'ac-3'),
  3: film,
};

/**
 * Serves media under /media as the server does, and the song for each voice message: a film for `lib_f…`, a song for any other, and subtitles of one sentence.
 * For `lib_e…` the song is declared as MP3, a format that browsers seek inexactly; they play it by its content. Of
 * `lib_1…` Chromium lacks the decoder of the picture, of `lib_2…` that of the sound; `lib_3…` is damaged behind its third second.
 */
function answerMedia({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  if (url.startsWith('/hls/')) return answerStream(url.slice('/hls/'.length), headers.range, response);
  if (url.includes('/subtitles/')) {
    response.writeHead(200, { 'content-type': 'text/vtt' });
    response.end(`WEBVTT\n\n00:00.000 --> 59:00.000\nI kept the window open\nso you would hear it too.\n`);
    return;
  }
  const { file, type, streams } = { streams: {}, ...(byFirstLetter[url.charAt('/lib_'.length)] ?? song) };
  const bytes = readFileSync(file);
  if (url.startsWith('/lib_3')) noise(bytes.subarray(0.1 * bytes.length, 0.105 * bytes.length));
  sendRange(response, bytes, headers.range, { ...streams, 'content-type': type });
}

let made: ReadonlyMap<string, Buffer> | null = null;

/**
 * A film in three pieces: `film.m3u8`; `live.m3u8` is the same without an end, `text.m3u8` no stream at all,
 * `refused.m3u8` no page may read, `worded.m3u8` has subtitles, `hostile.m3u8` subtitles made to do harm, and others have
 * a piece that is damaged, gone, or coded otherwise.
 */
function answerStream(name: string, range: string | undefined, response: ServerResponse): void {
  const folder = join(import.meta.dirname, 'web/testing/screens/media/hls');
  const read = (file: string) => readFileSync(join(folder, file));
  const playlist = read('film.m3u8').toString();
  const texts: Readonly<Record<string, string>> = {
    'film.m3u8': playlist,
    'live.m3u8': playlist.replace(/#EXT-X-(?:PLAYLIST-TYPE:VOD|ENDLIST)\n/g, ''),
    'text.m3u8': 'no stream',
    ...hostileSubtitles,
  };
  const known = name === 'film.mp4' ? read(name) : (damagedStream(folder, name) ?? Buffer.from(texts[name] ?? ''));
  const film = join(folder, 'film.mp4');
  if (known.length === 0) made ??= new Map([...wordedStream(film), ...codedStream(film)]);
  const bytes = known.length === 0 ? (made?.get(name) ?? known) : known;
  if (bytes.length === 0) response.writeHead(name === 'refused.m3u8' ? 403 : 404).end();
  else sendRange(response, bytes, range, { 'content-type': 'application/octet-stream' });
}

function sendRange(
  response: ServerResponse,
  bytes: Buffer,
  range: string | undefined,
  headers: Readonly<Record<string, string>>,
): void {
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const start = Number(from);
  const end = to === '' ? bytes.length - 1 : Number(to);
  response.writeHead(range === undefined ? 200 : 206, {
    ...headers,
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    'content-range': `bytes ${String(start)}-${String(end)}/${String(bytes.length)}`,
  });
  response.end(bytes.subarray(start, end + 1));
}

const mediaFiles: Plugin = {
  name: 'media-files',
  configureServer({ middlewares }) {
    for (const address of ['/media', '/api/chats/voices']) middlewares.use(address, answerMedia);
  },
};

export default defineProject({
  root: join(import.meta.dirname, 'web'),
  plugins: [mediaFiles],
  // React as it ships. The one for development takes half as long again to draw the same.
  oxc: { jsx: { runtime: 'automatic', development: false, refresh: false } },
  optimizeDeps: {
    include: packages,
    noDiscovery: true,
    rolldownOptions: {
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    },
  },
  test: {
    name: 'web',
    include: ['{src,testing}/**/*.screen.test.tsx'],
    setupFiles: [join(import.meta.dirname, 'web/testing/screens/setup.ts')],
    // One page for all files: each test starts and ends with an empty one.
    isolate: false,
    fileParallelism: true,
    maxWorkers: 2,
    testTimeout: limits.screen.test,
    hookTimeout: limits.screen.test,
    expect: { poll: { timeout: limits.screen.poll } },
    // For web/testing/screens/accessible.ts: a page has no environment of its own.
    env: { COVERS_EVERYTHING: String(coversEverything) },
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
      traceView: false,
      dependencySourcemaps: false,
      viewport: { width: 1280, height: 800 },
      provider: playwright({
        launchOptions,
        contextOptions: {
          locale: 'en-GB',
          timezoneId: 'Europe/Stockholm',
          permissions: ['clipboard-read', 'clipboard-write'],
        },
        actionTimeout: limits.screen.poll,
      }),
      instances: [{ browser: 'chromium' }],
      commands: browserCommands,
    },
  },
});
