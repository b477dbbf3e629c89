/**
 * The way in and out for images of private chats: raw bytes up, WebP down. Who may see one is the service's decision.
 */
import { createReadStream } from 'node:fs';
import { limits as sizes, uid as uidSchema, type Uid } from '@tunemate/protocol';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Limits } from '../access/limits.ts';
import type { Session, SessionOfCookie } from '../access/session.ts';
import { sendRefusal } from '../http/answers.ts';
import type { Origins } from '../http/origins.ts';
import { isFromOwnPage } from '../http/same-site.ts';
import { type Outcome, refuse } from '../ports.ts';
import type { ImagesService } from './images-service.ts';

/** What an address shows never changes; shared caches must not answer others. */
const cacheControl = 'private, max-age=31536000, immutable';
const imageSizes = { preview: 'preview', full: 'full' } as const;

export interface ImagesRoutesDeps {
  images: ImagesService;
  limits: Limits;
  origins: Pick<Origins, 'isOwn'>;
  sessionOfCookie: SessionOfCookie;
}

/** `POST /api/chats/images?uid=` with the bytes as body, and `GET /api/chats/images/:imageId/:size`. */
export function imagesRoutes({ images, limits, origins, sessionOfCookie }: ImagesRoutesDeps): FastifyPluginCallback {
  const callers = new WeakMap<FastifyRequest, Uid>();

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (request.method === 'POST' && !isFromOwnPage(request.headers, origins)) {
      return sendRefusal(reply, refuse('access/cross-site'));
    }
    const caller = uidOf(await sessionOfCookie(request.headers.cookie));
    if (!caller.ok) return sendRefusal(reply, caller);
    const taken = await limits.take('general', caller.value);
    if (!taken.ok) return sendRefusal(reply, taken);
    callers.set(request, caller.value);
    return undefined;
  }

  async function upload(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const other = uidSchema.safeParse((request.query as { uid?: unknown }).uid);
    if (!other.success || !Buffer.isBuffer(request.body)) return sendRefusal(reply, refuse('input/invalid'));
    const outcome = await images.upload(callers.get(request) as Uid, other.data, request.body);
    return outcome.ok ? reply.send(outcome) : sendRefusal(reply, outcome);
  }

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { imageId, size } = request.params as { imageId: string; size: string };
    if (!Object.hasOwn(imageSizes, size)) return sendRefusal(reply, refuse('access/not-found'));
    const found = await images.locate(
      callers.get(request) as Uid,
      imageId,
      imageSizes[size as keyof typeof imageSizes],
    );
    if (!found.ok) return sendRefusal(reply, found);
    return reply.header('cache-control', cacheControl).type(found.value.type).send(createReadStream(found.value.path));
  }

  return (http, _options, done) => {
    http.addContentTypeParser(/^image\//, { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
    http.route({
      method: 'POST',
      url: '/api/chats/images',
      bodyLimit: sizes.imageBytes,
      onRequest: admit,
      handler: upload,
    });
    http.route({ method: 'GET', url: '/api/chats/images/:imageId/:size', onRequest: admit, handler: show });
    done();
  };
}

function uidOf(session: Session): Outcome<Uid> {
  if (session.status === 'signed-out') return refuse('auth/required');
  if (session.status === 'unverified') return refuse('auth/email-unverified');
  return { ok: true, value: session.uid };
}
