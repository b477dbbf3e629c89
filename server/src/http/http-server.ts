/**
 * Makes the HTTP server: timeouts and limits, headers, body parsing, error answers; no routes.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { createServer, type AddressInfo, type ListenOptions, type Server as Listener, type Socket } from 'node:net';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifySchemaCompiler,
  type FastifySerializerCompiler,
} from 'fastify';
import { safeEncode, safeParse, type ZodType } from 'zod';
import { isWithinJsonLimits } from '../access/limits.ts';
import { takesUpgrade } from '../realtime/socket-server.ts';
import { systemCode, Failure, refuse, type Log, type Refused } from '../system/ports.ts';
import { openPerNetwork, customerOf } from '../system/networks.ts';
import { Tally } from '../system/tally.ts';
import { apiAddress } from './pages.ts';
import { uploadWithinMs } from '@tunemate/protocol';
import { networkOf, peerOf, type Origins } from './address.ts';
import { answerErrors, RefusedRequest, sendRefusal } from './answers.ts';
import { answersWithHeaders, bareAnswer, commonHeaders, sendSecurityHeaders } from './security-headers.ts';

const bodyLimitBytes = 16 * 1024;
const headersTimeoutMs = 15_000;
/** Longer than a proxy keeps its connections to this server (Caddy: 120 s), or it sends into one that is just closed. */
const idleMs = 130_000;
/** How often Node checks those timeouts; its default is every 30 s. */
const checkTimeoutsEveryMs = 2000;
const maxHeaderBytes = 16 * 1024;
/** An answer is aborted after its client has read nothing for this long; a paused player requests the rest later. */
const stalledAfterMs = 2 * 60 * 1000;

interface HttpServerOptions {
  log: Log;
  origins: Origins;
  /** Further origins that pages may send requests to (TOKEN_SYNC_URL). */
  connectTo: readonly string[];
  /** Further origins that media and pictures may come from (MEDIA_URL). */
  mediaFrom?: readonly string[];
  /** Further origins that pages may play films from (MEDIA_HOSTS). */
  playFrom?: readonly string[];
  /** The visitor's address as limits count it; by default the peer's. */
  networkOf?: (request: IncomingMessage) => string;
  /** Tests only. */
  stalledMs?: number;
  bodies?: BodyBounds;
}

export function createHttpServer({
  log,
  origins,
  connectTo,
  mediaFrom = [],
  playFrom = [],
  networkOf: networkOfRequest = ({ socket }) => networkOf(peerOf(socket)),
  stalledMs = stalledAfterMs,
  bodies,
}: HttpServerOptions): FastifyInstance {
  const http = Fastify({
    bodyLimit: bodyLimitBytes,
    requestTimeout: uploadWithinMs,
    keepAliveTimeout: idleMs,
    connectionTimeout: stalledMs,
    http: {
      ServerResponse: answersWithHeaders(origins),
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkTimeoutsEveryMs,
      maxHeaderSize: maxHeaderBytes,
      // Any other upgrade is answered as a plain request, for clients that only offer one (h2c).
      shouldUpgradeCallback: ({ url }) => takesUpgrade(url),
    },
    logger: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256 },
    // What Node can't read as a request never reaches a route.
    clientErrorHandler: (error, socket) => refuseUnread(error, socket, commonHeaders(origins)),
    frameworkErrors: ({ code }, request, reply) => answerUnroutable(code, request, reply as FastifyReply),
  });
  http.setValidatorCompiler(readWith);
  http.setSerializerCompiler(writeWith);
  limitPipelining(http);
  boundBodies(http, networkOfRequest, bodies);
  sendSecurityHeaders(http, origins, { connectTo, mediaFrom, playFrom });
  answerErrors(http, log);
  readOnlyJson(http);
  refuseNul(http);
  return http;
}

/** An address that can't be decoded is unknown: people read that on a page, at the same address spelled out. */
function answerUnroutable(code: string, { method, url }: { method: string; url: string }, reply: FastifyReply): void {
  const isPage = code === 'FST_ERR_BAD_URL' && method === 'GET' && !apiAddress.test(url);
  if (!isPage) return void sendRefusal(reply, refuse('access/not-found'));
  const [path = ''] = url.split('?');
  // Behind two slashes a browser reads the name of another site.
  void reply.redirect(`/${path.replace(/^[/\\]+/u, '').replaceAll('%', '%25')}`, 302);
}

