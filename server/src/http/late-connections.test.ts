/** Slow connections, and too many of them, before anything is known about their clients. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

async function open(app: TestApp, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: app.app.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  // Unread answers would keep its end from being noticed.
  socket.resume();
  await once(socket, 'connect');
  return socket;
}

/** Whether the server still keeps it: one that it refused is closed at once. */
async function isKept(socket: Socket): Promise<boolean> {
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return await new Promise((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('close', () => resolve(false));
    if (socket.destroyed) resolve(false);
  });
}

describe('connections before a request', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ env: { RATE_LIMIT_SCALE: '0.02' } });
  });
  afterAll(() => app.close());

  test('one network holds a bounded number of connections; others still come in, and a closed one makes room', async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => open(app)));
    expect(await isKept(await open(app))).toBe(false);
    expect(await isKept(await open(app, '127.0.0.2'))).toBe(true);
    held[0]?.destroy();
    await expect.poll(async () => isKept(await open(app))).toBe(true);
    for (const socket of held) socket.destroy();
  });
});

describe('late requests', () => {
  test('a connection without any request does not delay a stop', async () => {
    const app = await startTestApp();
    const silent = await open(app);
    let said = '';
    silent.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const isOver = once(silent, 'close');
    await app.close();
    await isOver;
    // It was closed by the stop, not by its own timeout.
    expect(said).toBe('');
  });

  test('headers that do not come to an end are cut off each at its own time, not all at one rare look', async () => {
    const app = await startTestApp();
    const first = await open(app);
    const firstIsOver = once(first, 'close').then(() => 'first');
    first.write('GET /healthz HTTP/1.1\r\nX-Slow: ');
    await pause(5000);
    const second = await open(app);
    const secondIsOver = once(second, 'close').then(() => 'second');
    second.write('GET /healthz HTTP/1.1\r\nX-Slow: ');
    expect(await Promise.race([firstIsOver, secondIsOver])).toBe('first');
    // At a rare look both would be cut off together.
    expect(await Promise.race([secondIsOver, pause(1500, 'still open')])).toBe('still open');
    second.destroy();
    await app.close();
  });
});
