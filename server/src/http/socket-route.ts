/**
 * Answers requests for the socket that ask for no upgrade. Pages ask with one only: a proxy that takes it away leaves
 * them reconnecting for ever, and looks healthy.
 */
import { socketPath } from '@tunemate/protocol';
import type { FastifyInstance } from 'fastify';
import { type Log, refuse } from '../system/ports.ts';

const advice = `let the proxy pass the WebSocket upgrades of ${socketPath} through: pages can connect in no other way`;

export function socketRoute(http: FastifyInstance, log: Pick<Log, 'warn'>): void {
  let hasWarned = false;
  http.get(socketPath, (request, reply) => {
    const isOfPage = request.headers['sec-websocket-key'] !== undefined && request.headers.upgrade === undefined;
    if (isOfPage && !hasWarned) {
      hasWarned = true;
      log.warn({ peer: request.socket.remoteAddress, advice }, 'socket.without-upgrade');
    }
    return reply.code(400).send(refuse('input/invalid'));
  });
}
