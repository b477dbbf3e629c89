/** The operator's status page: access and contents. */
import { limits as runLimits } from '@tunemate/testkit/extent';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { startTestApp } from '@tunemate/testkit/worlds/test-app';
import Fastify from 'fastify';
import { type Dialect, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { createLimits } from '../access/limits.ts';
import { createAddresses } from '../http/address.ts';
import { createMetrics, operatorAccess } from '../http/health.ts';
import { databaseMetrics } from './database-metrics.ts';
import { noteBackup } from '../storage/settings.ts';
import { createLog } from '../system/logging.ts';
import { type Facts, type Metric, quantile, statusOf, statusPage, statusRoutes } from './status-page.ts';

const dayMs = 24 * 60 * 60 * 1000;
const facts: Facts = {
  ...{ version: '1.2.3', protocolVersion: 8, node: 'v24', database: 'SQLite', schema: '0001-start' },
  ...{ upMs: 90 * 60_000, nowMs: 10 * dayMs },
};
const alone = { living: () => 1, disagreements: () => [] };
const library = { list: () => [1, 2], progress: () => ({ read: 12_400, of: 31_000 }) };
const metric = (name: string, value: number): Metric => ({ name, values: [{ value, labels: {} }] });
const lineOf = (metrics: readonly Metric[], name: string, at = facts) =>
  statusOf(metrics, at)
    .flatMap(({ lines }) => lines)
    .find((line) => line.name === name);

describe('the status page', () => {
  test('is for this machine where there is no token, and does not exist for other visitors', async () => {
    const app = await startTestApp();
    const page = await app.visitor().fetch('/status');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    expect(html).toContain('<h2>What waits</h2>');
    expect(html).toContain('<dd>never<span>npm run backup</span></dd>');
    expect(html).not.toMatch(/<script|style=/);
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const proxied = await app.visitor().fetch('/status', { headers });
    expect([proxied.status, await proxied.json()]).toEqual([404, { ok: false, error: { code: 'access/not-found' } }]);
  });

  test('is there while the database is away, and says so', async () => {
    const http = Fastify();
    const publicUrl = () => 'http://localhost';
    const addresses = createAddresses({ trustProxy: [], publicUrl, log: createLog('silent') });
    const limits = createLimits({ clock: createFakeClock(), scale: 0 });
    let isAway = true;
    statusRoutes(http, {
      ...{ limits, addresses, publicUrl, metrics: createMetrics(), facts: () => facts, processes: alone, library },
      operator: operatorAccess(null, addresses, limits),
      heaviest: () => (isAway ? Promise.reject(new Error('database away')) : Promise.resolve([])),
    });
    const databaseLine = async () => {
      const { statusCode, body } = await http.inject('/status');
      return [statusCode, /<dt>Database<\/dt><dd>([^<]*(?:<span>[^<]*)?)/.exec(body)?.[1]];
    };
    expect(await databaseLine()).toEqual([200, expect.stringMatching(/^SQLite, 0001-start<span>It does not answer/)]);
    isAway = false;
    expect(await databaseLine()).toEqual([200, 'SQLite, 0001-start']);
    expect((await http.inject('/status')).body).toContain('<dt>Files that were read</dt><dd>12,400 of 31,000</dd>');
    await http.close();
  });

  test('and metrics wait for a database that does not answer no longer than two seconds', async () => {
    const never = () => new Promise<never>(() => undefined);
    const http = Fastify();
    const publicUrl = () => 'http://localhost';
    const addresses = createAddresses({ trustProxy: [], publicUrl, log: createLog('silent') });
    const limits = createLimits({ clock: createFakeClock(), scale: 0 });
    const metrics = createMetrics();
    const silent: Dialect = {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => Object.assign(new DummyDriver(), { acquireConnection: never }),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    };
    databaseMetrics(metrics, { db: new Kysely({ dialect: silent }), writing: { now: () => null } });
    const operator = operatorAccess(null, addresses, limits);
    let isAsked = false;
    const heaviest = () => {
      isAsked = true;
      return never();
    };
    statusRoutes(http, {
      ...{ limits, addresses, publicUrl, metrics, operator, heaviest },
      facts: () => facts,
      processes: alone,
      library,
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const page = http.inject('/status');
    await vi.waitUntil(() => isAsked, { timeout: runLimits.node.poll });
    const text = metrics.metrics();
    await vi.advanceTimersByTimeAsync(2000);
    vi.useRealTimers();
    expect(await text).toContain('tunemate_rooms Nan');
    expect((await page).body).toContain('It does not answer');
    await http.close();
  });

  test('asks for METRICS_TOKEN as a password where there is one', async () => {
    const app = await startTestApp({ env: { METRICS_TOKEN: 'a-long-enough-secret' } });
    const answer = async (authorization?: string) =>
      await app.visitor().fetch('/status', { headers: authorization === undefined ? {} : { authorization } });
    const basic = (password: string) => `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`;
    const refused = await answer();
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic realm=/),
    ]);
    for (const wrong of [basic('a-long-secreT'), basic(''), 'Basic', 'Basic ====', 'Bearer ', 'a-long-enough-secret']) {
      expect([wrong, (await answer(wrong)).status]).toEqual([wrong, 401]);
    }
    for (const right of [basic('a-long-enough-secret'), 'Bearer a-long-enough-secret']) {
      expect((await answer(right)).status).toBe(200);
    }
  });

  test('wrong tokens at /status and /metrics count together, and right ones not (HTTP-42)', async () => {
    const env = { METRICS_TOKEN: 'a-long-enough-secret', RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' };
    const app = await startTestApp({ env });
    const from = async (address: string, path: string, token: string) => {
      const headers = { 'x-forwarded-for': address, authorization: `Bearer ${token}` };
      return (await app.visitor().fetch(path, { headers })).status;
    };
    const guesser = '203.0.113.9';
    for (let n = 0; n < 15; n += 1) {
      expect(await from(guesser, '/status', 'a-long-enough-secret')).toBe(200);
      expect(await from(guesser, '/status', `guess-${String(n)}`)).toBe(401);
      expect(await from(guesser, '/metrics', `guess-${String(n)}`)).toBe(404);
    }
    for (const path of ['/status', '/metrics']) {
      expect([path, await from(guesser, path, 'guess'), await from(guesser, path, 'a-long-enough-secret')]).toEqual([
        ...[path, 429, 429],
      ]);
      expect(await from('203.0.113.8', path, 'a-long-enough-secret')).toBe(200);
    }
  });

  test('guesses of the token are counted like all requests of an address', async () => {
    const app = await startTestApp({ env: { METRICS_TOKEN: 'a-long-enough-secret', RATE_LIMIT_SCALE: '1' } });
    const statuses = new Set<number>();
    for (let n = 0; n < 260; n += 1) statuses.add((await app.visitor().fetch('/status')).status);
    expect([...statuses]).toEqual([401, 429]);
  });

  test('a line that deserves a look says what to do, and the others say nothing', () => {
    const never = { name: 'Last backup', value: 'never', advice: 'npm run backup' };
    expect(lineOf([metric('tunemate_last_backup_timestamp_seconds', 0)], 'Last backup')).toEqual(never);
    // The database is away: nothing is known of it.
    const away = metric('tunemate_last_backup_timestamp_seconds', Number.NaN);
    expect(lineOf([away], 'Last backup')).toEqual({ name: 'Last backup', value: '–' });
    const at = (days: number) => [metric('tunemate_last_backup_timestamp_seconds', ((10 - days) * dayMs) / 1000)];
    expect(lineOf(at(1), 'Last backup')).toEqual({ name: 'Last backup', value: '24 h ago' });
    expect(lineOf(at(3), 'Last backup')).toMatchObject({ value: '3 days ago', advice: 'npm run backup' });
    expect(lineOf([metric('tunemate_mails_waiting', 3)], 'Mails')).toEqual({ name: 'Mails', value: '3' });
    expect(lineOf([metric('tunemate_mails_waiting', 2100)], 'Mails')).toMatchObject({ value: '2,100' });
    expect(lineOf([metric('tunemate_mails_waiting', 2100)], 'Mails')?.advice).toContain('mail server');
    expect(lineOf([metric('nodejs_eventloop_lag_p99_seconds', 0.3)], '99 of 100 turns of the loop wait')).toMatchObject(
      {
        value: '300 ms',
        advice: 'One core is full: add processes.',
      },
    );
    expect(lineOf([], 'Mails')).toEqual({ name: 'Mails', value: '–' });
    expect(lineOf([], 'Up for')?.value).toBe('1 h');
  });

  test('a share of a histogram is the bound of its bucket, over all labels', () => {
    const bucket = (le: string | number, value: number, request: string) => ({
      ...{ metricName: 'x_bucket', labels: { le, request }, value },
    });
    const values = [
      bucket(0.1, 90, 'a'),
      bucket(1, 95, 'a'),
      bucket('+Inf', 96, 'a'),
      bucket(0.1, 4, 'b'),
      bucket(1, 4, 'b'),
      bucket('+Inf', 4, 'b'),
    ];
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1), quantile([], 0.5)]).toEqual([
      ...[0.1, 1, Infinity, null],
    ]);
  });

  test('what is shown can’t be markup', () => {
    const page = statusPage('<b>', [{ title: 'A', lines: [{ name: '"x"', value: "'y'", advice: '&' }] }]);
    expect(page).toContain('&lt;b&gt;');
    expect(page).toContain('<div class="look"><dt>&quot;x&quot;</dt><dd>&#39;y&#39;<span>&amp;</span></dd></div>');
  });
});

