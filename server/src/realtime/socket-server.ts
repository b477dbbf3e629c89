/**
 * Decides which upgrade requests become connections: origin by exact list, websocket only, text only, 16 KB a message,
 * a limited number of connections from one network. It does not know the requests inside a connection.
 */
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { ClientEvents, ServerEvents } from '@tunemate/protocol';
import { Server, type Socket } from 'socket.io';
import { Decoder, Encoder } from 'socket.io-parser';
import type { SessionOfCookie } from '../access/session.ts';
import type { Log } from '../system/ports.ts';
import { Tally } from '../system/tally.ts';
import { answerPingsOurselves, type FrameSource, limitFrames } from './frame-limit.ts';

export interface SocketData {
  session: { uid: string; sessionId: string };
  address: string;
}
export type IoServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
export type IoSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;

const maxMessageBytes = 16 * 1024;
export const helloMs = 5000;
const socketsPerNetwork = 100;

/**
 * Clients may send three types of packet: connect once, events as text, disconnect. Any other (binary, attachments,
 * acknowledgements that were not requested) ends the connection before its data is collected.
 */
class TextDecoder extends Decoder {
  #hasConnected = false;
  override add(chunk: unknown): void {
    const type = typeof chunk === 'string' ? chunk.charAt(0) : '';
    if (type === '0' ? this.#hasConnected : type !== '1' && type !== '2') throw new Error('unsupported packet type');
    this.#hasConnected ||= type === '0';
    super.add(chunk);
  }
}

/** A request as the engine below Socket.IO hands it on, with the parameters of its address decoded. */
interface EngineRequest extends IncomingMessage {
  readonly _query: Readonly<Record<string, string>>;
}

/** A connection of the engine below Socket.IO. */
interface Opened {
  readonly request: IncomingMessage;
  readonly transport: { readonly socket: FrameSource };
  on(event: 'close', listener: () => void): void;
}

type RefusedStatus = 400 | 403 | 429 | 503;

export interface HandshakeDeps {
  /** Exact scheme, host and port of every origin that may connect. */
  isOwnOrigin: (origin: string) => boolean;
  /** The visitor's address as limits count it: an IPv4 address, or an IPv6 network. */
  networkOf: (request: IncomingMessage) => string;
  sessionOfCookie: SessionOfCookie;
  /** False when this network opens connections too fast (20/s, burst 100). */
  mayConnect: (network: string) => Promise<boolean>;
  log: Pick<Log, 'warn'>;
  /** `RATE_LIMIT_SCALE`; 0 lifts the bounds for load tests. */
  limitScale: number;
  /** A whole answer without a body, with the headers of every answer. */
  bareAnswer: (status: RefusedStatus) => string;
}

export function createSocketServer(http: HttpServer, deps: HandshakeDeps): IoServer {
  const perNetwork = new Tally<string>();
  // Node removes its error listener at an upgrade; without one, a reset before the answer would end the process.
  http.on('upgrade', (_request, socket) => socket.on('error', () => socket.destroy()));
  const io: IoServer = new Server(http, {
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: maxMessageBytes,
    connectTimeout: helloMs,
    pingInterval: 25_000,
    pingTimeout: 20_000,
    cors: { origin: false },
    parser: { Encoder, Decoder: TextDecoder },
    allowRequest: (request, decide) => {
      void admit(request)
        .catch((): RefusedStatus => 503)
        .then((refused) => {
          if (refused !== null) turnAway(request, refused);
          decide(null, refused === null);
        })
        .catch(() => request.socket.destroy());
    },
  });

  warnWithoutUpgrade(io, deps.log);
  holdToOneTransport(io, turnAway);

  /** The engine would answer 400 to every refusal; it does nothing once an answer was sent. */
  function turnAway(request: IncomingMessage, status: RefusedStatus): void {
    request.socket.end(deps.bareAnswer(status));
  }

  /** Null when the connection is allowed. */
  async function admit(request: IncomingMessage): Promise<RefusedStatus | null> {
    const { origin } = request.headers;
    if (!origin || !deps.isOwnOrigin(origin)) return 403;
    const network = deps.networkOf(request);
    const isFull = perNetwork.of(network) >= socketsPerNetwork * deps.limitScale;
    if (deps.limitScale !== 0 && isFull) return 429;
    return (await deps.mayConnect(network)) ? null : 429;
  }

  // The engine makes its WebSocket server anew when it listens.
  http.on('listening', () => answerPingsOurselves(io.engine));
  io.engine.on('connection', (engine: Opened) => {
    limitFrames(engine.transport.socket, engine.request.socket, deps.limitScale);
    const network = deps.networkOf(engine.request);
    perNetwork.add(network);
    engine.on('close', () => perNetwork.remove(network));
  });

  io.use((socket, next) => {
    const { request } = socket;
    deps.sessionOfCookie(request.headers.cookie).then(
      (session) => {
        if (session.status !== 'signed-in') {
          next(new Error(session.status === 'unverified' ? 'auth/email-unverified' : 'auth/required'));
          return;
        }
        socket.data.session = { uid: session.uid, sessionId: session.sessionId };
        socket.data.address = deps.networkOf(request);
        // It is not read again, and takes the most memory of an idle connection.
        (socket.conn as { request: IncomingMessage | null }).request = null;
        next();
      },
      () => next(new Error('server/unavailable')),
    );
  });
  return io;
}

/** Pages ask with an upgrade only. A proxy that takes it away leaves them reconnecting for ever, and looks healthy. */
function warnWithoutUpgrade(io: IoServer, log: HandshakeDeps['log']): void {
  let hasWarned = false;
  io.engine.on('connection_error', ({ req }: { req: IncomingMessage }) => {
    if (hasWarned || req.headers.upgrade !== undefined || !/[?&]transport=websocket/u.test(req.url ?? '')) return;
    hasWarned = true;
    const advice =
      'let the proxy pass the WebSocket upgrades of /socket.io/ through: pages can connect in no other way';
    log.warn({ peer: req.socket.remoteAddress, advice }, 'socket.without-upgrade');
  });
}

/**
 * A request that names an open connection would give it a second transport, past every check and bound of this file. The
 * engine asks `allowRequest` for new connections only, and leaves such a request over plain HTTP without an answer.
 */
function holdToOneTransport(io: IoServer, turnAway: (request: IncomingMessage, status: 400) => void): void {
  io.engine.use((request: EngineRequest, _response: unknown, next: (refusal?: Error) => void) => {
    const { transport, EIO: version, sid } = request._query;
    const isUpgrade = request.headers.upgrade !== undefined;
    // The engine's own answer would have none of our headers.
    if (isUpgrade && (transport !== 'websocket' || version !== '4' || sid !== undefined)) turnAway(request, 400);
    else next(sid === undefined ? undefined : new Error('a connection has one transport'));
  });
}
