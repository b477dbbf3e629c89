import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { startTestApp } from '@tunemate/testkit/worlds/test-app';
import Fastify from 'fastify';
import { Counter } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { type IncomingMessage, request } from 'node:http';
import { createLimits } from '../access/limits.ts';
import { readConfig } from '../config.ts';
import { createLog } from '../system/logging.ts';
import { createAddresses, networkOf } from './address.ts';
import { createMetrics, healthRoutes, operatorAccess } from './health.ts';

describe('health', () => {
  test('reports alive and ready', async () => {
    const app = await startTestApp();
    expect(await (await app.visitor().fetch('/healthz')).json()).toEqual({ status: 'alive' });
    const ready = await app.visitor().fetch('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  });

  test('reports not ready while the database does not answer', async () => {
    const http = Fastify();
    let isReady = false;
    const publicUrl = () => 'http://localhost';
    const addresses = createAddresses({ trustProxy: [], publicUrl, log: createLog('silent') });
    healthRoutes(http, {
      isReady: () => Promise.resolve(isReady),
      operator: operatorAccess(null, addresses, createLimits({ clock: createFakeClock(), scale: 0 })),
      metrics: createMetrics(),
    });
    const ask = async () => {
      const { statusCode, body } = await http.inject('/readyz');
      return [statusCode, JSON.parse(body) as unknown];
    };
    expect(await ask()).toEqual([503, { status: 'not-ready' }]);
    isReady = true;
    expect(await ask()).toEqual([200, { status: 'ready' }]);
    await http.close();
  });

  test('two servers of one process observe it once, and count their own requests apart', () => {
    const [one, other] = [createMetrics(), createMetrics()];
    const collections = one.getSingleMetric('nodejs_gc_duration_seconds');
    expect(collections).toBeDefined();
    expect(other.getSingleMetric('nodejs_gc_duration_seconds')).toBe(collections);
    const requests = new Counter({ name: 'requests', help: 'Requests.', registers: [one] });
    expect([one, other].map((metrics) => metrics.getSingleMetric('requests'))).toEqual([requests, undefined]);
  });

  test('sends metrics to this machine only', async () => {
    const app = await startTestApp();
    await app.visitor().call('GET /api/session', {});
    const metrics = await app.visitor().fetch('/metrics');
    expect(await metrics.text()).toMatch(
      /tunemate_http_request_seconds_count\{method="GET",route="\/api\/session",status="200"\} 1/,
    );
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const proxied = await app.visitor().fetch('/metrics', { headers });
    expect([proxied.status, await proxied.json()]).toEqual([404, { ok: false, error: { code: 'access/not-found' } }]);
  });

  test('sends metrics only with METRICS_TOKEN when it is set', async () => {
    const app = await startTestApp({ env: { METRICS_TOKEN: 'a-long-enough-secret' } });
    const status = async (authorization: string) =>
      (await app.visitor().fetch('/metrics', { headers: { authorization } })).status;
    expect(await status('')).toBe(404);
    expect((await app.visitor().fetch('/metrics')).status).toBe(404);
    expect(await status('Bearer a-long-secreT')).toBe(404);
    expect(await status('Bearer a-long-enough-secret')).toBe(200);
  });

  test('counts wrong METRICS_TOKENs per address, but not right ones or other requests (HTTP-42)', async () => {
    const app = await startTestApp({
      env: { METRICS_TOKEN: 'a-long-enough-secret', RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' },
    });
    const status = async (address: string, authorization?: string) => {
      const headers = { 'x-forwarded-for': address, ...(authorization === undefined ? {} : { authorization }) };
      return (await app.visitor().fetch('/metrics', { headers })).status;
    };
    const [prometheus, guesser] = ['203.0.113.8', '203.0.113.9'];
    // More often than any limit of an address allows.
    for (let n = 0; n < 260; n += 1) expect(await status(prometheus, 'Bearer a-long-enough-secret')).toBe(200);
    for (let n = 0; n < 40; n += 1) expect(await status(guesser)).toBe(404);
    for (let n = 0; n < 30; n += 1) expect(await status(guesser, `Bearer guess-${String(n)}`)).toBe(404);
    expect(await status(guesser, 'Bearer guess')).toBe(429);
    // Otherwise the answer would still reveal the right token.
    expect(await status(guesser, 'Bearer a-long-enough-secret')).toBe(429);
    expect(await status(prometheus, 'Bearer a-long-enough-secret')).toBe(200);
  });
});

describe('addresses', () => {
  const from = (remoteAddress: string, forwarded?: string, host = 'localhost:3000') =>
    ({
      socket: { remoteAddress },
      headers: { host, ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }) },
    }) as IncomingMessage;
  const trusting = (TRUST_PROXY: string, publicUrl = 'http://localhost:3000') =>
    createAddresses({
      trustProxy: readConfig({ TRUST_PROXY }).trustProxy,
      publicUrl: () => publicUrl,
      log: createLog('silent'),
    });

  test('trust only the last entry, and only with TRUST_PROXY (HTTP-11)', () => {
    const forged = from('::ffff:10.0.0.1', '127.0.0.1, 203.0.113.9');
    expect(trusting('false').of(forged)).toBe('10.0.0.1');
    expect(trusting('true').of(forged)).toBe('203.0.113.9');
    expect(trusting('true').of(from('10.0.0.1', 'nonsense'))).toBe('10.0.0.1');
    const entries = ['203.0.113.9, 203.0.113.10', '203.0.113.11'];
    const split = { socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': entries } };
    expect(trusting('true').of(split as unknown as IncomingMessage)).toBe('203.0.113.11');
  });

  test('a proxy without X-Forwarded-For counts as the visitor (HTTP-11)', () => {
    const proxied = { socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-real-ip': '203.0.113.9' } };
    expect(trusting('true').of(proxied as unknown as IncomingMessage)).toBe('10.0.0.1');
  });

  test('a request without Host, or on a closed connection, is not local', () => {
    const unnamed = { socket: { remoteAddress: '127.0.0.1' }, headers: {} } as IncomingMessage;
    expect(trusting('false').isLocal(unnamed)).toBe(false);
    const closed = { socket: {}, headers: { host: 'localhost' } } as IncomingMessage;
    expect([trusting('false').of(closed), trusting('false').isLocal(closed)]).toEqual(['', false]);
  });

  test.each([
    ['true', '127.0.0.1', true],
    ['true', '::1', true],
    ['1', '172.31.0.9', true],
    ['true', 'fd00::5', true],
    ['true', '203.0.113.5', false],
    ['true', '2001:db8::5', false],
    ['203.0.113.5, 2001:db8::/32', '203.0.113.5', true],
    ['203.0.113.5, 2001:db8::/32', '2001:db8:7::5', true],
    ['203.0.113.5, 2001:db8::/32', '203.0.113.6', false],
    ['203.0.113.5, 2001:db8::/32', '127.0.0.1', false],
  ])('with TRUST_PROXY=%s the headers of %s are trusted: %s (HTTP-35)', (trustProxy, peer, isBelieved) => {
    const request = from(peer, '127.0.0.1');
    expect(trusting(trustProxy).of(request)).toBe(isBelieved ? '127.0.0.1' : peer);
    // A proxy on another machine, or a neighbour that is taken for one, names no visitor of this machine.
    expect(trusting(trustProxy).isLocal(request)).toBe(isBelieved && /^(?:127|::1)/.test(peer));
  });

  test('are local only from this machine, under a name of this machine, where PUBLIC_URL is this machine', () => {
    expect(trusting('false').isLocal(from('::1'))).toBe(true);
    expect(trusting('false').isLocal(from('127.0.0.1', undefined, '[::1]:3000'))).toBe(true);
    expect(trusting('false').isLocal(from('127.0.0.1', undefined, '127.0.0.1'))).toBe(true);
    expect(trusting('false').isLocal(from('203.0.113.9'))).toBe(false);
    expect(trusting('false').isLocal(from('127.0.0.1', '127.0.0.1'))).toBe(false);
    expect(trusting('true').isLocal(from('127.0.0.1', '203.0.113.9'))).toBe(false);
    for (const host of ['rebound.example:3000', '127.0.0.1.evil.example', 'a@localhost.evil', '', 'localhost:x'])
      expect([host, trusting('false').isLocal(from('127.0.0.1', undefined, host))]).toEqual([host, false]);
    expect(trusting('false', 'https://tunes.example').isLocal(from('127.0.0.1'))).toBe(false);
  });

  test('refuse metrics and mails to a page whose name resolves to this machine (DNS rebinding)', async () => {
    const app = await startTestApp();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request({
        host: '127.0.0.1',
        port: app.app.port,
        path: '/metrics',
        headers: { host: 'evil.example' },
      });
      asked.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      asked.end();
    });
    expect(status).toBe(404);
    await app.close();
    const open = await startTestApp({ env: { PUBLIC_URL: 'https://tunes.example' } });
    expect((await open.visitor().fetch('/metrics')).status).toBe(404);
    const config = await open.visitor().call('GET /api/config', {});
    expect(config.result).toMatchObject({ value: { noMail: 'elsewhere' } });
  });

  test('log a proxy that TRUST_PROXY does not name once, with advice', async () => {
    const app = await startTestApp();
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip'])
      await app.visitor().fetch('/api/session', { headers: { [name]: '203.0.113.9' } });
    const warnings = app.log.filter(({ event }) => event === 'request.forwarded-by-unknown');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ level: 'warn', fields: { peer: '127.0.0.1' } });
    expect(JSON.stringify(warnings[0]?.fields)).toContain('set TRUST_PROXY');
  });

  test('count an IPv6 subscriber’s whole /64 as one (HTTP-11)', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
    expect(networkOf('2001:db8:1:2::9')).toBe('2001:db8:1:2');
    expect(networkOf('2001:db8::9')).toBe('2001:db8:0:0');
    expect(networkOf('::1')).toBe('0:0:0:0');
    expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  });
});
