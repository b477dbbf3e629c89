/**
 * Makes the HTTP server: its timeouts and limits, its headers, how bodies are read and errors answered. It knows no
 * routes.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { safeEncode, safeParse, type ZodType } from 'zod';
import { isWithinJsonLimits } from '../access/limits.ts';
import { type Log, refuse, type Refused } from '../system/ports.ts';
import { Tally } from '../system/tally.ts';
import { networkOf, peerOf } from './address.ts';
import { answerErrors, RefusedRequest, sendRefusal } from './answers.ts';
import type { Origins } from './origins.ts';
import { sendSecurityHeaders } from './security-headers.ts';

const bodyLimitBytes = 16 * 1024;
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 30_000;
/** How often Node checks those timeouts; its default is every 30 s. */
const lookForLateMs = 2000;
const maxHeaderBytes = 16 * 1024;
/** An answer is aborted when the client reads none of it for so long; a paused player requests the rest later. */
const stalledAfterMs = 2 * 60 * 1000;

interface HttpServerOptions {
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

/** Reads request bodies: JSON and nothing else, uncompressed, of a shape any of our messages could have. */
function readOnlyJson(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      const body: unknown = JSON.parse(String(text));
      if (!isWithinJsonLimits(body)) throw new SyntaxError('JSON outside the limits');
      done(null, body);
    } catch {
      done(new RefusedRequest(refuse('input/invalid')));
    }
  });
  http.addHook('onRequest', (request, _reply, done) => {
    // A compressed body has no size before it is unpacked; we never unpack one.
    const encoding = request.headers['content-encoding'] ?? 'identity';
    done(encoding === 'identity' ? undefined : new RefusedRequest(refuse('input/too-large')));
  });
}

/** The first field that the schema refused; unknown names come from the client and are not repeated. */
function invalid(path: readonly PropertyKey[]): Refused {
  const field = String(path.find((part) => part !== '') ?? '');
  return /^[a-zA-Z]{1,40}$/.test(field) ? refuse('input/invalid', { field }) : refuse('input/invalid');
}

/** Checks requests by our zod schemas: what does not fit is refused before the handler. */
const readWith: FastifySchemaCompiler<ZodType> =
  ({ schema }) =>
  (sent) => {
    const read = safeParse(schema, sent);
    return read.success
      ? { value: read.data }
      : { error: new RefusedRequest(invalid(read.error.issues[0]?.path ?? [])) };
  };

/** Writes only what the schema of the answer names; an answer that does not fit is our mistake, and fails. */
const writeWith: FastifySerializerCompiler<ZodType> =
  ({ schema, method, url }) =>
  (answer) => {
    const written = safeEncode(schema, answer);
    if (!written.success) throw new Error(`an answer to ${method} ${url} is not its own`, { cause: written.error });
    return JSON.stringify(written.data);
  };

const requestsUnderWay = 10;

/**
 * Ends connections that send a request before the last one was answered (pipelining). Browsers and proxies do not; a
 * client that does, and reads nothing, would make the server build all answers at once: files open, everything in
 * memory.
 */
function limitPipelining(http: FastifyInstance): void {
  const underWay = new Tally<Socket>();
  http.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    if (underWay.of(socket) >= requestsUnderWay) {
      // This request is not answered; those that were read together with it come here too.
      reply.hijack();
      socket.destroy();
      return;
    }
    underWay.add(socket);
    reply.raw.once('close', () => underWay.remove(socket));
    done();
  });
}

/** Far above what a household or an office has open at once, far below what a process may have. */
const mostPerNetwork = 500;

/**
 * Limits the open connections of one network, before any request: a client that opens thousands of silent connections
 * must not use up the file descriptors. `scale` is RATE_LIMIT_SCALE; 0 lifts the bound. Not for a server behind a
 * proxy, where all come from one address.
 */
export function boundConnections(server: Server, scale: number): void {
  if (scale === 0) return;
  const most = Math.max(1, mostPerNetwork * scale);
  const open = new Tally<string>();
  server.on('connection', (socket) => {
    const network = networkOf(peerOf(socket));
    if (open.of(network) + 1 > most) {
      socket.resetAndDestroy();
      return;
    }
    open.add(network);
    socket.once('close', () => open.remove(network));
  });
}