describeEachDialect('the figures of the installation', (makeDatabaseUrl) => {
  test('/metrics has rooms, people, deliveries, drift, what waits and the last backup', async () => {
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const room = await w.room(host, 'audio');
    await w.letIn(host, guest, room);
    for (const tab of [host, guest]) valueOf(await tab.ask('rooms/enter', room));
    valueOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'hi' }));
    await expect.poll(() => guest.changes().map(({ type }) => type)).toContain('rooms/messageSent');
    for (const driftMs of [30, -40]) valueOf(await guest.ask('clock/probe', { roundTripMs: 5, driftMs }));
    const about = { type: 'person' } as const;
    valueOf(await guest.ask('reports/send', { clientId: newClientId(), uid: host.uid, about, reason: 'Insults' }));
    await noteBackup(w.db, new Date(1_700_000_000_000));
    const text = await (await w.app.visitor().fetch('/metrics')).text();
    for (const line of [
      ...['tunemate_connections 2', 'tunemate_rooms 1', 'tunemate_room_members 2', 'tunemate_people_online 2'],
      ...['tunemate_mails_waiting 0', 'tunemate_reports_waiting 1', 'tunemate_requests_waiting 0'],
      'tunemate_last_backup_timestamp_seconds 1700000000',
      ...['tunemate_drift_seconds_count 2', 'tunemate_drift_seconds_bucket{le="0.02"} 0'],
      'tunemate_drift_seconds_bucket{le="0.05"} 2',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    expect(Number(/^tunemate_deliveries_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(2);
    expect(text).toMatch(/^tunemate_unsent_bytes \d+$/m);
  });
});
