/**
 * Serves the built web application: the files that the build lists, assets with hashed names as immutable, and one page
 * for every address of the application, from memory, in the language of the request. Any other address gets the same page
 * with status 404, and it shows that the address is unknown.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { allPagePaths, languages, type PagePath, properPath, properQuery, roomPagePaths } from '@tunemate/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { refuse } from '../system/ports.ts';
import type { Origins } from './address.ts';
import { sendRefusal } from './answers.ts';
import { languageOf, variesByLanguage } from './language.ts';
import { linkCardOf, linkCardTags, originOf } from './link-cards.ts';

/** Also in the absolute form, as sent to a proxy. */
export const apiAddress = /^(?:https?:\/\/[^/]*)?\/api\//i;
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

/** A page as the build wrote it, also compressed. */
interface Page {
  tag: string;
  bytes: Buffer;
  compressed: readonly { encoding: string; bytes: Buffer }[];
}

/** In the order in which they are preferred. */
const extensionOf = { br: '.br', gzip: '.gz' };

const tagOf = (bytes: Buffer): string => `W/"${createHash('sha256').update(bytes).digest('base64url')}"`;

function readPage(path: string): Page {
  const bytes = readFileSync(path);
  const compressed = Object.entries(extensionOf)
    .filter(([, extension]) => existsSync(path + extension))
    .map(([encoding, extension]) => ({ encoding, bytes: readFileSync(path + extension) }));
  return { tag: tagOf(bytes), bytes, compressed };
}

/** Pages with a link's card in their head, kept as they are sent. */
const mostWithCards = 200;

/** Adds tags to the head of a page. Compressed at a level that costs less than a millisecond. */
function pagesWithTags(): (page: Page, tags: string) => Page {
  const kept = new Map<string, Page>();
  return (page, tags) => {
    const key = page.tag + tags;
    const known = kept.get(key);
    if (known) return known;
    const bytes = Buffer.from(page.bytes.toString().replace('</head>', () => `${tags}</head>`));
    const compressed = [
      { encoding: 'br', bytes: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) },
      { encoding: 'gzip', bytes: gzipSync(bytes) },
    ];
    const made = { tag: tagOf(bytes), bytes, compressed };
    if (kept.size >= mostWithCards) kept.clear();
    kept.set(key, made);
    return made;
  };
}

/** Whether the browser has this page already. */
function hasPage({ headers }: FastifyRequest, { tag }: Page): boolean {
  const tags = headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(tag.replace(/^W\//, ''));
}

/** `page` may have a query of its own, which comes before the one that was asked for. */
function properAddress(page: string, asked: readonly string[]): string {
  const [path = '', ...own] = page.split('?');
  const queries = [own, asked].filter((query) => query.length > 0).map((query) => query.join('?'));
  return queries.length === 0 ? path : `${path}?${properQuery(queries.join('&'))}`;
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  reply
    .header('cache-control', 'no-cache')
    .header('vary', `accept-encoding, ${variesByLanguage}`)
    .header('etag', page.tag);
  if (reply.statusCode === 200 && hasPage(request, page)) return reply.code(304).send();
  const accepted = new Negotiator(request).encodings(Object.keys(extensionOf));
  const chosen = page.compressed.find(({ encoding }) => accepted.includes(encoding));
  if (chosen) reply.header('content-encoding', chosen.encoding);
  return reply.type('text/html; charset=utf-8').send(chosen?.bytes ?? page.bytes);
}

/** `webDir` is the folder of the built application; without it every page says how to build it. */
export async function pageRoutes(
  http: FastifyInstance,
  webDir: string,
  origins: Pick<Origins, 'isOwn' | 'publicUrl'>,
): Promise<void> {
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
  // Read once: a page is what strangers ask for most, and it is new only with another build.
  const english = ['index.html', ...pageFiles.values()];
  const names = english.flatMap((file) => [file, ...Object.keys(languages).map((language) => `${language}/${file}`)]);
  const pages = new Map(names.filter((file) => served?.has(file)).map((file) => [file, readPage(join(webDir, file))]));
  const withTags = pagesWithTags();
  const send = (request: FastifyRequest, reply: FastifyReply, path?: PagePath): FastifyReply => {
    const language = languageOf(request.headers);
    const file = (path && pageFiles.get(path)) ?? 'index.html';
    const page = pages.get(`${language}/${file}`) ?? pages.get(file);
    const card = path && linkCardOf(path, request.url);
    if (page && card) {
      return sendPage(request, reply, withTags(page, linkCardTags(card, language, originOf(request, origins))));
    }
    if (page) return sendPage(request, reply, page);
    return reply.type('text/plain').send('The pages are not built: npm run build');
  };

  const isPage = new Set<string>(allPagePaths);
  // A hook, because the files' route refuses some of these spellings before the handler of unknown addresses.
  http.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    const isUnknown =
      (request.method === 'GET' || request.method === 'HEAD') && (route === undefined || route === '/*');
    const [path = '', ...query] = request.url.split('?');
    const page = isUnknown ? properPath(path) : isPage.has(route ?? '') ? path : null;
    if (page === null) return done();
    const proper = properAddress(page, query);
    if (proper === request.url) return done();
    void reply.redirect(proper, 308);
  });
  for (const path of allPagePaths) {
    http.get(path, (request, reply) => send(request, reply, path));
  }
  http.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !apiAddress.test(request.url);
    if (!isPage) return sendRefusal(reply, refuse('access/not-found'));
    return send(request, reply.code(404));
  });
}
