/**
 * Makes the HTTP server: its timeouts and limits, its headers, how bodies are read and errors answered. It knows no
 * routes.
 */
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { type Log, refuse } from '../system/ports.ts';
import { answerErrors, sendRefusal } from './answers.ts';
import { readOnlyJson } from './json-body.ts';
import type { Origins } from './origins.ts';
import { limitPipelining } from './pipelining.ts';
import { readWith, writeWith } from './schemas.ts';
import { sendSecurityHeaders } from './security-headers.ts';

const bodyLimitBytes = 16 * 1024;
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 30_000;
/** How often Node checks those timeouts; its default is every 30 s. */
const lookForLateMs = 2000;
const maxHeaderBytes = 16 * 1024;
/** An answer is aborted when the client reads none of it for so long; a paused player requests the rest later. */
const stalledAfterMs = 2 * 60 * 1000;

export interface HttpServerOptions {
  log: Log;
  origins: Origins;
  /** Further origins that pages may send requests to (TOKEN_SYNC_URL). */
  connectTo: readonly string[];
  /** Tests only. */
  stalledMs?: number;
}

export function createHttpServer({
  log,
  origins,
  connectTo,
  stalledMs = stalledAfterMs,
}: HttpServerOptions): FastifyInstance {
  const http = Fastify({
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: stalledMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: lookForLateMs,
      maxHeaderSize: maxHeaderBytes,
      // Any other upgrade is answered as a plain request, for clients that only offer one (h2c).
      shouldUpgradeCallback: ({ url }) => url?.startsWith('/socket.io/') === true,
    },
    logger: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256 },
    // An address that can't be decoded is unknown.
    frameworkErrors: (_error, _request, reply) => void sendRefusal(reply as FastifyReply, refuse('access/not-found')),
  });
  http.setValidatorCompiler(readWith);
  http.setSerializerCompiler(writeWith);
  limitPipelining(http);
  sendSecurityHeaders(http, { origins, connectTo });
  answerErrors(http, log);
  readOnlyJson(http);
  return http;
}
