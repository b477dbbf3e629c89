/**
 * Serves the built web application: the files that the build lists, assets with hashed names as immutable, and one page
 * for every address of the application. Any other address gets the same page with status 404, and it shows that the address is unknown.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { type PagePath, pagePaths, properPath, roomPagePaths } from '@tunemate/protocol';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { refuse } from '../system/ports.ts';
import { sendRefusal } from './answers.ts';

/** Also in the absolute form, as sent to a proxy. */
const apiAddress = /^(?:https?:\/\/[^/]*)?\/api\//i;
const immutable = 'public, max-age=31536000, immutable';
/** Vite's names: `assets/name-HASH.ext`. */
const hashed = /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+$/;

/** Pages that preload the code of their screen; all others are `index.html`. */
const pageFiles: ReadonlyMap<PagePath, string> = new Map([
  ['/', 'home.html'],
  ['/chat/:uid', 'chat.html'],
  ...Object.values(roomPagePaths).map((path) => [path, 'room.html'] as const),
]);

/** What may be served, by the build; null without one. Pages are sent for their addresses, and have none of their own. */
function readServed(webDir: string): ReadonlySet<string> | null {
  try {
    const files = JSON.parse(readFileSync(join(webDir, '.vite', 'served.json'), 'utf8')) as string[];
    return new Set(files.map((file) => (file.endsWith('.html') ? file : `/${file}`)));
  } catch {
    return null;
  }
}

/** `webDir` is the folder of the built application; without it every page says how to build it. */
export async function pageRoutes(http: FastifyInstance, webDir: string): Promise<void> {
  const served = readServed(webDir);
  const isBuilt = served !== null;
  if (isBuilt) {
    await http.register(fastifyStatic, {
      root: webDir,
      index: false,
      cacheControl: false,
      preCompressed: true,
      allowedPath: (path) => served.has(path),
      setHeaders(reply, path) {
        reply.header('cache-control', hashed.test(path.replace(/\.(?:br|gz)$/, '')) ? immutable : 'no-cache');
      },
    });
  }
  const sendPage = (reply: FastifyReply, file = 'index.html'): FastifyReply =>
    isBuilt ? reply.sendFile(file) : reply.type('text/plain').send('The pages are not built: npm run build');

  // A hook, because the files' route refuses some of these spellings before the handler of unknown addresses.
  http.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    const isUnknown =
      (request.method === 'GET' || request.method === 'HEAD') && (route === undefined || route === '/*');
    const [path = '', ...query] = request.url.split('?');
    const proper = isUnknown ? properPath(path) : null;
    if (proper === null || proper === path) return done();
    void reply.redirect([proper, ...query].join('?'), 308);
  });
  for (const path of [...pagePaths, ...Object.values(roomPagePaths)]) {
    http.get(path, (_request, reply) => sendPage(reply, pageFiles.get(path)));
  }
  http.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !apiAddress.test(request.url);
    if (!isPage) return sendRefusal(reply, refuse('access/not-found'));
    return sendPage(reply.code(404));
  });
}
