/** Serves real media under /media to the pages of tests, as the server does: a film for `lib_f…`, else a song. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '../../..');
const film = { file: join(root, 'testkit/media/film.webm'), type: 'video/webm' };
const song = { file: join(root, 'library/media/walking-home.m4a'), type: 'audio/mp4' };

function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const { file, type } = url.startsWith('/lib_f') ? film : song;
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
