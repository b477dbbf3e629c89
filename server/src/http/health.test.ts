import { startTestApp } from '@tunemate/testkit/test-app';
import { describe, expect, it } from 'vitest';
import { createAddresses, networkOf } from './address.ts';
import type { IncomingMessage } from 'node:http';

describe('health', () => {
  it('HTTP-30 says alive and ready', async () => {
    const app = await startTestApp();
    expect(await (await app.visitor().fetch('/healthz')).json()).toEqual({ status: 'alive' });
    const ready = await app.visitor().fetch('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
    await app.close();
  });

  it('HTTP-31 gives metrics to this machine only', async () => {
    const app = await startTestApp();
    await app.visitor().call('GET /api/session', {});
    const metrics = await app.visitor().fetch('/metrics');
    expect(await metrics.text()).toMatch(
      /tunemate_http_request_seconds_count\{method="GET",route="\/api\/session",status="200"\} 1/,
    );
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const proxied = await app.visitor().fetch('/metrics', { headers });
    expect([proxied.status, await proxied.json()]).toEqual([404, { ok: false, error: { code: 'access/not-found' } }]);
    await app.close();
  });

  it('HTTP-31 gives metrics to the holder of METRICS_TOKEN only, when there is one', async () => {
    const app = await startTestApp({ env: { METRICS_TOKEN: 'a-long-secret' } });
    const status = async (authorization: string) =>
      (await app.visitor().fetch('/metrics', { headers: { authorization } })).status;
    expect(await status('')).toBe(404);
    expect(await status('Bearer a-long-secreT')).toBe(404);
    expect(await status('Bearer a-long-secret')).toBe(200);
    await app.close();
  });
});

describe('addresses', () => {
  const from = (remoteAddress: string, forwarded?: string) =>
    ({
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    }) as IncomingMessage;

  it('HTTP-11 believe only the last entry, and only with TRUST_PROXY', () => {
    const forged = from('::ffff:10.0.0.1', '127.0.0.1, 203.0.113.9');
    expect(createAddresses(false).of(forged)).toBe('10.0.0.1');
    expect(createAddresses(true).of(forged)).toBe('203.0.113.9');
    expect(createAddresses(true).of(from('10.0.0.1', 'nonsense'))).toBe('10.0.0.1');
    expect(createAddresses(true).isLocal(from('127.0.0.1', '203.0.113.9'))).toBe(false);
    expect(createAddresses(false).isLocal(from('127.0.0.1', '127.0.0.1'))).toBe(false);
    expect(createAddresses(false).isLocal(from('::1'))).toBe(true);
    expect(createAddresses(false).isLocal(from('203.0.113.9'))).toBe(false);
  });

  it('HTTP-11 count an IPv6 subscriber’s whole /64 as one', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
    expect(networkOf('2001:db8:1:2::9')).toBe('2001:db8:1:2');
    expect(networkOf('2001:db8::9')).toBe('2001:db8:0:0');
    expect(networkOf('::1')).toBe('0:0:0:0');
    expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  });
});
