/**
 * The routes for images of private chats: raw bytes up, WebP down. The service decides who may see an image.
 */
import { limits } from '@tunemate/protocol';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { type AdmitFile, createFileSlots } from '../../http/routes.ts';
import { sendRefusal } from '../../http/answers.ts';
import { refuse } from '../../system/ports.ts';
import { takeUploads } from '../uploads/upload-route.ts';
import type { ImagesService, ImageSize } from './images.ts';

const takenTypes = ['image/jpeg', 'image/png', 'image/webp'];
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
    const { upload } = images;
    takeUploads(http, { name: 'POST /api/chats/images', takenTypes, bodyLimit: limits.imageBytes, admitFile, upload });
    showImages(http, images, admitFile);
    done();
  };
}

function showImages(http: FastifyInstance, images: ImagesService, admitFile: AdmitFile): void {
  const hold = createFileSlots(shownAtOnce);

  async function show(caller: FileCaller, size: ImageSize, request: FastifyRequest, reply: FastifyReply) {
    hold(caller, reply);
    const found = await images.locate(caller.session.uid, (request.params as { imageId: string }).imageId, size);
    if (!found.ok) return sendRefusal(reply, found);
    const file = await found.value();
    if (!file?.bytes) return sendRefusal(reply, refuse('access/not-found'));
    const headers = { 'cache-control': cacheControl, vary: 'cookie', 'content-length': file.size };
    return reply.headers(headers).type('image/webp').send(file.bytes);
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