const statusOfUnread: Partial<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers bytes that are no request, or one that is too large or too slow, and ends the connection. */
function refuseUnread({ code = '' }: Error & { code?: string }, socket: Socket, headers: Record<string, string>): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(refuse('input/invalid'));
  socket.end(bareAnswer(statusOfUnread[code] ?? 400, body, headers), () => socket.destroy());
}

/** Accepts only uncompressed JSON bodies, within the limits on size and depth. */
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

/** Nothing has a NUL in its name, and PostgreSQL fails on a text with one. Bodies are looked through by themselves. */
function refuseNul(http: FastifyInstance): void {
  http.addHook('onRequest', (request, _reply, done) => {
    const at = request.url.indexOf('%00');
    if (at < 0) return done();
    const isOfPath = !request.url.slice(0, at).includes('?');
    done(new RefusedRequest(refuse(isOfPath ? 'access/not-found' : 'input/invalid')));
  });
}

/** Names the first field that the schema refused, but never repeats an arbitrary name that the client sent. */
function invalid(path: readonly PropertyKey[]): Refused {
  const field = String(path.find((part) => part !== '') ?? '');
  return /^[a-zA-Z]{1,40}$/.test(field) ? refuse('input/invalid', { field }) : refuse('input/invalid');
}

const readWith: FastifySchemaCompiler<ZodType> =
  ({ schema }) =>
  (sent) => {
    const read = safeParse(schema, sent);
    return read.success
      ? { value: read.data }
      : { error: new RefusedRequest(invalid(read.error.issues[0]?.path ?? [])) };
  };

/** Sends only the fields that the schema of the answer names; an answer that breaks it is a bug of ours and throws. */
const writeWith: FastifySerializerCompiler<ZodType> =
  ({ schema, method, url }) =>
  (answer) => {
    const written = safeEncode(schema, answer);
    if (!written.success) throw new Error(`an answer to ${method} ${url} is not its own`, { cause: written.error });
    return JSON.stringify(written.data);
  };

const maxPipelined = 10;

/**
 * Ends connections with more than `maxPipelined` unanswered requests. Browsers and proxies don't pipeline; a client
 * that does, and reads nothing, would make the server hold all its answers and their open files at once.
 */
function limitPipelining(http: FastifyInstance): void {
  const pending = new Tally<Socket>();
  http.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    if (pending.of(socket) >= maxPipelined) {
      reply.hijack();
      socket.destroy();
      return;
    }
    pending.add(socket);
    reply.raw.once('close', () => pending.remove(socket));
    done();
  });
}

/** Far more than a household or an office opens at once, far fewer than a process may open. */
const connectionsPerNetwork = 500;

/**
 * Limits the open connections of one network, before any request: a client that opens thousands of silent connections
 * must not use up the file descriptors. `scale` is RATE_LIMIT_SCALE; 0 lifts the limit. Not for a server behind a
 * proxy, where all connections come from one address.
 */
export function boundConnections(server: Server, scale: number): void {
  if (scale === 0) return;
  const open = openPerNetwork(connectionsPerNetwork * scale);
  server.on('connection', (socket) => {
    const network = networkOf(peerOf(socket));
    if (open.isFull(network)) socket.resetAndDestroy();
    else socket.once('close', open.add(network));
  });
}

const listeners = 16;

export interface Listening {
  /** Rejects with `http.not-listening` where the port or the address can't be had. */
  listen(at: { port: number; host: string }): Promise<void>;
  /** Accepts no more, and resolves once all connections are closed. */
  close(): Promise<void>;
}

/**
 * Listens with several listeners on one port: each accepts one connection a turn of the event loop, and a turn of a
 * busy server takes milliseconds.
 */
export function listening(http: FastifyInstance): Listening {
  const further: Listener[] = [];

  async function openFurther(): Promise<void> {
    const { port, address: host } = http.server.address() as AddressInfo;
    while (further.length + 1 < listeners) {
      const listener = await openListener({ port, host, reusePort: true });
      listener.on('connection', (socket) => http.server.emit('connection', socket));
      further.push(listener);
    }
  }

  async function openAll(at: { port: number; host: string }): Promise<void> {
    // Listeners that share a port would also share it with another server of this user: alone it has to be free.
    if (at.port !== 0) await closed(await openListener(at));
    const shared = { ...at, reusePort: true };
    try {
      await http.listen(shared);
    } catch (error) {
      if (systemCode(error) !== 'ENOTSUP') throw error;
      // Windows and macOS can't share a port; one listener serves there.
      await http.listen(at);
      return;
    }
    await openFurther();
  }

  return {
    // Named, because files and the database fail with the same codes.
    listen: (at) =>
      openAll(at).catch((error: unknown) => {
        throw new Failure('server/unavailable', 'http.not-listening', error);
      }),
    async close() {
      await Promise.all([http.close(), ...further.map(closed)]);
    },
  };
}

