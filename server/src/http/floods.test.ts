/** What becomes of a network that goes on after it was refused, over real connections. */
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { setImmediate } from 'node:timers/promises';
import { boundFloods } from './floods.ts';
import { createPace } from '../system/pace.ts';

describe('floods', () => {
  let app: TestApp;
  afterEach(() => app.close());

  /**
   * Sends the request `times` times over one connection, and says with which statuses it was answered until its end.
   */
  async function flood(path: string, times: number, localAddress: string, headers: readonly string[] = []) {
    const socket = connect({ port: app.app.port, host: '127.0.0.1', localAddress });
    let said = '';
    let isClosed = false;
    let wake = (): void => undefined;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      wake();
    });
    socket.once('close', () => {
      isClosed = true;
      wake();
    });
    const statuses = () => Array.from(said.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status));
    for (let n = 1; n <= times && !isClosed; n += 1) {
      socket.write([`GET ${path} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n'));
      while (!isClosed && statuses().length < n) await new Promise<void>((resolve) => (wake = resolve));
    }
    const wasClosed = isClosed;
    socket.destroy();
    return { statuses: statuses(), wasClosed };
  }

  describe('a network that was refused twenty times in ten seconds', () => {
    beforeEach(async () => {
      // The wide bound is 30 requests here, that of the interface one.
      app = await startTestApp({ env: { RATE_LIMIT_SCALE: '0.005' } });
    });

    test.each([
      ['a question to the interface', '/api/session'],
      ['a page', '/'],
      ['a cover', '/media/lib_0123456789abcdef/cover'],
      ['a picture of a chat', '/api/chats/images/0123456789abcdef'],
      ['the health check', '/healthz'],
      ['an unknown address', '/assets/nothing.js'],
    ])('is closed unread for ten seconds, asking for %s, and others are served (HTTP-43)', async (_what, path) => {
      const first = await flood(path, 100, '127.0.0.1');
      expect(first.statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(19);
      expect(first.statuses.length).toBeLessThan(100);
      expect(first.wasClosed).toBe(true);
      expect(await flood(path, 1, '127.0.0.1')).toEqual({ statuses: [], wasClosed: true });
      expect((await flood(path, 1, '127.0.0.2')).statuses).toHaveLength(1);
      app.clock.advance(10_000);
      expect((await flood('/healthz', 1, '127.0.0.1')).statuses).toEqual([200]);
    });

    test('is not closed for as long as the clock was ahead when it is set right', async () => {
      expect((await flood('/healthz', 100, '127.0.0.1')).wasClosed).toBe(true);
      app.clock.advance(-3_600_000);
      expect((await flood('/healthz', 1, '127.0.0.1')).statuses).toEqual([200]);
    });
  });

  test('behind a trusted proxy the answer closes its connection, and other visitors of the proxy are served', async () => {
    app = await startTestApp({ env: { RATE_LIMIT_SCALE: '0.005', TRUST_PROXY: 'true' } });
    const from = (address: string) => [`x-forwarded-for: ${address}`];
    const first = await flood('/healthz', 100, '127.0.0.1', from('203.0.113.1'));
    expect(first.wasClosed).toBe(true);
    expect(first.statuses.slice(-2)).toEqual([429, 429]);
    expect((await flood('/healthz', 1, '127.0.0.1', from('203.0.113.1'))).statuses).toEqual([429]);
    // It is written before the framework is asked, with the headers of every answer.
    const refused = await app.visitor().fetch('/healthz', { headers: { 'x-forwarded-for': '203.0.113.1' } });
    const { headers } = refused;
    expect([headers.get('connection'), headers.get('retry-after'), headers.get('x-content-type-options')]).toEqual([
      ...['close', '10', 'nosniff'],
    ]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await refused.json()).toMatchObject({ ok: false, error: { code: 'limit/too-many' } });
    expect((await flood('/healthz', 5, '127.0.0.1', from('203.0.113.2'))).statuses).toEqual([200, 200, 200, 200, 200]);
  });

  test('refusals of a closed network wait behind a trusted proxy, and answers to others do not (HTTP-46)', async () => {
    app = await startTestApp({ env: { RATE_LIMIT_SCALE: '0.005', TRUST_PROXY: 'true' } });
    const from = (address: string) => [`x-forwarded-for: ${address}`];
    await flood('/healthz', 100, '127.0.0.1', from('203.0.113.1'));
    const answered: string[] = [];
    const ask = (address: string) =>
      flood('/healthz', 1, '127.0.0.1', from(address)).then(({ statuses }) =>
        answered.push(`${address} ${String(statuses)}`),
      );
    const refusals = Array.from({ length: 5 }, () => ask('203.0.113.1'));
    await ask('203.0.113.2');
    await Promise.all(refusals);
    expect(answered).toEqual(['203.0.113.2 200', ...Array.from({ length: 5 }, () => '203.0.113.1 429')]);
  });

  describe('what is sent', () => {
    const size = 1.5 * 1024 * 1024;

    /** A server of one route that sends bytes, to one customer no faster than 2 MB a second after the first half. */
    async function senders(made: { file: Readable | null }) {
      const http = Fastify();
      const networkOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['x-network']);
      const bytes = { burst: 512 * 1024, perSecond: 2 * 1024 * 1024 };
      boundFloods(http, { networkOf, clock: app.clock, scale: 1, isBehindProxy: true, bytes });
      http.get('/stream', (_request, reply) => {
        made.file = Readable.from(Array.from({ length: size / 65_536 }, (_, n) => Buffer.alloc(65_536, n)));
        return reply.send(made.file);
      });
      http.get('/whole', (_request, reply) => reply.send(Buffer.alloc(size, 1)));
      await http.listen({ port: 0, host: '127.0.0.1' });
      const { port } = http.server.address() as AddressInfo;
      const get = (path: string, network: string, signal?: AbortSignal) =>
        fetch(`http://127.0.0.1:${String(port)}${path}`, { headers: { 'x-network': network }, signal: signal ?? null });
      return { http, get };
    }

    beforeEach(async () => {
      app = await startTestApp();
    });

    test('goes to each customer at a pace of its own, and arrives as it was (HTTP-46)', async () => {
      const { http, get } = await senders({ file: null });
      const order: string[] = [];
      const load = async (path: string, network: string) => {
        const bytes = Buffer.from(await (await get(path, network)).arrayBuffer());
        order.push(`${network} ${path}`);
        return bytes;
      };
      const many = [load('/stream', 'many'), load('/stream', 'many'), load('/stream', 'many')];
      const [own] = await Promise.all([load('/stream', 'one'), ...many]);
      expect(order[0]).toBe('one /stream');
      expect([own.length, own[65_536 * 7], own.at(-1)]).toEqual([size, 7, size / 65_536 - 1]);
      expect((await Promise.all(many)).map(({ length }) => length)).toEqual([size, size, size]);
      expect((await load('/whole', 'third')).length).toBe(size);
      await http.close();
    });

    test('is given up with its file when the client leaves', async () => {
      const made = { file: null as Readable | null };
      const { http, get } = await senders(made);
      const leaving = new AbortController();
      const answer = await get('/stream', 'many', leaving.signal);
      await answer.body?.getReader().read();
      leaving.abort();
      await expect.poll(() => made.file?.destroyed).toBe(true);
      await http.close();
    });
  });

  test('all networks that one IPv6 customer may own are closed together', async () => {
    app = await startTestApp({ env: { RATE_LIMIT_SCALE: '0.005', TRUST_PROXY: 'true' } });
    const from = (address: string) => [`x-forwarded-for: ${address}`];
    // Nineteen of each: none is over the bound of one network, nor refused often enough to be closed by itself.
    const more = (n: number) => flood('/healthz', 19, '127.0.0.1', from(`2001:db8:7:${n.toString(16)}00::1`));
    let floods = 1;
    while ((await more(floods)).statuses.length > 1) floods += 1;
    expect(floods).toBeGreaterThan(1);
    expect(await flood('/healthz', 2, '127.0.0.1', from('2001:db8:7:ff00::1'))).toEqual({
      statuses: [429],
      wasClosed: true,
    });
    expect((await flood('/healthz', 1, '127.0.0.1', from('2001:db8:8::1'))).statuses).toEqual([200]);
    app.clock.advance(10_000);
    expect((await flood('/healthz', 1, '127.0.0.1', from('2001:db8:7:ff00::1'))).statuses).toEqual([200]);
  });

  test('an evening of twenty people behind one address is nowhere near the bound', async () => {
    app = await startTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    const visits = await Promise.all(Array.from({ length: 20 }, () => flood('/healthz', 150, '127.0.0.1')));
    expect(visits.flatMap(({ statuses }) => statuses).every((status) => status === 200)).toBe(true);
  });

  test('of requests that come at once, one of each customer begins in a turn, so that others wait for none of them', async () => {
    app = await startTestApp();
    const http = Fastify();
    const networkOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['x-network']);
    boundFloods(http, { networkOf, clock: app.clock, scale: 1, isBehindProxy: true });
    const served: string[] = [];
    http.get('/', (request, reply) => {
      served.push(networkOf(request));
      return reply.send('');
    });
    await http.ready();
    const ask = (network: string) => http.inject({ url: '/', headers: { 'x-network': network } });
    const many = Array.from({ length: 100 }, (_each, n) => ask(`2001:db8:7:${n.toString(16)}`));
    await ask('203.0.113.9');
    expect(served.indexOf('203.0.113.9')).toBeLessThan(20);
    await Promise.all(many);
    expect(served).toHaveLength(101);
  });

  test('bodies of one network are read at a pace, also those of requests that are refused; others wait for none (HTTP-46)', async () => {
    app = await startTestApp();
    const http = Fastify({ bodyLimit: 4 * 1024 * 1024 });
    const networkOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['x-network']);
    boundFloods(http, { networkOf, clock: app.clock, scale: 1, isBehindProxy: true });
    http.addContentTypeParser('image/png', { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
    http.post('/taken', (request, reply) => reply.send(String((request.body as Buffer).length)));
    const refuse = (_request: unknown, reply: FastifyReply) => void reply.code(429).send('no');
    http.post('/refused', { onRequest: refuse }, (_request, reply) => reply.send());
    await http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = http.server.address() as AddressInfo;
    const whole = Buffer.alloc(2 * 1024 * 1024);
    const small = whole.subarray(0, 64 * 1024);
    const post = async (path: string, network: string, body = whole): Promise<string> => {
      const headers = { 'x-network': network, 'content-type': 'image/png' };
      const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, { method: 'POST', headers, body });
      return answer.text();
    };
    let answered = 0;
    const many = Array.from({ length: 24 }, (_, n) =>
      post(n % 2 === 0 ? '/taken' : '/refused', 'many').finally(() => (answered += 1)),
    );
    for (let n = 0; n < 4; n += 1) expect(await post('/taken', 'one', small)).toBe(String(small.length));
    expect(answered).toBeLessThan(many.length);
    const answers = await Promise.all(many);
    expect(answers.filter((each) => each === String(whole.length))).toHaveLength(12);
    http.server.closeAllConnections();
    await http.close();
  });
});

