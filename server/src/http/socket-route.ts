/**
 * Answers requests for the socket that a proxy made plain ones. Pages ask for an upgrade only: a proxy that takes it away leaves
 * them reconnecting for ever, and looks healthy.
 */
import { socketPath } from '@tunemate/protocol';
import type { FastifyInstance } from 'fastify';
import { type Log, refuse } from '../system/ports.ts';

const advice = `let the proxy pass the WebSocket upgrades of ${socketPath} through: pages can connect in no other way`;

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
