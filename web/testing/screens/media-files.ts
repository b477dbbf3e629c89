/**
 * Gives the pages of tests real media under /media, as the server does: a film for `lib_f…`, a song for any other, and
 * subtitles of one sentence. For
 * `lib_e…` the song is declared as MP3, a format that browsers seek inexactly; they play it by its content.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '../../..');
// A minute long: on a busy machine a short one is over before a page has opened.
const film = { file: join(root, 'library/media/poppy-season.mp4'), type: 'video/mp4' };
const song = { file: join(root, 'library/media/walking-home.m4a'), type: 'audio/mp4' };
const asMp3 = { ...song, type: 'audio/mpeg' };

function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  if (url.includes('/subtitles/')) {
    response.writeHead(200, { 'content-type': 'text/vtt' });
    response.end(`WEBVTT\n\n00:00.000 --> 59:00.000\nI kept the window open\nso you would hear it too.\n`);
    return;
  }
  const { file, type } = url.startsWith('/lib_f') ? film : url.startsWith('/lib_e') ? asMp3 : song;
  const bytes = readFileSync(file);
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const start = Number(from);
  const end = to === '' ? bytes.length - 1 : Number(to);
  response.writeHead(headers.range === undefined ? 200 : 206, {
    'content-type': type,
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    'content-range': `bytes ${String(start)}-${String(end)}/${String(bytes.length)}`,
  });
  response.end(bytes.subarray(start, end + 1));
}

export const mediaFiles: Plugin = {
  name: 'media-files',
  configureServer: ({ middlewares }) => void middlewares.use('/media', answer),
};
