/**
 * Limits the open connections of one network, before any request: a client that opens thousands of silent connections
 * must not use up the file descriptors.
 */
import type { Server } from 'node:http';
import { networkOf, plain } from './address.ts';

/** Far above what a household or an office has open at once, far below what a process may have. */
const mostPerNetwork = 500;

/** `scale` is RATE_LIMIT_SCALE; 0 lifts the bound. Not for a server behind a proxy, where all come from one address. */
export function boundConnections(server: Server, scale: number): void {
  if (scale === 0) return;
  const most = Math.max(1, mostPerNetwork * scale);
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(plain(socket.remoteAddress ?? ''));
    const count = (open.get(network) ?? 0) + 1;
    if (count > most) {
      socket.resetAndDestroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
