import { httpRequests, type RouteName, socketPath } from '@tunemate/protocol';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const signIn: RouteName = 'POST /api/accounts/sign-in';
const credentials = { email: emailOf('Ann'), password: goodPassword };
const code = (name: string) => ({ ok: false, error: { code: name } });

interface Raw {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** A request with any headers: `fetch` forbids some of these. */
function raw(app: TestApp, path: string, headers: Record<string, string>, method = 'GET', body?: string): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: app.app.port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('requests', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  test.each([
    ['a list', []],
    ['null', null],
    ['text', '"text"'],
    ['nothing', ''],
    ['half of JSON', '{"email":'],
    ['an address that is an object', { email: { $ne: null }, password: 'x' }],
    ['a password that is a list', { ...credentials, password: ['x'] }],
    ['one field too many', { ...credentials, uid: 'x' }],
    ['a prototype', '{"__proto__":{"admin":1},"email":"a@b.cd","password":"x"}'],
    ['a constructor', '{"constructor":{"prototype":{"admin":1}}}'],
    ['nesting 33 deep', '['.repeat(33) + ']'.repeat(33)],
    ['nesting 6,000 deep', '['.repeat(6000) + ']'.repeat(6000)],
    ['65 keys', Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${String(index)}`, 1]))],
    ['a lone surrogate', '{"email":"\\ud800@b.cd","password":5}'],
  ])('refuse a body that is %s (HTTP-1)', async (_what, body) => {
    const answer = await app.visitor().send(signIn, body);
    expect(answer.status).toBe(422);
    expect(answer.result).toMatchObject(code('input/invalid'));
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  test('name the field, never its content (HTTP-1)', async () => {
    const { result } = await app.visitor().send(signIn, { email: 'secret words', password: 'x' });
    expect(result).toEqual({ ok: false, error: { code: 'input/invalid', field: 'email' } });
  });

  test('refuse a body over 16 KB before reading it (HTTP-2)', async () => {
    for (const size of [16 * 1024 + 1, 1024 * 1024]) {
      const answer = await app.visitor().send(signIn, { ...credentials, password: 'x'.repeat(size) });
      expect(answer).toMatchObject({ status: 413, result: code('input/too-large') });
    }
  });

  test('refuse an endless and a compressed body (HTTP-2)', async () => {
    const headers = { origin: app.url, 'content-type': 'application/json' };
    const chunked = await raw(
      app,
      '/api/accounts/sign-in',
      { ...headers, 'transfer-encoding': 'chunked' },
      'POST',
      'x'.repeat(20_000),
    );
    expect(chunked.status).toBe(413);
    const bomb = gzipSync('x'.repeat(10_000_000)).toString('latin1');
    const zipped = await raw(app, '/api/accounts/sign-in', { ...headers, 'content-encoding': 'gzip' }, 'POST', bomb);
    expect(zipped.status).toBe(413);
  });

  test.each([
    ['plain text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring domain', { 'sec-fetch-site': 'same-site' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['a hidden origin', { origin: 'null' }],
    ['a longer domain', { origin: 'http://localhost.evil.example' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['another scheme', { origin: 'https://localhost' }],
  ])('refuse %s (HTTP-3)', async (_what, headers) => {
    const answer = await app.visitor().send(signIn, credentials, headers);
    expect(answer).toMatchObject({ status: 403, result: code('access/cross-site') });
  });

  test('log once a page from an address that PUBLIC_URL does not name (HTTP-3)', async () => {
    const origin = 'http://192.0.2.7:3000';
    for (let visit = 0; visit < 3; visit += 1) await app.visitor().send(signIn, credentials, { origin });
    const warnings = app.log.filter(
      ({ event, fields }) => event === 'request.foreign-origin' && 'origin' in fields && fields.origin === origin,
    );
    expect(warnings).toHaveLength(1);
  });

  test('send the right address to a page at a foreign address, and to no other page', async () => {
    const configFor = async (headers: Record<string, string>) =>
      (await app.visitor().send('GET /api/config', {}, headers)).result;
    const there = { ok: true, value: { openAt: app.url } };
    expect(await configFor({ referer: 'http://nas.local:3000/signup' })).toMatchObject(there);
    for (const headers of [{}, { referer: `${app.url}/signup` }, { referer: 'not an address' }])
      expect(await configFor(headers as Record<string, string>)).toMatchObject({ ok: true, value: { openAt: null } });
  });

  test('accept a request that the browser marks as same-origin, and refuse one without those headers (HTTP-3)', async () => {
    const path = '/api/accounts/sign-out';
    const json = { 'content-type': 'application/json' };
    expect((await raw(app, path, json, 'POST', '{}')).status).toBe(403);
    expect((await raw(app, path, { ...json, 'sec-fetch-site': 'same-origin' }, 'POST', '{}')).status).toBe(200);
    expect((await raw(app, path, { ...json, origin: app.url }, 'POST', '{}')).status).toBe(200);
    // Without PUBLIC_URL the loopback names of this machine are accepted too.
    const local = `http://127.0.0.1:${String(app.app.port)}`;
    expect((await raw(app, path, { ...json, origin: local }, 'POST', '{}')).status).toBe(200);
  });

  test('ignore a forged Host and X-Forwarded-Host in links (HTTP-4)', async () => {
    const forged = {
      origin: app.url,
      'content-type': 'application/json',
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    };
    const body = JSON.stringify({ name: 'Ann', email: emailOf('Host'), password: goodPassword });
    expect((await raw(app, '/api/accounts/sign-up', forged, 'POST', body)).status).toBe(200);
    const code = await app.codeFor(emailOf('Host'));
    const link = `${app.url}/auth/action?mode=verifyEmail&oobCode=${code}`;
    await expect.poll(() => app.log.find(({ event }) => event === 'mail.written')?.fields).toMatchObject({ link });
  });

  test('answer 401 without a session on every route that requires one, before reading the body (HTTP-5)', async () => {
    for (const [name, row] of Object.entries(httpRequests)) {
      if (row.session === 'none') continue;
      const answer = await app.visitor().send(name as RouteName, { anything: 'at all' });
      expect([name, answer.status, answer.result]).toEqual([name, 401, code('auth/required')]);
    }
  });

  test('send the security headers with every answer (HTTP-6)', async () => {
    const { headers } = await app.visitor().send('GET /api/session', {});
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers.get('permissions-policy')).toContain('autoplay=(self "https://www.youtube.com")');
    expect(headers.get('permissions-policy')).toContain('microphone=()');
    for (const name of [
      'server',
      'x-powered-by',
      'strict-transport-security',
      'cross-origin-embedder-policy',
      'access-control-allow-origin',
    ]) {
      expect(headers.get(name)).toBeNull();
    }
  });

  test('set a cookie that scripts can’t read and other sites can’t send (HTTP-7)', async () => {
    const person = await app.member('Cookie');
    const { headers } = await person.call(signIn, { email: emailOf('Cookie'), password: goodPassword });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/),
    ]);
  });

  test('answer unknown addresses under /api/ in the envelope, and never with a stack', async () => {
    for (const path of ['/api/nothing', '/api/../etc/passwd', '/api/%00', '/api/%zz', '/api/accounts/sign-in']) {
      const { status, body } = await raw(app, path, {});
      expect([path, status, body]).toEqual([path, 404, JSON.stringify(code('access/not-found'))]);
    }
  });

  test('log a violation of the page policy without the page’s query, and ignore other bodies', async () => {
    const report = {
      'csp-report': {
        'violated-directive': 'script-src',
        'blocked-uri': 'eval',
        'document-uri': `${app.url}/auth/action?oobCode=secret`,
      },
    };
    const headers = { 'content-type': 'application/csp-report' };
    const sent = await app.visitor().fetch('/csp-report', { method: 'POST', headers, body: JSON.stringify(report) });
    expect(sent.status).toBe(204);
    const line = app.log.find(({ event }) => event === 'page.csp-violation');
    expect(line?.fields).toMatchObject({ directive: 'script-src', blocked: 'eval', page: `${app.url}/auth/action` });
    const broken = await app.visitor().fetch('/csp-report', { method: 'POST', headers, body: '{' });
    expect(broken.status).toBe(204);
  });

  test('log at most twenty such reports of one address', async () => {
    const limited = await startTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    const body = JSON.stringify({ 'csp-report': { 'violated-directive': 'script-src' } });
    const headers = { 'content-type': 'application/csp-report' };
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) {
      statuses.push((await limited.visitor().fetch('/csp-report', { method: 'POST', headers, body })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect(limited.log.filter(({ event }) => event === 'page.csp-violation')).toHaveLength(20);
  });
});

