/**
 * The HTTP server as everything else finds it: its bounds, its headers, how it reads and how it answers. Which routes
 * there are is not its business.
 */
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { type Log, refuse } from '../ports.ts';
import { answerErrors, sendRefusal } from './answers.ts';
import { readOnlyJson } from './json-body.ts';
import type { Origins } from './origins.ts';
import { limitPipelining } from './pipelining.ts';
import { sendSecurityHeaders } from './security-headers.ts';

const bodyLimitBytes = 16 * 1024;
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 30_000;
/** How often Node looks for requests past those times; its own choice would be every 30 s. */
const lookForLateMs = 2000;
const maxHeaderBytes = 16 * 1024;
/** Whoever takes nothing of an answer for so long has no use for it: players that pause ask again where they were. */
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
      // Any other upgrade is answered as the plain request it also is: clients that only offer one (h2c) get an answer.
      shouldUpgradeCallback: ({ url }) => url?.startsWith('/socket.io/') ?? false,
    },
    logger: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256 },
    // An address that can't be decoded names nothing.
    frameworkErrors: (_error, _request, reply) => void sendRefusal(reply as FastifyReply, refuse('access/not-found')),
  });
  http.setValidatorCompiler(validatorCompiler);
  http.setSerializerCompiler(serializerCompiler);
  limitPipelining(http);
  sendSecurityHeaders(http, { origins, connectTo });
  answerErrors(http, log);
  readOnlyJson(http);
  return http;
}
