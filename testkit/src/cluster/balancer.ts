/**
 * A small balancer: one address before several servers of this machine. Each request and each WebSocket goes to the
 * next server that is ready; one that does not take connections, or whose /readyz says no, is passed over. It knows
 * HTTP, nothing of what the servers do.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createProxyServer } from 'httpxy';
import { freePort } from '../services/free-port.ts';

export interface BalancerOptions {
  /** Origins of the servers. */
  readonly servers: readonly string[];
  readonly port?: number;
  readonly host?: string;
}

export interface Balancer {
  /** Its origin, the same over restarts. */
  readonly url: string;
  /** The servers that it sends visitors to. */
  ready(): readonly string[];
  /** Ends as in a crash: every connection is reset, and no process listens. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const lookEveryMs = 500;
const answerWithinMs = 2000;
const connectWithinMs = 1000;

/** Starts it on `port`, or on a free one, of 127.0.0.1 or `host`. */
export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const { servers, host = '127.0.0.1', port = await freePort() } = options;
  const next = new NextServer(servers);
  const carried = new Set<Socket>();
  // The agent decides where a connection goes.
  const proxy = createProxyServer({ target: 'http://127.0.0.1', agent: next, changeOrigin: false });
  proxy.on('error', (_error, _request, answer) => refuse(answer));

  const listen = async () => {
    // Who offers another protocol gets an answer in this one; else Node leaves it to us, and the visitor gets none.
    const shouldUpgradeCallback = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket';
    const front = createServer(
      { shouldUpgradeCallback },
      (request, response) => void proxy.web(withoutOffer(named(request)), response),
    );
    front.on('upgrade', (request, socket, head) => void proxy.ws(named(request), socket as Socket, {}, head));
    front.on('connection', (socket) => keepWhileOpen(carried, socket));
    front.listen(port, host);
    await once(front, 'listening');
    return front;
  };
  let front = await listen();
  await next.look();
  const looking = setInterval(() => void next.look(), lookEveryMs);
  const kill = async () => {
    if (!front.listening) return;
    const closed = once(front, 'close');
    front.close();
    for (const socket of [...carried, ...next.carried]) socket.resetAndDestroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${String(port)}`,
    ready: () => next.ready(),
    kill,
    restart: async () => void (front = await listen()),
    async stop() {
      clearInterval(looking);
      await kill();
    },
  };
}

/** Opens each connection to the next server that takes it. */
class NextServer extends Agent {
  readonly carried = new Set<Socket>();
  readonly #servers: readonly string[];
  readonly #away = new Set<string>();
  #turn = 0;

  constructor(servers: readonly string[]) {
    super({ keepAlive: false });
    this.#servers = servers;
  }

  ready(): readonly string[] {
    return this.#servers.filter((server) => !this.#away.has(server));
  }

  /** Asks every server whether it is ready. */
  async look(): Promise<void> {
    await Promise.all(
      this.#servers.map(async (server) => {
        const signal = AbortSignal.timeout(answerWithinMs);
        const isReady = await fetch(`${server}/readyz`, { signal }).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) this.#away.delete(server);
        else this.#away.add(server);
      }),
    );
  }

  override createConnection(_options: object, opened?: (error: Error | null, socket: Duplex) => void): undefined {
    void this.#open().then(
      (socket) => opened?.(null, socket),
      // A failed connection has no socket; the types do not say so.
      (error: unknown) => (opened as ((error: unknown) => void) | undefined)?.(error),
    );
  }

  async #open(): Promise<Socket> {
    const first = (this.#turn += 1);
    // When none says that it is ready, each may be tried.
    const ready = this.ready();
    const candidates = ready.length > 0 ? ready : this.#servers;
    for (let n = 0; n < candidates.length; n += 1) {
      const server = candidates[(first + n) % candidates.length] as string;
      const socket = await connected(Number(new URL(server).port));
      if (socket) {
        keepWhileOpen(this.carried, socket);
        return socket;
      }
      this.#away.add(server);
    }
    throw new Error('no server takes connections');
  }
}

/** Null when no process listens there, or does not answer in time. */
function connected(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const give = (result: Socket | null) => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      if (result === null) socket.on('error', () => undefined).destroy();
      resolve(result);
    };
    const timer = setTimeout(() => give(null), connectWithinMs);
    socket.once('connect', () => give(socket));
    socket.once('error', () => give(null));
  });
}

function keepWhileOpen(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

/** Names the visitor, whatever they said of themselves. */
function named(request: IncomingMessage): IncomingMessage {
  request.headers['x-forwarded-for'] = request.socket.remoteAddress ?? '';
  return request;
}

/** What was offered and is not taken must not reach the server as an offer. */
function withoutOffer(request: IncomingMessage): IncomingMessage {
  delete request.headers.upgrade;
  delete request.headers['http2-settings'];
  if (/upgrade/i.test(request.headers.connection ?? '')) delete request.headers.connection;
  return request;
}

function refuse(answer: ServerResponse | Socket | undefined): void {
  if (answer === undefined) return;
  if ('writeHead' in answer && !answer.headersSent) answer.writeHead(503, { connection: 'close' }).end();
  else answer.destroy();
}
