/**
 * Decides which upgrade requests become connections: origin by exact list, websocket only, text only, 16 KB a message,
 * a limited number of connections from one network. It does not know the requests inside a connection.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Socket as NetSocket } from 'node:net';
import { pingEveryMs, pongWithinMs, type Refusal, socketPath, writeEvent } from '@tunemate/protocol';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';
import type { SessionOfCookie } from '../access/session.ts';
import { openPerNetwork } from '../system/networks.ts';
import { type Log, refuse } from '../system/ports.ts';
import { settledWithin } from '../system/within.ts';
import { limitFrames } from './frame-limit.ts';
import { Link } from './link.ts';

export const maxMessageBytes = 16 * 1024;
export const helloMs = 5000;
/** How long a client has to close its side; afterwards the connection is ended without it. */
const closeWithinMs = 5000;
const socketsPerNetwork = 100;
/** Where pages up to protocol 8 open a connection of Socket.IO. */
const formerPath = '/socket.io/';

/** Whether an upgrade of this address is answered as one. */
export const takesUpgrade = (url = ''): boolean => pathOf(url) === socketPath || url.startsWith(formerPath);

const pathOf = (url = ''): string => url.split('?', 1)[0] ?? '';

type RefusedStatus = 400 | 403 | 429 | 503;

export interface HandshakeDeps {
  /** Exact scheme, host and port of every origin that may connect. */
  isOwnOrigin: (origin: string) => boolean;
  /** The visitor's address as limits count it: an IPv4 address, or an IPv6 network. */
  networkOf: (request: IncomingMessage) => string;
  sessionOfCookie: SessionOfCookie;
  /** False when this network opens connections too fast (20/s, burst 100). */
  mayConnect: (network: string) => Promise<boolean>;
  /** `RATE_LIMIT_SCALE`; 0 lifts the bounds for load tests. */
  limitScale: number;
  /** A whole answer without a body, with the headers of every answer. */
  bareAnswer: (status: RefusedStatus) => string;
}

export interface SocketServer {
  /** Called for each connection of a signed-in person, before anything of it is read. */
  onLink(listener: (link: Link) => void): void;
  /** Accepts no more, and resolves when all are closed; those that are open after so many milliseconds are cut off. */
  close(withinMs: number): Promise<void>;
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly net: NetSocket;
  readonly head: Buffer;
  readonly network: string;
}

export function createSocketServer(http: HttpServer, deps: HandshakeDeps): SocketServer {
  const connections = openConnections(socketsPerNetwork * deps.limitScale);
  const beats = heartbeats();
  const websockets = createWebSockets(deps);
  let opened: (link: Link) => void = () => undefined;
  let isClosing = false;

  http.on('upgrade', (request, socket, head) => {
    const net = socket as NetSocket;
    // Node removes its error listener at an upgrade; without one, a reset before the answer would end the process.
    net.on('error', () => net.destroy());
    void decide({ request, net, head, network: deps.networkOf(request) })
      .catch((): RefusedStatus => 503)
      .then((refused) => {
        if (refused !== null) net.end(deps.bareAnswer(refused));
      })
      .catch(() => net.destroy());
  });

  /** Null when the connection was opened, which may be only to give the reason for its end. */
  async function decide(upgrade: Upgrade): Promise<RefusedStatus | null> {
    const { request, net, network } = upgrade;
    const { url, headers } = request;
    if (!takesUpgrade(url)) return 400;
    if (!headers.origin || !deps.isOwnOrigin(headers.origin)) return 403;
    if (deps.limitScale !== 0 && connections.isFull(network)) return 429;
    connections.add(net, network);
    if (!(await deps.mayConnect(network))) return 429;
    if (pathOf(url) !== socketPath) return accept(upgrade, refuseFormerPage);
    const session = await deps.sessionOfCookie(headers.cookie).catch(() => null);
    return accept(upgrade, (websocket) => {
      if (session?.status !== 'signed-in') return sayGoodbye(websocket, refusalOf(session));
      const { uid, sessionId } = session;
      const link = new Link(websocket, net, { session: { uid, sessionId }, address: network });
      net.once('close', beats.add(link));
      opened(link);
    });
  }

  function accept({ request, net, head }: Upgrade, use: (websocket: WebSocket) => void): RefusedStatus | null {
    if (isClosing) return 503;
    websockets.handleUpgrade(request, net, head, (websocket) => {
      // The library closes the connection itself, with the code of the error.
      websocket.on('error', () => undefined);
      limitFrames(websocket, net, deps.limitScale);
      use(websocket);
    });
    return null;
  }

  return {
    onLink: (listener) => void (opened = listener),
    async close(withinMs) {
      isClosing = true;
      beats.close();
      await connections.close(withinMs);
    },
  };
}

