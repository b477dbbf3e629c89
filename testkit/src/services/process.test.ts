import { expect, test } from 'vitest';
import { startServerProcess } from './process.ts';

test('ends a server like a power cut and starts it again on the same port', async () => {
  const server = await startServerProcess();
  try {
    const firstPid = server.pid;
    await server.kill();
    await expect(fetch(`${server.url}/readyz`)).rejects.toThrow();
    await server.restart();
    expect(server.pid).not.toBe(firstPid);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  } finally {
    await server.dispose();
  }
});

test('reports what the server printed when it does not start', async () => {
  await expect(startServerProcess({ env: { PORT: 'not-a-port' } })).rejects.toThrow('PORT');
});
