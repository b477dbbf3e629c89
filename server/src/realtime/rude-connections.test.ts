import { startServerProcess } from '@tunemate/testkit/process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

/** Asks for an upgrade, then breaks the connection with a reset after `afterMs`. */
async function resetUpgrade(port: number, path: string, protocol: string, afterMs: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: Upgrade', `Upgrade: ${protocol}`];
  const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  socket.write(`${[...lines, ...key].join('\r\n')}\r\n\r\n`);
  await pause(afterMs);
  socket.resetAndDestroy();
}

describe('rude connections', () => {
  it('WIRE-46 an upgrade request that is reset before its answer does not end the server', async () => {
    const server = await startServerProcess();
    const port = Number(new URL(server.url).port);
    for (const path of ['/x', '/socket.io/?EIO=4&transport=websocket', '/api/session'])
      for (const protocol of ['websocket', 'h2c'])
        for (const afterMs of [0, 5, 150, 600]) await resetUpgrade(port, path, protocol, afterMs);
    await pause(300);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.log()).not.toContain('server.failed');
    await server.dispose();
  });
});
