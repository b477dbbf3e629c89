/** A caller receives the code of an error, never its details. Over real HTTP. */
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Failure, refuse } from '../system/ports.ts';
import { answerErrors, RefusedRequest } from './answers.ts';

let http: FastifyInstance;
let url: string;
let lines: { level: string; event: string; fields: object }[];
let thrown: unknown;

beforeEach(async () => {
  lines = [];
  const at = (level: string) => (fields: object, event: string) => void lines.push({ level, event, fields });
  http = Fastify({ bodyLimit: 1000 });
  answerErrors(http, { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') });
  http.post('/ask', () => {
    throw thrown;
  });
  url = await http.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => http.close());

async function ask(error: unknown, body = '{}', type = 'application/json') {
  thrown = error;
  const response = await fetch(`${url}/ask`, { method: 'POST', body, headers: { 'content-type': type } });
  return { status: response.status, answer: await response.json(), retryAfter: response.headers.get('retry-after') };
}
const refusedWith = (code: string) => ({ ok: false, error: { code } });

describe('an error becomes a code', () => {
  test('a Failure is answered with its code and logged by its event', async () => {
    const { status, answer } = await ask(new Failure('server/unavailable', 'mail.unreachable', new Error('secret')));
    expect([status, answer]).toEqual([503, refusedWith('server/unavailable')]);
    expect(lines).toMatchObject([{ level: 'warn', event: 'request.mail.unreachable', fields: { route: '/ask' } }]);
  });

  test('a database that stays busy is a Failure', async () => {
    const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    expect((await ask(busy)).answer).toEqual(refusedWith('server/unavailable'));
  });

  test('a bug is answered without its message and logged as an error', async () => {
    const { status, answer } = await ask(new TypeError('secret detail'));
    expect([status, answer]).toEqual([500, refusedWith('server/failed')]);
    expect(lines).toMatchObject([{ level: 'error', event: 'request.failed' }]);
  });

  test('an error with a status of 500 or more counts as a bug', async () => {
    expect((await ask(Object.assign(new Error('broken'), { statusCode: 500 }))).status).toBe(500);
  });

  test('a refusal is sent unchanged, with Retry-After in whole seconds', async () => {
    const refusal = await ask(new RefusedRequest(refuse('limit/too-many', { retryAfterMs: 1200 })));
    expect(refusal).toEqual({
      status: 429,
      answer: { ok: false, error: { code: 'limit/too-many', retryAfterMs: 1200 } },
      retryAfter: '2',
    });
    expect(lines).toEqual([]);
  });

  test.each([
    ['that is no JSON', 'no json', 'application/json', 'input/invalid'],
    ['that is too large', `"${'x'.repeat(2000)}"`, 'application/json', 'input/too-large'],
    ['that another site can send', 'a=b', 'application/x-www-form-urlencoded', 'access/cross-site'],
  ])('a body %s is refused and not logged as a server error', async (_what, body, type, code) => {
    expect((await ask(new Error('not reached'), body, type)).answer).toEqual(refusedWith(code));
    expect(lines).toEqual([]);
  });
});
