/**
 * How bodies arrive: what has come counts, and not what was announced. The bytes held of all bodies are bounded, those
 * of one network to a share of them, and a body that comes slower than a modem is cut. It knows no route.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { customerOf } from '../system/networks.ts';
import { refuse } from '../system/ports.ts';
import { RefusedRequest } from './answers.ts';

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
export function boundBodies(
  http: FastifyInstance,
  networkOf: (request: IncomingMessage) => string,
  { mostBytes, leastPerSecond, graceMs }: BodyBounds = usual,
): void {
  const ledger = createLedger(mostBytes);
  const cutWhenSlow = createPace(leastPerSecond, graceMs);

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

/** Ends the connections of bodies that come too slowly. A body is watched until it is complete. */
function createPace(leastPerSecond: number, graceMs: number): (request: IncomingMessage) => void {
  const coming = new Map<IncomingMessage, { sinceMs: number; readBefore: number }>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const nowMs = performance.now();
    for (const [request, { sinceMs, readBefore }] of coming) {
      const { socket, complete } = request;
      const elapsedMs = nowMs - sinceMs;
      const isSlow = elapsedMs >= graceMs && socket.bytesRead - readBefore < (leastPerSecond * elapsedMs) / 1000;
      if (isSlow && !complete) socket.destroy();
      if (complete || socket.destroyed) coming.delete(request);
    }
    if (coming.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return (request) => {
    if (!coming.has(request)) coming.set(request, { sinceMs: performance.now(), readBefore: request.socket.bytesRead });
    timer ??= setInterval(look, graceMs / looksPerGrace).unref();
  };
}
