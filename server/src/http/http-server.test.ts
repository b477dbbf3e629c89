import type { Server } from 'node:http';
import { connect, type Socket, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { once } from 'node:events';
import { startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { uploadWithinMs } from '@tunemate/protocol';
import { readConfig } from '../config.ts';
import { createHttpServer, type BodyBounds, listening } from './http-server.ts';
import { createOrigins } from './address.ts';
import { createLog } from '../system/logging.ts';

/** What stands before a server, by the time for which it keeps an idle connection open to send the next request into it. */
test.each([
  ['nginx', 60],
  ['the load balancer of AWS', 60],
  ['HAProxy, as deploy/ sets it', 75],
  ['Traefik', 90],
  ['Caddy', 120],
])('an idle connection outlasts what %s keeps: %i s', async (_proxy, seconds) => {
  await using app = await startIdle();
  const answer = await fetch(app.url);
  const [, kept] = /timeout=(\d+)/u.exec(answer.headers.get('keep-alive') ?? '') ?? [];
  await answer.text();
  expect(Number(kept)).toBeGreaterThan(seconds);
});

test('a body may come as slowly as the page that sends it waits', async () => {
  await using app = await startIdle();
  expect(app.http.server.requestTimeout).toBeGreaterThanOrEqual(uploadWithinMs);
});

async function startIdle() {
  const http = createHttpServer({ log: createLog('silent'), origins: createOrigins(readConfig({})), connectTo: [] });
  await http.listen({ port: 0, host: '127.0.0.1' });
  return { http, url: http.listeningOrigin, [Symbol.asyncDispose]: () => http.close() };
}

/** Bodies while they arrive, over real connections: what they hold, and which are cut. */
describe('bodies', () => {
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  let server: Server;
  let close: () => Promise<void>;
  let sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    await close();
  });

  /** A server that answers each body with its length; the visitor's network is the header `x-network`. */
  async function open(bounds: Partial<BodyBounds>, answer: () => Promise<unknown> = () => Promise.resolve()) {
    const http = createHttpServer({
      log: silent,
      origins: createOrigins(readConfig({})),
      connectTo: [],
      networkOf: ({ headers }) => String(headers['x-network']),
      bodies: { mostBytes: 1e9, leastPerSecond: 16 * 1024, graceMs: 200, ...bounds },
    });
    http.addContentTypeParser('image/png', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
    http.post('/bytes', { bodyLimit: 1e8 }, async (request, reply) => {
      await answer();
      return reply.send(String((request.body as Buffer).length));
    });
    http.post('/refused', { onRequest: (_request, reply) => void reply.code(403).send('no') }, () => 'never');
    await http.listen({ port: 0, host: '127.0.0.1' });
    [server, close] = [http.server, () => http.close()];
    const { port } = new URL(http.listeningOrigin);

    return (path: string, length: number | 'chunked', network = 'a') => {
      const socket = connect({ port: Number(port), host: '127.0.0.1' });
      sockets.push(socket);
      socket.on('error', () => undefined);
      let said = '';
      socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const size = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${String(length)}`;
      const head = [`POST ${path} HTTP/1.1`, 'host: x', 'content-type: image/png', `x-network: ${network}`, size];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      const status = () => Number(/^HTTP\/1.1 (\d+)/.exec(said)?.[1] ?? 0);
      return {
        socket,
        status,
        isCut: new Promise<boolean>((resolve) => void socket.once('close', () => resolve(true))),
      };
    };
  }

  describe('a slow body', () => {
    test.each([
      ['read by its route', '/bytes', 5000],
      ['of unknown length', '/bytes', 'chunked'],
      ['that was refused before it was read', '/refused', 5000],
    ] as const)('%s is cut (HTTP-44)', async (_what, path, length) => {
      const send = await open({});
      const slow = send(path, length);
      const drip = setInterval(() => slow.socket.write(length === 'chunked' ? '1\r\nx\r\n' : 'x'), 20);
      expect(await slow.isCut).toBe(true);
      clearInterval(drip);
    });

    test('that comes fast enough is not cut, whatever the length and however slow the answer', async () => {
      const send = await open({ leastPerSecond: 100, graceMs: 800 }, () => pause(500));
      const whole = send('/bytes', 4000);
      for (let n = 0; n < 20; n += 1) {
        whole.socket.write('x'.repeat(200));
        await pause(50);
      }
      await expect.poll(whole.status).toBe(200);
    });

    test('that came while the process was held up is not cut', async () => {
      const send = await open({});
      const whole = send('/bytes', 4000);
      await once(server, 'request');
      await pause(20);
      // The timers that are due come before what has arrived.
      await nextTurn();
      whole.socket.write('x'.repeat(4000));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      await expect.poll(whole.status).toBe(200);
    });
  });

  describe('the bytes of bodies', () => {
    const part = 'x'.repeat(30_000);

    test('are a fifth of all for one network, and another network is not refused (HTTP-44)', async () => {
      const send = await open({ mostBytes: 500_000, graceMs: 60_000 });
      const held = Array.from({ length: 4 }, () => send('/bytes', 60_000, 'a'));
      for (const { socket } of held) socket.write(part);
      await expect.poll(() => held.filter(({ status }) => status() === 429).length).toBeGreaterThan(0);
      const other = send('/bytes', part.length, 'b');
      other.socket.write(part);
      await expect.poll(other.status).toBe(200);
    });

    test('of all networks that one IPv6 customer may own are one share (HTTP-44)', async () => {
      const send = await open({ mostBytes: 500_000, graceMs: 60_000 });
      const held = Array.from({ length: 8 }, (_each, n) => send('/bytes', 60_000, `2001:db8:7:${String(n)}00`));
      for (const { socket } of held) socket.write(part);
      await expect.poll(() => held.filter(({ status }) => status() === 429).length).toBeGreaterThan(0);
      const other = send('/bytes', part.length, '2001:db8:8:0');
      other.socket.write(part);
      await expect.poll(other.status).toBe(200);
    });

    test('that were only announced hold nothing', async () => {
      const send = await open({ mostBytes: 500_000, graceMs: 60_000 });
      for (let n = 0; n < 40; n += 1) send('/bytes', 90_000_000, 'a').socket.write('x');
      const own = send('/bytes', part.length, 'a');
      own.socket.write(part);
      await expect.poll(own.status).toBe(200);
    });

    test('are free again once answered or disconnected', async () => {
      const send = await open({ mostBytes: 500_000, graceMs: 60_000 });
      for (let n = 0; n < 8; n += 1) {
        const one = send('/bytes', n % 2 === 0 ? part.length : part.length + 1, 'a');
        one.socket.write(part);
        if (n % 2 === 0) await expect.poll(one.status).toBe(200);
        else await pause(20);
        one.socket.destroy();
        await one.isCut;
      }
      const last = send('/bytes', part.length, 'a');
      last.socket.write(part);
      await expect.poll(last.status).toBe(200);
    });
  });
});

/** Limits on slow and on many connections, before any request. */
describe('late connections', () => {
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
    });
  });
});

/** Several listeners on one port: how many connections a turn of the event loop accepts, and a port that is taken. */
describe('listeners', () => {
  const host = '127.0.0.1';
  const create = () =>
    createHttpServer({ log: createLog('silent'), origins: createOrigins(readConfig({})), connectTo: [] });

  test('a crowd that connects at once is accepted several connections a turn', async () => {
    const http = create();
    const { listen, close } = listening(http);
    await listen({ port: 0, host });
    const { port } = http.server.address() as AddressInfo;
    const crowd = Array.from({ length: 96 }, () => connect({ port, host }));
    const turns = new Set<number>();
    let turn = 0;
    let accepted = 0;
    http.server.on('connection', () => {
      accepted += 1;
      turns.add(turn);
    });
    while (accepted < crowd.length) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      turn += 1;
    }
    expect(turns.size).toBeLessThan(crowd.length / 2);
    for (const socket of crowd) socket.destroy();
    await close();
  });

  test('a port that another server of the same user has is refused', async () => {
    const [http, other] = [create(), create()];
    const first = listening(http);
    await first.listen({ port: 0, host });
    const { port } = http.server.address() as AddressInfo;
    await expect(listening(other).listen({ port, host })).rejects.toMatchObject({
      message: 'http.not-listening',
      cause: { code: 'EADDRINUSE' },
    });
    await Promise.all([first.close(), other.close()]);
  });
});
