/**
 * The built web application: assets that never change under their hashed names, and one page for every address of
 * the application. Any other address shows the same page, which says so, with status 404.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { refuse } from '../ports.ts';
import { sendRefusal } from './answers.ts';

/** The two kinds of room: their page asks for the room's code at once. */
const roomPaths = ['/tunemate/:code', '/audio-room/:code'] as const;

/** The addresses of all other pages. */
const pagePaths = [
  '/',
  '/login',
  '/signup',
  '/join',
  '/create',
  '/soulmate',
  '/notifications',
  '/chat/:uid',
  '/create-audio-room',
  '/join-audio-room',
  '/chats',
  '/auth/action',
  '/account',
] as const;

/** Also in the form that names the whole address, as to a proxy. */
const apiAddress = /^(?:https?:\/\/[^/]*)?\/api\//i;
const immutable = 'public, max-age=31536000, immutable';
/** Vite's names: `assets/name-HASH.ext`. */
const hashed = /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+$/;

/** `webDir` is the folder of the built application; without it every page answers 404. */
export async function pageRoutes(http: FastifyInstance, webDir: string): Promise<void> {
  const isBuilt = existsSync(join(webDir, 'index.html'));
  if (isBuilt) {
    await http.register(fastifyStatic, {
      root: webDir,
      index: false,
      cacheControl: false,
      preCompressed: true,
      setHeaders(reply, path) {
        reply.header('cache-control', hashed.test(path.replace(/\.(?:br|gz)$/, '')) ? immutable : 'no-cache');
      },
    });
  }
  const sendPage = (reply: FastifyReply, file = 'index.html'): FastifyReply =>
    isBuilt ? reply.sendFile(file) : reply.type('text/plain').send('The pages are not built: npm run build');

  for (const path of pagePaths) http.get(path, (_request, reply) => sendPage(reply));
  for (const path of roomPaths) http.get(path, (_request, reply) => sendPage(reply, 'room.html'));
  http.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !apiAddress.test(request.url);
    if (!isPage) return sendRefusal(reply, refuse('access/not-found'));
    return sendPage(reply.code(404));
  });
}
