/**
 * The socket's outer wall: which upgrade requests become connections at all. Origin by exact list, websocket only, text
 * only, 16 KB a message, a bounded number of connections an address. What is said inside is the connection's business.
 */
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { ClientEvents, ServerEvents } from '@tunemate/protocol';
import { Server, type Socket } from 'socket.io';
import { Decoder, Encoder } from 'socket.io-parser';
import type { SessionOfCookie } from '../access/session.ts';

export interface SocketData {
  session: { uid: string; sessionId: string };
  address: string;
}
export type IoServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
export type IoSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;

/** access.md §5, WebSocket. */
const maxMessageBytes = 16 * 1024;
const helloMs = 5000;
const socketsPerAddress = 100;

/** Our protocol is text: a binary frame or an announced attachment ends the connection before anything is collected. */
class TextDecoder extends Decoder {
  override add(chunk: unknown): void {
    if (typeof chunk !== 'string' || /^[56]/.test(chunk)) throw new Error('binary packets are not spoken here');
    super.add(chunk);
  }
}

export interface WallDeps {
  /** Exact scheme, host and port of every origin that may connect. */
  isOwnOrigin: (origin: string) => boolean;
  addressOf: (request: IncomingMessage) => string;
  sessionOfCookie: SessionOfCookie;
  /** False when this address opens connections too fast (20/s, burst 100). */
  mayConnect: (address: string) => Promise<boolean>;
  /** `RATE_LIMIT_SCALE`; 0 lifts the bounds for load tests. */
  limitScale: number;
}

export function createSocketServer(http: HttpServer, deps: WallDeps): IoServer {
  const perAddress = new Map<string, number>();
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
      admit(request).then(
        (isAdmitted) => decide(null, isAdmitted),
        () => decide(null, false),
      );
    },
  });

  async function admit(request: IncomingMessage): Promise<boolean> {
    const { origin } = request.headers;
    if (!origin || !deps.isOwnOrigin(origin)) return false;
    const address = deps.addressOf(request);
    const isFull = (perAddress.get(address) ?? 0) >= socketsPerAddress * deps.limitScale;
    return (deps.limitScale === 0 || !isFull) && (await deps.mayConnect(address));
  }

  io.engine.on(
    'connection',
    (engineSocket: { request: IncomingMessage; on(event: 'close', listener: () => void): void }) => {
      const address = deps.addressOf(engineSocket.request);
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
      engineSocket.on('close', () => {
        const left = (perAddress.get(address) ?? 1) - 1;
        if (left > 0) perAddress.set(address, left);
        else perAddress.delete(address);
      });
    },
  );

  io.use((socket, next) => {
    const { request } = socket;
    deps.sessionOfCookie(request.headers.cookie).then(
      (session) => {
        if (session.status !== 'signed-in') {
          next(new Error(session.status === 'unverified' ? 'auth/email-unverified' : 'auth/required'));
          return;
        }
        socket.data.session = { uid: session.uid, sessionId: session.sessionId };
        socket.data.address = deps.addressOf(request);
        next();
      },
      () => next(new Error('server/unavailable')),
    );
  });
  return io;
}