/** With the options that an HTTP server gives its sockets. */
async function openListener(options: ListenOptions): Promise<Listener> {
  const listener = createServer({ allowHalfOpen: true, noDelay: true });
  listener.listen(options);
  await once(listener, 'listening');
  return listener;
}

async function closed(listener: Listener): Promise<void> {
  listener.close();
  await once(listener, 'close');
}

// How bodies arrive: what has come counts, and not what was announced. The bytes held of all bodies are bounded, those
// of one network to a share of them, and a body that comes slower than a modem is cut. It knows no route.

const mebibyte = 1024 * 1024;

export interface BodyBounds {
  /** Bytes of all bodies that are being received or used. */
  mostBytes: number;
  /** A body slower than this many bytes a second is cut … */
  leastPerSecond: number;
  /** … once it has had this long. */
  graceMs: number;
}

const usual: BodyBounds = { mostBytes: 256 * mebibyte, leastPerSecond: 16 * 1024, graceMs: 2000 };
/** The share of one network: one of five. */
const shares = 5;
const againAfterMs = 2000;
const looksPerGrace = 4;

/** `networkOf` is the visitor's address as limits count it. */
function boundBodies(
  http: FastifyInstance,
  networkOf: (request: IncomingMessage) => string,
  { mostBytes, leastPerSecond, graceMs }: BodyBounds = usual,
): void {
  const ledger = createLedger(mostBytes);
  const cutWhenSlow = slowBodies(leastPerSecond, graceMs);

  http.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBody(request.raw)) return done(null, payload);
    // It is read from here on: until now the server let it wait.
    cutWhenSlow(request.raw);
    const network = customerOf(networkOf(request.raw));
    const refused = ledger.refusal(network);
    if (refused) return done(refused);
    let held = 0;
    let isOver = false;
    const free = () => {
      if (!isOver) ledger.hold(network, -held);
      isOver = true;
    };
    reply.raw.once('close', free);
    // In the same turn as the reader of the body, which therefore misses nothing.
    payload.on('data', (chunk: Buffer) => {
      if (isOver) return;
      held += chunk.length;
      ledger.hold(network, chunk.length);
      const tooMuch = ledger.refusal(network);
      if (!tooMuch) return;
      free();
      // The reader of the body refuses the request; the rest is read and forgotten.
      payload.emit('error', tooMuch);
    });
    done(null, payload);
  });
  // One that was refused unread is still coming, and holds its connection.
  http.addHook('onResponse', (request, _reply, done) => {
    if (hasBody(request.raw) && !request.raw.complete) cutWhenSlow(request.raw);
    done();
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Counts the bytes held, in all and of each network. */
function createLedger(mostBytes: number) {
  const heldOf = new Map<string, number>();
  let all = 0;
  return {
    hold(network: string, bytes: number): void {
      all += bytes;
      const own = (heldOf.get(network) ?? 0) + bytes;
      if (own > 0) heldOf.set(network, own);
      else heldOf.delete(network);
    },
    /** Null while another body of this network may be read. */
    refusal(network: string): RefusedRequest | null {
      const isOverShare = (heldOf.get(network) ?? 0) > mostBytes / shares;
      if (!isOverShare && all <= mostBytes) return null;
      return new RefusedRequest(refuse(isOverShare ? 'limit/too-many' : 'server/busy', { retryAfterMs: againAfterMs }));
    },
  };
}

/**
 * Ends the connections of bodies that come too slowly. A body is watched until it is complete. Looks are counted, not time:
 * while the process was held up it read nothing.
 */
function slowBodies(leastPerSecond: number, graceMs: number): (request: IncomingMessage) => void {
  const coming = new Map<IncomingMessage, { looks: number; readBefore: number }>();
  const everyMs = graceMs / looksPerGrace;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    for (const [request, body] of coming) {
      const { socket, complete } = request;
      const due = (leastPerSecond * body.looks * everyMs) / 1000;
      const isSlow = body.looks >= looksPerGrace && socket.bytesRead - body.readBefore < due;
      // The first one may come at once.
      body.looks += 1;
      if (isSlow && !complete) socket.destroy();
      if (complete || socket.destroyed) coming.delete(request);
    }
    if (coming.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return (request) => {
    if (!coming.has(request)) coming.set(request, { looks: 0, readBefore: request.socket.bytesRead });
    timer ??= setInterval(look, everyMs).unref();
  };
}
