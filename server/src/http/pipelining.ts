/**
 * Ends connections that ask for more before they were answered. Browsers and proxies never do; whoever does, and reads
 * nothing, would have every answer made at once: files opened, and all of it kept in memory.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const requestsUnderWay = 10;

export function limitPipelining(http: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>();
  http.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (underWay.get(socket) ?? 0) + 1;
    if (count > requestsUnderWay) {
      // Nothing answers this one: those that were read together with it come here too.
      reply.hijack();
      socket.destroy();
      return;
    }
    underWay.set(socket, count);
    reply.raw.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    done();
  });
}
