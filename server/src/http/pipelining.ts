/**
 * Ends connections that send a request before the last one was answered (pipelining). Browsers and proxies do not; a
 * client that does, and reads nothing, would make the server build all answers at once: files open, everything in
 * memory.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Tally } from '../system/tally.ts';

const requestsUnderWay = 10;

export function limitPipelining(http: FastifyInstance): void {
  const underWay = new Tally<Socket>();
  http.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    if (underWay.of(socket) >= requestsUnderWay) {
      // This request is not answered; those that were read together with it come here too.
      reply.hijack();
      socket.destroy();
      return;
    }
    underWay.add(socket);
    reply.raw.once('close', () => underWay.remove(socket));
    done();
  });
}