describe('every answer of 400 or more', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  /** The head of the answer to these bytes, read until the connection or the head ends. */
  const headOf = (bytes: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(app.app.port, '127.0.0.1', () => socket.write(bytes));
      let text = '';
      const done = () => {
        socket.destroy();
        resolve(text.split('\r\n\r\n', 1)[0] ?? '');
      };
      socket.on('data', (piece) => {
        text += piece.toString();
        if (text.includes('\r\n\r\n')) done();
      });
      socket.on('error', done).on('close', done);
    });
  const asking = (line: string, ...headers: string[]) =>
    [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
  const upgrade = (path: string, origin: string, ...more: string[]) =>
    asking(...([`GET ${path}`, 'Connection: Upgrade', 'Upgrade: websocket', `Origin: ${origin}`] as const), ...more);
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const elsewhere = 'http://evil.example';
  const json = 'Content-Type: application/json';
  /** Replaced by the server's own origin, which is known once it runs. */
  const own = 'own:origin';

  test.each([
    ['an address that can’t be decoded', asking('GET /api/%zz'), 404],
    ['a parameter that is too long', asking(`GET /media/${'a'.repeat(400)}`), 404],
    ['an unknown address', asking('GET /api/nothing'), 404],
    ['an unknown method of a route', asking('DELETE /api/session'), 404],
    ['bytes that are no request', 'GARBAGE\r\n\r\n', 400],
    ['a method that is none', asking('FOO /'), 400],
    ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a header that is too large', asking('GET /', `X: ${'x'.repeat(20_000)}`), 431],
    ['an expectation', asking('GET /', 'Expect: nonsense'), 417],
    ['a request from another site', asking('POST /api/accounts/sign-out', json, 'Content-Length: 2') + '{}', 403],
    [
      'a body that is too large',
      asking('POST /csp-report', 'Content-Type: application/csp-report', 'Content-Length: 99999999'),
      413,
    ],
    ['a body of another type', asking('POST /csp-report', 'Content-Type: text/x', 'Content-Length: 2') + '{}', 403],
    ['a chunk that is broken', asking('POST /csp-report', json, 'Transfer-Encoding: chunked') + 'zz\r\n', 400],
    ['an upgrade from another site', upgrade(socketPath, elsewhere, key, 'Sec-WebSocket-Version: 13'), 403],
    ['an upgrade of a former page from another site', upgrade('/socket.io/?EIO=4', elsewhere, key), 403],
    ['an upgrade of another version', upgrade(socketPath, own, key, 'Sec-WebSocket-Version: 7'), 400],
    ['an upgrade without a key', upgrade(socketPath, own, 'Sec-WebSocket-Version: 13'), 400],
    ['a request without an upgrade', asking(`GET ${socketPath}`), 400],
    ['an upgrade elsewhere', upgrade('/socketry', own, key, 'Sec-WebSocket-Version: 13'), 404],
  ])('has the security headers: %s', async (_what, bytes, status) => {
    const head = await headOf(bytes.replace(own, app.url));
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
    for (const header of [
      "content-security-policy: default-src 'none'; frame-ancestors 'none'",
      ...['x-content-type-options: nosniff', 'cache-control: no-store', 'cross-origin-resource-policy: same-origin'],
      ...['referrer-policy: ', 'permissions-policy: ', 'cross-origin-opener-policy: '],
    ]) {
      expect(head.toLowerCase()).toContain(`\r\n${header}`);
    }
  });
});

