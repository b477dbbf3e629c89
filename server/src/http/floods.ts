/**
 * Blocks networks that keep exceeding their limit. Every request of a network counts towards a wide bound. After
 * several refusals the server ends the network's connections, and for a while closes new ones before it reads anything
 * from them, so that a refusal costs nearly nothing. Connections of a trusted proxy carry the requests of all visitors:
 * there the server sends a short, late answer instead. Requests that pass are served in turn, and beyond a burst at a
 * pace.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { paces } from '../access/paces.ts';
import { createLimits } from '../access/limits.ts';
import { createSlots } from '../access/slots.ts';
import { countedKeys, customerOf } from '../system/networks.ts';
import { createPace, type PaceBounds } from '../system/pace.ts';
import { type Clock, refuse } from '../system/ports.ts';
import { networkOf as networkOfAddress, peerOf } from './address.ts';
import { RefusedRequest, statusOf } from './answers.ts';

const refusalsToClose = 20;
const withinMs = 10_000;
const closedMs = 10_000;
/**
 * Behind a proxy a refusal to a closed network waits this long, so that a loop of requests is slow; so many at once.
 */
const refusalWaitsMs = 500;
const held = { perKey: 200, inAll: 2000 };
/** Networks remembered; beyond that the old ones are looked through. */
const mostKnown = 10_000;

interface FloodsDeps {
  /** The visitor's address as limits count it. */
  networkOf: (request: IncomingMessage) => string;
  clock: Pick<Clock, 'now'>;
  /** RATE_LIMIT_SCALE; 0 lifts all of this. */
  scale: number;
  isBehindProxy: boolean;
  /** Tests only. */
  bytes?: PaceBounds;
}

/** Call it before other hooks are added. */
export function boundFloods(http: FastifyInstance, deps: FloodsDeps) {
  const { networkOf, clock, scale, isBehindProxy, bytes } = deps;
  // Of this process alone: asking another service for each file would cost more than sending it.
  const limits = createLimits({ clock, scale });
  const refusals = new Map<string, { count: number; untilMs: number }>();
  const closedUntil = new Map<string, number>();

  /** Closed are a network and the wider ones that one customer may own. */
  function closedFor(network: string): number {
    if (closedUntil.size === 0) return 0;
    const untilMs = countedKeys(network).map(([key]) => closedUntil.get(key) ?? 0);
    return leftOf(closedMs, Math.max(...untilMs), clock.now());
  }

  function forgetPast(nowMs: number): void {
    if (refusals.size + closedUntil.size < mostKnown) return;
    for (const [network, { untilMs }] of refusals) if (untilMs <= nowMs) refusals.delete(network);
    for (const [network, untilMs] of closedUntil) if (untilMs <= nowMs) closedUntil.delete(network);
  }

  /** A limit of this network refused a request of it. */
  function refused(network: string): void {
    if (scale === 0) return;
    const nowMs = clock.now();
    forgetPast(nowMs);
    for (const [key, shares] of countedKeys(network)) {
      const known = refusals.get(key);
      const own = known && leftOf(withinMs, known.untilMs, nowMs) > 0 ? known : { count: 0, untilMs: nowMs + withinMs };
      own.count += 1;
      refusals.set(key, own);
      if (own.count >= refusalsToClose * shares) close(key, nowMs);
    }
  }

  function close(key: string, nowMs: number): void {
    refusals.delete(key);
    closedUntil.set(key, nowMs + closedMs);
    endConnections(key);
  }

  const endConnections = isBehindProxy || scale === 0 ? () => undefined : connectionsOf(http.server, closedFor);
  if (scale > 0) {
    const hold = heldRefusals();
    refuseUnrouted(http.server, (request, response, answer) => {
      const network = networkOf(request);
      const waitMs = closedFor(network);
      if (waitMs > 0) hold(customerOf(network), response, () => answer(waitMs));
      return waitMs > 0;
    });
    paceAnswers(http, { networkOf, scale, bytes });
    const inTurn = paceRequests(scale, refused);
    http.addHook('onRequest', async (request) => {
      const network = networkOf(request.raw);
      await inTurn(network, bodyBytesOf(request.raw));
      const taken = await limits.take('requestsIp', network);
      if (taken.ok) return;
      refused(network);
      throw new RefusedRequest(taken);
    });
  }
  return { refused };
}

/** One that does not say how long it is may be as long as the longest. */
function bodyBytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity;
  return Number(headers['content-length'] ?? 0);
}