function createWebSockets({ bareAnswer }: HandshakeDeps): WebSocketServer {
  const websockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    // `limitFrames` answers them: the library would also answer thousands that were read ahead in a flood.
    autoPong: false,
    // Its types do not know this one yet.
    ...({ closeTimeout: closeWithinMs } as object),
    handleProtocols: () => false,
  });
  // The library's own answer would have none of our headers.
  websockets.on('wsClientError', (_error, socket) => void socket.end(bareAnswer(400)));
  return websockets;
}

/** The sockets that asked for an upgrade, from then until they are closed. */
function openConnections(mostPerNetwork: number) {
  const open = new Set<NetSocket>();
  const perNetwork = openPerNetwork(mostPerNetwork);
  return {
    isFull: perNetwork.isFull,
    add(net: NetSocket, network: string): void {
      open.add(net);
      net.once('close', () => open.delete(net));
      net.once('close', perNetwork.add(network));
    },
    async close(withinMs: number): Promise<void> {
      await settledWithin(
        withinMs,
        Array.from(open, (net) => once(net, 'close')),
      );
      for (const net of open) net.destroy();
    },
  };
}

/** Null stands for a session that could not be read. */
function refusalOf(session: Awaited<ReturnType<SessionOfCookie>> | null): Refusal {
  if (session === null) return { code: 'server/unavailable' };
  return { code: session.status === 'unverified' ? 'auth/email-unverified' : 'auth/required' };
}

function sayGoodbye(websocket: WebSocket, why: Refusal): void {
  websocket.send(writeEvent('goodbye', why));
  websocket.close(1000);
}

/** What the library of such a page takes for an open connection and a refusal: the page reloads, and is a new one. */
function refuseFormerPage(websocket: WebSocket): void {
  const engine = { sid: 'none', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: maxMessageBytes };
  websocket.send(`0${JSON.stringify(engine)}`);
  websocket.send(`44${JSON.stringify({ message: 'client/outdated' })}`);
  websocket.close(1000);
}

const advice = `let the proxy pass the WebSocket upgrades of ${socketPath} through: pages can connect in no other way`;

/**
 * Answers requests for the socket that a proxy made plain ones. Pages ask for an upgrade only: a proxy that takes it
 * away leaves them reconnecting for ever, and looks healthy.
 */
export function socketRoute(http: FastifyInstance, log: Pick<Log, 'warn'>): void {
  let hasWarned = false;
  http.get(socketPath, (request, reply) => {
    const { headers } = request;
    // What browsers send; a proxy of HTTP/2 drops the key.
    const isOfPage = headers['sec-websocket-key'] !== undefined || headers['sec-fetch-mode'] === 'websocket';
    if (isOfPage && !hasWarned) {
      hasWarned = true;
      log.warn({ peer: request.socket.remoteAddress, advice }, 'socket.without-upgrade');
    }
    return reply.code(400).send(refuse('input/invalid'));
  });
}

// Pings every link at its interval and ends those that do not answer, with one timer for all: each link has a turn
// among the turns of an interval.

const turns = 25;
const turnMs = pingEveryMs / turns;
/**
 * So many turns after its ping a link is due. Turns are counted, not time: a process that was held up ends no
 * connection.
 */
const turnsToAnswer = Math.ceil(pongWithinMs / turnMs);

type Beating = Pick<Link, 'ping' | 'terminate' | 'heardAtMs'>;

/** Another time for a turn is for tests. */
export function heartbeats(everyMs = turnMs) {
  const linksOf = Array.from({ length: turns }, () => new Set<Beating>());
  const pingedAtMs = Array.from({ length: turns }, () => -Infinity);
  let now = 0;
  let next = 0;

  function turn(): void {
    now = (now + 1) % turns;
    const due = (now + turns - turnsToAnswer) % turns;
    const sinceMs = pingedAtMs[due] ?? 0;
    for (const link of linksOf[due] ?? []) if (link.heardAtMs < sinceMs) link.terminate('silent');
    pingedAtMs[now] = performance.now();
    for (const link of linksOf[now] ?? []) link.ping();
  }
  const timer = setInterval(turn, everyMs).unref();

  return {
    /** Returns what ends its heartbeat. */
    add(link: Beating): () => void {
      next = (next + 1) % turns;
      const links = linksOf[next];
      links?.add(link);
      return () => void links?.delete(link);
    },
    close: () => clearInterval(timer),
  };
}
