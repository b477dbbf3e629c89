/**
 * One envelope for every answer: `{ok:true,value}` or `{ok:false,error:{code,…}}`. Every error becomes a code; its
 * details go to the log and never to the client.
 */
import type { ErrorCode } from '@tunemate/protocol';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { asFailure } from '../storage/failures.ts';
import { Failure, type Log, refuse, type Refused } from '../system/ports.ts';

/** Thrown to end a request before its handler: hooks and body readers have no other way to answer. */
export class RefusedRequest extends Error {
  readonly refused: Refused;
  constructor(refused: Refused) {
    super(refused.error.code);
    this.refused = refused;
  }
}

/** Sends a refusal with its status, and `Retry-After` in seconds where there is one. */
export function sendRefusal(reply: FastifyReply, refused: Refused): FastifyReply {
  const { code, retryAfterMs } = refused.error;
  if (retryAfterMs !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000)));
  const body = JSON.stringify({ ok: false, error: refused.error });
  return reply
    .code(statusOf[code])
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(body);
}

const codesOfFastify: Partial<Record<string, Refused>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: refuse('input/too-large'),
  // A form or plain text: what another site can send without a preflight request.
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refuse('access/cross-site'),
};

/** Answers every error and every unknown `/api/` address in the envelope. */
export function answerErrors(http: FastifyInstance, log: Log): void {
  http.setErrorHandler((thrown: FastifyError, request, reply) => {
    // The client disconnected before its request was complete: no answer is needed, and nothing of ours failed.
    if (request.raw.destroyed && !request.raw.complete) return sendRefusal(reply, refuse('input/invalid'));
    const error = asFailure(thrown);
    if (error instanceof RefusedRequest) return sendRefusal(reply, error.refused);
    if (error instanceof Failure) {
      log.warn({ route: request.routeOptions.url, code: error.code, err: error }, `request.${error.message}`);
      return sendRefusal(reply, refuse(error.code));
    }
    const own = codesOfFastify[thrown.code];
    if (own) return sendRefusal(reply, own);
    if (thrown.statusCode !== undefined && thrown.statusCode < 500) return sendRefusal(reply, refuse('input/invalid'));
    log.error({ route: request.routeOptions.url, err: thrown }, 'request.failed');
    return sendRefusal(reply, refuse('server/failed'));
  });
}

/** Clients read the code; proxies and logs read the status. */
export const statusOf: Record<ErrorCode, number> = {
  'auth/required': 401,
  'auth/email-unverified': 403,
  'session/elsewhere': 409,
  'auth/already-verified': 409,
  'auth/mail-refused': 409,
  'auth/invalid-credentials': 401,
  'auth/code-invalid': 410,
  'auth/password-weak': 422,
  'auth/disabled': 403,
  'auth/sign-up-closed': 403,
  'auth/invitation-needed': 403,
  'auth/too-many-wait': 429,
  'access/forbidden': 403,
  'access/not-found': 404,
  'access/cross-site': 403,
  'room/not-found': 404,
  'room/not-member': 403,
  'room/host-only': 403,
  'room/ended': 410,
  'room/full': 409,
  'room/too-many-requests-pending': 429,
  'room/request-resolved': 409,
  'room/declined-for-good': 403,
  'room/too-many-live-rooms': 409,
  'room/removed': 403,
  'room/locked': 403,
  'room/offer-over': 409,
  'room/host-changed': 409,
  'playback/lease-lost': 409,
  'playback/overtaken': 409,
  'playback/given-up': 409,
  'playback/queue-changed': 409,
  'playback/queue-full': 409,
  'playback/queue-long': 409,
  'proposals/too-many': 409,
  'proposals/full': 409,
  'soulmate/taken': 409,
  'soulmate/self-taken': 409,
  'chat/first-contact-limit': 429,
  'input/invalid': 422,
  'input/too-large': 413,
  'input/conflict': 409,
  'input/unsupported': 415,
  'limit/too-many': 429,
  'limit/stored-today': 429,
  'limit/stored-in-all': 429,
  'server/busy': 503,
  'server/storage-full': 507,
  'server/unavailable': 503,
  'server/failed': 500,
  'client/outdated': 409,
};