/** Closes connections of closed networks unread. Returns what ends those that are open, by the key that is closed. */
function connectionsOf(server: Server, closedFor: (network: string) => number): (key: string) => void {
  const open = new Map<string, Set<Socket>>();
  server.on('connection', (socket: Socket) => {
    const network = networkOfAddress(peerOf(socket));
    if (closedFor(network) > 0) return void socket.resetAndDestroy();
    const own = open.get(network) ?? new Set();
    open.set(network, own.add(socket));
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0 && open.get(network) === own) open.delete(network);
    });
  });
  // A live connection of a page in that network, which has limits of its own.
  server.on('upgrade', (_request, socket: Socket) => {
    open.get(networkOfAddress(peerOf(socket)))?.delete(socket);
  });
  return (key) => {
    // The last refusal is still being written.
    setImmediate(() => {
      for (const [network, sockets] of open) {
        const isWithin = countedKeys(network).some(([counted]) => counted === key);
        if (isWithin) sockets.forEach((socket) => socket.destroy());
      }
    });
  };
}

/** Refuses requests before the framework sees them, which costs less than a refusal of its own. */
function refuseUnrouted(
  server: Server,
  isClosed: (request: IncomingMessage, response: ServerResponse, answer: (waitMs: number) => void) => boolean,
): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const answer = (waitMs: number) => {
      const body = JSON.stringify(refuse('limit/too-many', { retryAfterMs: waitMs }));
      response.statusCode = statusOf['limit/too-many'];
      response.setHeader('connection', 'close');
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.setHeader('retry-after', String(Math.ceil(waitMs / 1000)));
      response.end(body);
    };
    if (isClosed(request, response, answer)) return;
    handlers.forEach((handle) => handle.call(server, request, response));
  });
}

/** Keeps refusals waiting, but only so many: beyond that they are written at once. */
function heldRefusals() {
  const slots = createSlots(held);
  return (customer: string, response: ServerResponse, answer: () => void): void => {
    const slot = slots.take(customer);
    if (!slot.ok) return answer();
    const timer = setTimeout(answer, refusalWaitsMs);
    response.once('close', () => {
      clearTimeout(timer);
      slot.value();
    });
  };
}

/** What is left of so many milliseconds: nothing where the clock was set back behind their beginning. */
function leftOf(ms: number, untilMs: number, nowMs: number): number {
  const leftMs = untilMs - nowMs;
  return leftMs > ms ? 0 : Math.max(0, leftMs);
}

// The pace of each customer: when requests begin, and answers go out.

/** Where more wait, the next ones are refused. */
const mostWaiting = 1750;
/** Smaller answers go out as they are. */
const leastPacedBytes = 16 * 1024;
const againAfterMs = 10_000;

/** Of RATE_LIMIT_SCALE; a smaller one slows no network down. */
function scaled({ burst, perSecond }: PaceBounds, scale: number): PaceBounds {
  const times = Math.max(1, scale);
  return { burst: burst * times, perSecond: perSecond * times };
}

/**
 * Resolves when a request of this network may begin, and its body may be read: also the body of a request that is
 * refused later is read to its end. Throws the refusal of one where too many wait.
 */
function paceRequests(
  scale: number,
  refused: (network: string) => void,
): (network: string, bodyBytes: number) => Promise<void> {
  const pace = createPace(scaled(paces.httpRequests, scale));
  const bodies = createPace(scaled(paces.receivedBytes, scale));
  return async (network, bodyBytes) => {
    const customer = customerOf(network);
    if (pace.waitingOf(customer) >= mostWaiting) {
      refused(network);
      throw new RefusedRequest(refuse('limit/too-many', { retryAfterMs: againAfterMs }));
    }
    await pace.take(customer, 1);
    if (bodyBytes >= leastPacedBytes) await bodies.take(customer, Math.min(bodyBytes, paces.receivedBytes.burst));
  };
}

interface AnswersDeps {
  networkOf: (request: IncomingMessage) => string;
  scale: number;
  bytes?: PaceBounds | undefined;
}

/** Files, pictures and pages go out by turns, and to no reader faster than their share of the line. */
function paceAnswers(http: FastifyInstance, { networkOf, scale, bytes = paces.sentBytes }: AnswersDeps): void {
  const pace = createPace(scaled(bytes, scale));
  http.addHook('onSend', async (request, _reply, payload: unknown) => {
    const customer = customerOf(networkOf(request.raw));
    if (Buffer.isBuffer(payload) && payload.length >= leastPacedBytes) await pace.take(customer, payload.length);
    if (!(payload instanceof Readable)) return payload;
    const paced = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const wait = pace.take(customer, chunk.length);
        if (wait === undefined) done(null, chunk);
        else void wait.then(() => done(null, chunk));
      },
    });
    // Ending one of the two streams ends both.
    return pipeline(payload, paced, () => undefined);
  });
}
