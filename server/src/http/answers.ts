/**
 * One envelope for every answer: `{ok:true,value}` or `{ok:false,error:{code,…}}`. Every error becomes a code; its
 * details go to the log and never to the client.
 */
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { Failure, type Log, type Refused, refuse } from '../system/ports.ts';
import { asFailure } from '../storage/failures.ts';
import { statusOf } from './status.ts';

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

/** Fastify's own refusals, by its codes. */
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
