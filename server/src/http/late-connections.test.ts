/** Limits on slow and on many connections, before any request. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

async function open(app: TestApp, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: app.app.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  // With unread data the socket would not emit 'close'.
  socket.resume();
  // One over the limit may be reset before it counts as connected.
  await new Promise((resolve) => {
    for (const event of ['connect', 'close']) socket.once(event, resolve);
  });
  return socket;
}

/** Whether the server keeps the connection; it closes a refused one at once. */
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

  test('the number of connections per network is limited; other networks connect, and a closed one frees a place', async () => {
    const opened = await Promise.all(Array.from({ length: 11 }, () => open(app)));
    const kept = await Promise.all(opened.map(isKept));
    expect(kept.filter(Boolean)).toHaveLength(10);
    const held = opened.filter((_, index) => kept[index]);
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
    // The stop closed it, not its own timeout.
    expect(said).toBe('');
  });

  test('incomplete headers are cut off each at its own timeout, not all at one rare check', async () => {
    const app = await startTestApp();
    const first = await open(app);
    const firstIsOver = once(first, 'close').then(() => 'first');
    first.write('GET /healthz HTTP/1.1\r\nX-Slow: ');
    await pause(5000);
    const second = await open(app);
    const secondIsOver = once(second, 'close').then(() => 'second');
    second.write('GET /healthz HTTP/1.1\r\nX-Slow: ');
    expect(await Promise.race([firstIsOver, secondIsOver])).toBe('first');
    // A rare check would cut off both together.
    expect(await Promise.race([secondIsOver, pause(1500, 'still open')])).toBe('still open');
    second.destroy();
    await app.close();
  });
});
