/**
 * Serves the library's files and covers to those whom `gateFile` lets pass. Files are found by id only, so no path
 * ever comes from outside.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { refuse } from '../ports.ts';
import { sendRefusal } from '../http/answers.ts';
import { readRange } from './byte-range.ts';
import { isUnchanged, mayContinue, type Version } from './conditional.ts';
import type { LibraryItem } from './library-item.ts';
import type { MediaLibrary } from './media-library.ts';
import { embeddedCover } from './tagged-file.ts';

/** Private: shared caches must not answer those who aren't signed in. A day, then one conditional request. */
const cacheControl = 'private, max-age=86400';
const maxCoverBytes = 5 * 1024 * 1024;
const coverTypes = new Set(['image/png', 'image/jpeg', 'image/webp']);

export interface MediaRoutesDeps {
  library: Pick<MediaLibrary, 'byId'>;
  /** The door of each address: refuses, by throwing or answering, whoever is not signed in with a verified address. */
  gateFile: (name: 'GET /media/:id' | 'GET /media/:id/cover') => { onRequest: onRequestAsyncHookHandler };
}

/** `GET` and `HEAD` of `/media/:id` and `/media/:id/cover`. */
export function mediaRoutes({ library, gateFile }: MediaRoutesDeps): FastifyPluginCallback {
  return (http, _options, done) => {
    const find = (request: FastifyRequest): LibraryItem | null => library.byId((request.params as { id: string }).id);
    const route = (
      url: '/media/:id' | '/media/:id/cover',
      serve: (item: LibraryItem, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
    ) =>
      http.route({
        method: ['GET', 'HEAD'],
        url,
        onRequest: gateFile(`GET ${url}`).onRequest,
        handler: async (request, reply) => {
          const item = find(request);
          return item === null ? sendRefusal(reply, refuse('access/not-found')) : await serve(item, request, reply);
        },
      });
    route('/media/:id', sendMedia);
    route('/media/:id/cover', sendCover);
    done();
  };
}

async function sendMedia(item: LibraryItem, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const file = await openFile(item.path);
  if (file === null) return sendRefusal(reply, refuse('access/not-found'));
  let isHandedOver = false;
  try {
    const stat = await file.stat({ bigint: true });
    const size = Number(stat.size);
    const version = {
      etag: `"${stat.size.toString(16)}-${stat.mtimeNs.toString(16)}"`,
      lastModified: new Date(Number(stat.mtimeMs)).toUTCString(),
    };
    describe(reply, version).type(item.mime).header('accept-ranges', 'bytes');
    if (isUnchanged(request.headers, version)) return reply.code(304).send();
    const isHead = request.method === 'HEAD';
    const asked = !isHead && mayContinue(request.headers, version) ? readRange(request.headers.range, size) : null;
    if (asked?.type === 'unsatisfiable') {
      return reply
        .code(416)
        .header('content-range', `bytes */${String(size)}`)
        .header('cache-control', 'no-store')
        .send();
    }
    const { first, last } = asked?.type === 'part' ? asked.range : { first: 0, last: size - 1 };
    reply.header('content-length', last - first + 1);
    if (asked?.type === 'part') {
      reply.code(206).header('content-range', `bytes ${String(first)}-${String(last)}/${String(size)}`);
    }
    if (isHead || size === 0) return reply.send();
    isHandedOver = true;
    return reply.send(file.createReadStream({ start: first, end: last, highWaterMark: 128 * 1024 }));
  } finally {
    if (!isHandedOver) await file.close();
  }
}

async function sendCover(item: LibraryItem, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const cover = await readCover(item);
  if (cover === null) return sendRefusal(reply, refuse('access/not-found'));
  const etag = `"${createHash('sha256').update(cover.bytes).digest('base64url').slice(0, 22)}"`;
  reply
    .header('etag', etag)
    .header('cache-control', cacheControl)
    .header('x-content-type-options', 'nosniff')
    .type(cover.mime);
  if (isUnchanged(request.headers, { etag, lastModified: '' })) return reply.code(304).send();
  reply.header('content-length', cover.bytes.length);
  return request.method === 'HEAD' ? reply.send() : reply.send(cover.bytes);
}

function describe(reply: FastifyReply, { etag, lastModified }: Version): FastifyReply {
  return reply.headers({
    etag,
    'last-modified': lastModified,
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
  });
}

/** Null when the file went away since the library was read. */
async function openFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch {
    return null;
  }
}

/** A picture that browsers draw and that can't run scripts, or null. */
async function readCover({ cover, path }: LibraryItem): Promise<{ bytes: Buffer; mime: string } | null> {
  try {
    if (cover.in === 'nowhere') return null;
    // The manifest's schema admits PNG only.
    if (cover.in === 'file') return { bytes: await readFile(cover.path), mime: 'image/png' };
    const picture = await embeddedCover(path);
    if (picture === null || picture.data.length > maxCoverBytes || !coverTypes.has(picture.format)) return null;
    return { bytes: Buffer.from(picture.data), mime: picture.format };
  } catch {
    return null;
  }
}
