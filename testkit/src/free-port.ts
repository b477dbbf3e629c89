/**
 * Finds TCP ports for servers that tests start.
 * The port is free when it is given out; whoever starts a server on it must still expect that it may be taken.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port on 127.0.0.1 that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