describe('pace', () => {
  /** Takes for customers, and says who began in which order. */
  function stage(bounds: { burst: number; perSecond: number }) {
    const clock = { ms: 0 };
    const pace = createPace(bounds, () => clock.ms);
    const began: string[] = [];
    return {
      ...{ clock, pace, began },
      take(customer: string, cost = 1) {
        const wait = pace.take(customer, cost);
        if (wait === undefined) began.push(customer);
        else void wait.then(() => began.push(customer));
      },
      async turns(count: number) {
        for (let n = 0; n < count; n += 1) await setImmediate();
      },
    };
  }

  test('one of each customer begins in a turn, so that none waits for the many of another', async () => {
    const { take, turns, began } = stage({ burst: 1000, perSecond: 1000 });
    for (let n = 0; n < 100; n += 1) take('many');
    take('one');
    expect(began).toEqual(['many', 'one']);
    await turns(5);
    take('one');
    expect(began.at(-1)).toBe('one');
    expect(began.length).toBeLessThan(20);
    await turns(200);
    expect(began).toHaveLength(102);
  });

  test('beyond its burst a customer goes at the pace, and others do not', async () => {
    const { take, turns, began, clock, pace } = stage({ burst: 10, perSecond: 1000 });
    for (let n = 0; n < 40; n += 1) take('many');
    await turns(100);
    // One more than the burst: what begins while it is not used up.
    expect(began).toHaveLength(11);
    expect(pace.waitingOf('many')).toBe(29);
    take('one');
    expect(began.at(-1)).toBe('one');
    clock.ms = 5;
    // The turn of any customer begins what waits.
    take('one');
    await turns(20);
    expect(began.filter((customer) => customer === 'many')).toHaveLength(16);
    clock.ms = 1000;
    take('one');
    await turns(60);
    expect(pace.waitingOf('many')).toBe(13);
  });

  test('who waits for the pace begins by the clock, without another customer', async () => {
    const pace = createPace({ burst: 1, perSecond: 200 });
    const began = Array.from({ length: 5 }, async () => await pace.take('one', 1));
    await Promise.all(began);
    expect(pace.waitingOf('one')).toBe(0);
  });

  test('a large thing costs as many small ones', async () => {
    const { take, turns, began } = stage({ burst: 100, perSecond: 1000 });
    take('one', 101);
    take('one', 1);
    await turns(20);
    expect(began).toHaveLength(1);
  });
});
