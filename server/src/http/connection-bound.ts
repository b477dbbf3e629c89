/**
 * Limits the open connections of one network, before any request: a client that opens thousands of silent connections
 * must not use up the file descriptors.
 */
import type { Server } from 'node:http';
import { Tally } from '../system/tally.ts';
import { networkOf, peerOf } from './address.ts';

/** Far above what a household or an office has open at once, far below what a process may have. */
const mostPerNetwork = 500;

/** `scale` is RATE_LIMIT_SCALE; 0 lifts the bound. Not for a server behind a proxy, where all come from one address. */
export function boundConnections(server: Server, scale: number): void {
  if (scale === 0) return;
  const most = Math.max(1, mostPerNetwork * scale);
  const open = new Tally<string>();
  server.on('connection', (socket) => {
    const network = networkOf(peerOf(socket));
    if (open.of(network) + 1 > most) {
      socket.resetAndDestroy();
      return;
    }
    open.add(network);
    socket.once('close', () => open.remove(network));
  });
}
