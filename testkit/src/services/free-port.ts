/**
 * Finds TCP ports for servers that tests start.
 * The port is free when it is given out; the caller that starts a server on it must still expect that it may be taken.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: one of those would take the port before its server. */
const [lowest, above] = [12_000, 32_000];

/** A port on 127.0.0.1 that no process listened on a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, above);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
