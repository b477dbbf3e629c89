/**
 * The way in and out for images of private chats: raw bytes up, WebP down. Who may see one is the service's decision.
 */
import { createReadStream } from 'node:fs';
import { limits, uid } from '@tunemate/protocol';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { RefusedRequest, sendRefusal } from '../http/answers.ts';
import type { GateFile } from '../http/routes.ts';
import { refuse } from '../ports.ts';
import type { ImageSize } from './image-files.ts';
import type { ImagesService } from './images-service.ts';

const takenTypes = ['image/jpeg', 'image/png', 'image/webp'];
/** What an address shows never changes. Private: shared caches must not answer others. */
const cacheControl = 'private, max-age=86400, immutable';

export interface ImagesRoutesDeps {
  images: ImagesService;
  gateFile: GateFile;
}

/** `POST /api/chats/images?with=` takes the bytes as its body; `GET …/:imageId` and `…/:imageId/preview` show them. */
export function imagesRoutes({ images, gateFile }: ImagesRoutesDeps): FastifyPluginCallback {
  return (http, _options, done) => {
    http.removeAllContentTypeParsers();
    http.addContentTypeParser(takenTypes, { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
    http.addContentTypeParser('*', (_request, body, parsed) => {
      body.resume();
      parsed(new RefusedRequest(refuse('input/unsupported')));
    });

    const upload = gateFile('POST /api/chats/images');
    http.route({
      method: 'POST',
      url: '/api/chats/images',
      bodyLimit: limits.imageBytes,
      onRequest: upload.onRequest,
      handler: async (request, reply) => {
        const other = uid.safeParse((request.query as { with?: unknown }).with);
        if (!Buffer.isBuffer(request.body)) return sendRefusal(reply, refuse('input/invalid'));
        if (!other.success) return sendRefusal(reply, refuse('access/not-found'));
        const outcome = await images.upload(upload.visitOf(request).session.uid, other.data, request.body);
        return outcome.ok ? reply.send(outcome) : sendRefusal(reply, outcome);
      },
    });

    for (const [url, size] of [
      ['/api/chats/images/:imageId', 'full'],
      ['/api/chats/images/:imageId/preview', 'preview'],
    ] as const) {
      const gate = gateFile(`GET ${url}`);
      http.route({
        method: 'GET',
        url,
        onRequest: gate.onRequest,
        handler: (request, reply) => show(gate.visitOf(request).session.uid, size, request, reply),
      });
    }
    done();
  };

  async function show(
    caller: Parameters<ImagesService['locate']>[0],
    size: ImageSize,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const found = await images.locate(caller, (request.params as { imageId: string }).imageId, size);
    if (!found.ok) return sendRefusal(reply, found);
    const { path, type } = found.value;
    return reply.headers({ 'cache-control': cacheControl, vary: 'cookie' }).type(type).send(createReadStream(path));
  }
}