describe('answers that must not be cached', () => {
  test('have no-store in every spelling of a route’s address, unless the route sets its own header', async () => {
    const app = await startTestApp();
    const address = `http://x:${String(app.app.port)}`;
    const paths = ['/api/session', '/%61pi/session', '/api/nothing', '/api/chats/images/x', '/metrics', '/healthz'];
    for (const path of paths.flatMap((each) => [each, `${address}${each}`])) {
      const { headers } = await raw(app, path, {});
      expect([path, headers['cache-control']]).toEqual([path, 'no-store']);
    }
    expect((await raw(app, `${address}/api/session`, {})).status).toBe(200);
    expect((await raw(app, `${address}/api/nothing`, {})).body).toBe(JSON.stringify(code('access/not-found')));
    const action = await raw(app, `${address}/auth/action?oobCode=x`, {});
    expect(action.headers['referrer-policy']).toBe('no-referrer');
  });
});

describe('pipelined requests', () => {
  /** Sends `count` requests at once; how many were answered when the connection ended or all were. */
  async function pipelined(app: TestApp, count: number): Promise<number> {
    const socket = connect(app.app.port, '127.0.0.1');
    let text = '';
    const answered = () => text.split('HTTP/1.1 200').length - 1;
    socket.on('error', () => undefined).on('data', (piece) => (text += piece.toString()));
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
    await expect.poll(() => socket.closed || answered() === count).toBe(true);
    socket.destroy();
    return answered();
  }

  test('end their connection when more than ten are unanswered', async () => {
    const app = await startTestApp();
    expect(await pipelined(app, 10)).toBe(10);
    expect(await pipelined(app, 2000)).toBeLessThan(2000);
    expect((await app.visitor().call('GET /api/session', {})).status).toBe(200);
  });

  test('no longer count once they are answered', async () => {
    const app = await startTestApp();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const status = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { host: '127.0.0.1', port: app.app.port, path: '/healthz', agent };
        const sent = request(options, (response) => resolve(response.resume().statusCode));
        sent.on('error', reject).end();
      });
    for (let n = 0; n < 30; n += 1) expect(await status()).toBe(200);
    agent.destroy();
  });
});

