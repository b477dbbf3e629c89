/**
 * The routes for images of private chats: raw bytes up, WebP down. The service decides who may see an image.
 */
import { createReadStream } from 'node:fs';
import { limits, uid } from '@tunemate/protocol';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { createSlots, type FreeSlot } from '../../access/slots.ts';
import { type AdmitFile, createFileSlots, throwIfRefused } from '../../http/routes.ts';
import { RefusedRequest, sendRefusal } from '../../http/answers.ts';
import { refuse } from '../../system/ports.ts';
import type { ImageSize } from './image-files.ts';
import type { ImagesService } from './images.ts';

const takenTypes = ['image/jpeg', 'image/png', 'image/webp'];
/** Of one user; the bytes of all bodies are bounded, and networks take turns at decoding. */
const uploadsAtOnce = { perKey: 2 };
/** Images sent to one user at once: a chat shows dozens, and each holds a file open. */
const shownAtOnce = 64;
/** An image never changes. Private: shared caches must not send it to other users. */
const cacheControl = 'private, max-age=86400, immutable';

type FileCaller = ReturnType<ReturnType<AdmitFile>['callerOf']>;

export interface ImagesRoutesDeps {
  images: ImagesService;
  admitFile: AdmitFile;
}

/** `POST /api/chats/images?with=` takes the bytes as its body; `GET …/:imageId` and `…/:imageId/preview` show them. */
export function imagesRoutes({ images, admitFile }: ImagesRoutesDeps): FastifyPluginCallback {
  return (http, _options, done) => {
    http.removeAllContentTypeParsers();
    http.addContentTypeParser(takenTypes, { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
    http.addContentTypeParser('*', (_request, body, parsed) => {
      body.resume();
      parsed(new RefusedRequest(refuse('input/unsupported')));
    });
    takeUploads(http, images, admitFile);
    showImages(http, images, admitFile);
    done();
  };
}

function takeUploads(http: FastifyInstance, images: ImagesService, admitFile: AdmitFile): void {
  const { onRequest, callerOf } = admitFile('POST /api/chats/images');
  const slots = createSlots(uploadsAtOnce);
  /** By request, until its handler runs: from then on the handler holds the slot. */
  const held = new WeakMap<FastifyRequest, FreeSlot>();

  http.route({
    method: 'POST',
    url: '/api/chats/images',
    bodyLimit: limits.imageBytes,
    onRequest: [
      onRequest,
      // Before the body is read, because bodies that wait are kept in memory.
      (request, reply, next) => {
        const slot = slots.take(callerOf(request).session.uid);
        throwIfRefused(slot);
        if (slot.ok) held.set(request, slot.value);
        reply.raw.once('close', () => held.get(request)?.());
        next();
      },
    ],
    handler: async (request, reply) => {
      const leave = held.get(request);
      // A client that disconnects keeps its slot until its picture is decoded.
      held.delete(request);
      try {
        const other = uid.safeParse((request.query as { with?: unknown }).with);
        if (!Buffer.isBuffer(request.body)) return sendRefusal(reply, refuse('input/invalid'));
        if (!other.success) return sendRefusal(reply, refuse('access/not-found'));
        const { session, network } = callerOf(request);
        const outcome = await images.upload(session.uid, other.data, request.body, network);
        return outcome.ok ? reply.send(outcome) : sendRefusal(reply, outcome);
      } finally {
        leave?.();
      }
    },
  });
}

function showImages(http: FastifyInstance, images: ImagesService, admitFile: AdmitFile): void {
  const hold = createFileSlots(shownAtOnce);

  async function show(caller: FileCaller, size: ImageSize, request: FastifyRequest, reply: FastifyReply) {
    hold(caller, reply);
    const found = await images.locate(caller.session.uid, (request.params as { imageId: string }).imageId, size);
    if (!found.ok) return sendRefusal(reply, found);
    const { path, type } = found.value;
    return reply.headers({ 'cache-control': cacheControl, vary: 'cookie' }).type(type).send(createReadStream(path));
  }

  for (const [url, size] of [
    ['/api/chats/images/:imageId', 'full'],
    ['/api/chats/images/:imageId/preview', 'preview'],
  ] as const) {
    const authorize = admitFile(`GET ${url}`);
    http.route({
      method: 'GET',
      url,
      onRequest: authorize.onRequest,
      handler: (request, reply) => show(authorize.callerOf(request), size, request, reply),
    });
  }
}
