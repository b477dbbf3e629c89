import { expect, test } from 'vitest';
import { createCallRoute } from './http.ts';

function answering(body: string, init: ResponseInit = {}) {
  const asked: { path: string; init: RequestInit }[] = [];
  const callRoute = createCallRoute((path, options) => {
    asked.push({ path: path as string, init: options ?? {} });
    return Promise.resolve(new Response(body, init));
  });
  return { asked, callRoute };
}

test('a route is called with JSON and the cookie of this site only', async () => {
  const { asked, callRoute } = answering('{"ok":true,"value":{}}');
  await expect(callRoute('POST /api/accounts/verify-email', { oobCode: 'x' })).resolves.toEqual({
    ok: true,
    value: {},
  });
  expect(asked[0]).toMatchObject({
    path: '/api/accounts/verify-email',
    init: { method: 'POST', credentials: 'same-origin', body: '{"oobCode":"x"}' },
  });
});

test('a refusal of the server is returned unchanged', async () => {
  const { callRoute } = answering('{"ok":false,"error":{"code":"limit/too-many","retryAfterMs":5}}', { status: 429 });
  const error = { code: 'limit/too-many', retryAfterMs: 5 };
  await expect(callRoute('GET /api/session', {})).resolves.toEqual({ ok: false, error });
});

test.each([
  [413, {}, { code: 'input/too-large' }],
  [429, { 'retry-after': '3' }, { code: 'limit/too-many', retryAfterMs: 3000 }],
  [502, {}, { code: 'server/busy' }],
  [503, { 'retry-after': '3' }, { code: 'server/busy', retryAfterMs: 3000 }],
  [504, {}, { code: 'server/busy' }],
  [511, {}, { code: 'server/unavailable' }],
  [521, {}, { code: 'server/unavailable' }],
  [530, {}, { code: 'server/unavailable' }],
  [507, {}, { code: 'server/failed' }],
  [403, {}, { code: 'server/unavailable' }],
  [500, {}, { code: 'server/failed' }],
  [200, {}, { code: 'server/unavailable' }],
])('an error page with status %i becomes a refusal', async (status, headers, error) => {
  const { callRoute } = answering('<html>', { status, headers });
  await expect(callRoute('GET /api/session', {})).resolves.toEqual({ ok: false, error });
});

test('no network is server/unavailable', async () => {
  const callRoute = createCallRoute(() => Promise.reject(new TypeError('Failed to fetch')));
  await expect(callRoute('GET /api/session', {})).resolves.toEqual({
    ok: false,
    error: { code: 'server/unavailable' },
  });
});