describe('requests behind https', () => {
  test('get HSTS and the __Host- cookie, and links with the public address (HTTP-6, HTTP-7)', async () => {
    const app = await startTestApp({ env: { PUBLIC_URL: 'https://tunes.example' } });
    const ann = await app.member('Ann');
    expect(ann.cookie()).toMatch(/^__Host-sid=/);
    const { headers } = await ann.call(signIn, credentials);
    expect(headers.getSetCookie()[0]).toContain('; Secure');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    const local = await ann.send(signIn, credentials, { origin: 'http://localhost:3000' });
    expect(local.status).toBe(403);
  });

  test.each(['https://nas.example:8443', 'https://192.168.1.20:3443'])(
    'with the port of %s get no HSTS, which would hold for the other servers of that host (HTTP-6)',
    async (publicUrl) => {
      const app = await startTestApp({ env: { PUBLIC_URL: publicUrl } });
      const { headers } = await app.visitor().fetch('/healthz');
      expect(headers.get('strict-transport-security')).toBeNull();
    },
  );
});

describe('too many requests', () => {
  test('are refused with the time to wait: sign-ups per network, above what one household needs (HTTP-10)', async () => {
    const app = await startTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    const signUp = (index: number) =>
      app
        .visitor()
        .call('POST /api/accounts/sign-up', { name: 'A', email: emailOf(`n${String(index)}`), password: goodPassword });
    for (let index = 0; index < 20; index += 1) expect((await signUp(index)).status).toBe(200);
    const further = await signUp(20);
    expect(further).toMatchObject({ status: 429, result: code('limit/too-many') });
    expect(Number(further.headers.get('retry-after'))).toBe(12 * 60);
    app.clock.advance(12 * 60_000);
    expect((await signUp(21)).status).toBe(200);
  });

  test('are refused with the time to wait: sign-ins per account, known or not (HTTP-10)', async () => {
    const app = await startTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    await app.member('Ann');
    for (const [name, left] of [
      // The right password of her first sign-in took nothing.
      ['Ann', 5],
      ['Nobody', 5],
    ] as const) {
      const attempt = () => app.visitor().call(signIn, { email: emailOf(name), password: 'not the right one' });
      for (let index = 0; index < left; index += 1) expect((await attempt()).status).toBe(401);
      const refused = await attempt();
      expect(refused.status).toBe(429);
      expect(refused.result).toEqual({ ok: false, error: { code: 'limit/too-many', retryAfterMs: 180_000 } });
    }
  });

  test('are refused with the time to wait: requests of one user, from any address (HTTP-10)', async () => {
    const app = await startTestApp({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' } });
    const ann = await app.member('Ann');
    const ask = async (from: number) => {
      const headers = { 'x-forwarded-for': `203.0.113.${String(from)}` };
      return (await ann.fetch('/api/session', { headers })).status;
    };
    const statuses: number[] = [];
    for (let index = 0; index < 610; index += 1) statuses.push(await ask(Math.floor(index / 40)));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(new Set(statuses.slice(0, 590))).toEqual(new Set([200]));
  });

  test('are refused with the time to wait: the fourth mail in ten minutes', async () => {
    const app = await startTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    const visitor = app.visitor();
    await visitor.call('POST /api/accounts/sign-up', { name: 'Ann', ...credentials });
    await visitor.call(signIn, credentials);
    const resend = () => visitor.call('POST /api/accounts/resend-verification', {});
    for (let index = 0; index < 3; index += 1) expect((await resend()).status).toBe(200);
    expect(await resend()).toMatchObject({ status: 429, result: code('limit/too-many') });
  });

  test('count for the visitor behind a trusted proxy, not for an address that the visitor claims (HTTP-11)', async () => {
    const flood = async (app: TestApp, header: (index: number) => string) => {
      const statuses = new Set<number>();
      for (let index = 0; index < 60; index += 1) {
        const answer = await app.visitor().send('GET /api/session', {}, { 'x-forwarded-for': header(index) });
        statuses.add(answer.status);
      }
      return [...statuses].sort((a, b) => a - b);
    };
    const direct = await startTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    expect(await flood(direct, (index) => `203.0.113.${String(index)}`)).toEqual([200, 429]);
    await direct.close();
    const proxied = await startTestApp({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' } });
    expect(await flood(proxied, (index) => `203.0.113.${String(index)}`)).toEqual([200]);
    expect(await flood(proxied, (index) => `203.0.113.${String(index)}, 198.51.100.7`)).toEqual([200, 429]);
  });
});
