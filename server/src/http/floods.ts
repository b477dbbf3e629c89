/**
 * When a network is no longer heard: every request of it counts towards a wide bound, and once it was refused again and
 * again its connections are ended, and for a while new ones are closed before anything is read from them. So a refusal
 * costs nearly nothing. Behind a trusted proxy, whose connections are everybody's, only the answers are short.
 */
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createLimits } from '../access/limits.ts';
import { countedKeys, customerOf } from '../system/networks.ts';
import { type Clock, refuse } from '../system/ports.ts';
import { networkOf as networkOfAddress, peerOf } from './address.ts';
import { RefusedRequest, statusOf } from './answers.ts';

const refusalsToClose = 20;
const withinMs = 10_000;
const closedMs = 10_000;
/** Networks remembered; beyond that the old ones are looked through. */
const mostKnown = 10_000;

interface FloodsDeps {
  /** The visitor's address as limits count it. */
  networkOf: (request: IncomingMessage) => string;
  clock: Pick<Clock, 'now'>;
  /** RATE_LIMIT_SCALE; 0 lifts all of this. */
  scale: number;
  isBehindProxy: boolean;
}

/** Call it before other hooks are added. */
export function boundFloods(http: FastifyInstance, { networkOf, clock, scale, isBehindProxy }: FloodsDeps) {
  // Of this process alone: asking another service for each file would cost more than sending it.
  const limits = createLimits({ clock, scale });
  const refusals = new Map<string, { count: number; untilMs: number }>();
  const closedUntil = new Map<string, number>();
  const open = new Map<string, Set<Socket>>();
  const inTurn = oneEachTurn();

  /** Closed are a network and the wider ones that one customer may own. */
  function closedFor(network: string): number {
    if (closedUntil.size === 0) return 0;
    const untilMs = countedKeys(network).map(([key]) => closedUntil.get(key) ?? 0);
    return Math.max(0, Math.max(...untilMs) - clock.now());
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
      const own = known && known.untilMs > nowMs ? known : { count: 0, untilMs: nowMs + withinMs };
      own.count += 1;
      refusals.set(key, own);
      if (own.count >= refusalsToClose * shares) close(key, nowMs);
    }
  }

  function close(key: string, nowMs: number): void {
    refusals.delete(key);
    closedUntil.set(key, nowMs + closedMs);
    // The last refusal is still being written.
    setImmediate(() => {
      for (const [network, sockets] of open) {
        const isWithin = countedKeys(network).some(([counted]) => counted === key);
        if (isWithin) sockets.forEach((socket) => socket.destroy());
      }
    });
  }

  if (scale > 0 && !isBehindProxy) {
    http.server.on('connection', (socket: Socket) => {
      const network = networkOfAddress(peerOf(socket));
      if (closedFor(network) > 0) return void socket.resetAndDestroy();
      const own = open.get(network) ?? new Set();
      open.set(network, own.add(socket));
      socket.once('close', () => {
        own.delete(socket);
        if (own.size === 0 && open.get(network) === own) open.delete(network);
      });
    });
    // A live connection of somebody in that network, which has limits of its own.
    http.server.on('upgrade', (_request, socket: Socket) => {
      open.get(networkOfAddress(peerOf(socket)))?.delete(socket);
    });
  }
  if (scale > 0) {
    refuseUnrouted(http.server, (request) => closedFor(networkOf(request)));
    http.addHook('onRequest', async (request) => {
      const network = networkOf(request.raw);
      await inTurn(network);
      const taken = await limits.take('requestsIp', network);
      if (taken.ok) return;
      refused(network);
      throw new RefusedRequest(taken);
    });
  }
  return { refused };
}

/**
 * Refuses requests before the framework sees them, which costs less than a refusal of its own. `waitMsOf` is 0 for a
 * request that may go on.
 */
function refuseUnrouted(server: Server, waitMsOf: (request: IncomingMessage) => number): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const waitMs = waitMsOf(request);
    if (waitMs === 0) return handlers.forEach((handle) => handle.call(server, request, response));
    const body = JSON.stringify(refuse('limit/too-many', { retryAfterMs: waitMs }));
    response.statusCode = statusOf['limit/too-many'];
    response.setHeader('connection', 'close');
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('retry-after', String(Math.ceil(waitMs / 1000)));
    response.end(body);
  });
}

/**
 * Lets one request of each customer begin in a turn of the event loop: what others sent meanwhile is read before the next
 * one of many that came at once.
 */
function oneEachTurn(): (network: string) => Promise<void> | undefined {
  /** Of each customer with a request in this turn, those that wait for the next turns. */
  const waiting = new Map<string, (() => void)[]>();

  function nextTurn(): void {
    for (const [customer, queue] of waiting) {
      const start = queue.shift();
      if (start) start();
      else waiting.delete(customer);
    }
    if (waiting.size > 0) setImmediate(nextTurn);
  }

  return (network) => {
    const customer = customerOf(network);
    const queue = waiting.get(customer);
    if (queue) return new Promise((start) => void queue.push(start));
    if (waiting.size === 0) setImmediate(nextTurn);
    waiting.set(customer, []);
    return undefined;
  };
}
