/**
 * The access matrix over HTTP: every route of the protocol and every file address, requested signed out,
 * unverified, verified and by an operator, with another user's id wherever a payload holds one.
 */
import { httpRequests, type Result, type RouteName } from '@tunemate/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import type { HttpVisitor } from '@tunemate/testkit/network/http-visitor';
import type { Person } from '@tunemate/testkit/worlds/people';
import { without } from '@tunemate/testkit/without';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { emailOf, goodPassword } from '@tunemate/testkit/worlds/test-app';
import { makeOperator } from '../accounts/operators/operators.ts';
import { fileAccess, type FileRouteName } from '../access/files.ts';

/** The answers when signed out, unverified, verified, and to an operator where that differs. */
type Codes = readonly [string, string, string, string?];

const [A, V, N, I] = ['auth/required', 'auth/email-unverified', 'access/not-found', 'input/invalid'];
const [wrong, badCode] = ['auth/invalid-credentials', 'auth/code-invalid'];
const all = (code: string): Codes => [code, code, code];
const own: Codes = [A, 'ok', 'ok'];
const verified: Codes = [A, V, 'ok'];
const operator: Codes = [A, V, N, 'ok'];
/** Of a person who does not wait. */
const operatorOnNobody: Codes = [A, V, N, N];
const password = goodPassword;

type Case = readonly [what: string, payload: (other: Person) => object, codes: Codes];

/** docs/access.md has the rows of the access matrix that each route serves. */
const table: Record<RouteName, readonly Case[]> = {
  'GET /api/config': [['any visitor', () => ({}), all('ok')]],
  'GET /api/session': [['any visitor', () => ({}), all('ok')]],
  'POST /api/accounts/sign-up': [
    ['with fields of the server', ({ uid }) => ({ name: 'N', email: emailOf('N'), password, uid }), all(I)],
  ],
  'POST /api/accounts/sign-in': [
    ['as another', ({ uid }) => ({ email: `${uid}@example.test`.toLowerCase(), password }), all(wrong)],
  ],
  'POST /api/accounts/sign-out': [
    ['of another', ({ uid, sessionId }) => ({ uid, sessionId }), all(I)],
    ['of oneself', () => ({}), all('ok')],
  ],
  'POST /api/accounts/resend-verification': [
    ['for oneself', () => ({}), [A, 'ok', 'auth/already-verified']],
    ['for another', ({ uid }) => ({ uid }), all(I)],
  ],
  'POST /api/accounts/continue-sign-up': [
    ['of no sign-up', () => ({ ticket: 'x'.repeat(43) }), all('ok')],
    ['as another', ({ uid }) => ({ ticket: 'x', uid }), all(I)],
  ],
  'GET /api/accounts/mailed-link': [['of no mail', () => ({ mode: 'verifyEmail', oobCode: 'x' }), all('ok')]],
  'POST /api/accounts/verify-email': [['with an unknown code', () => ({ oobCode: 'x' }), all(badCode)]],
  'POST /api/accounts/reject-sign-up': [['with an unknown code', () => ({ oobCode: 'x' }), all(badCode)]],
  'POST /api/accounts/request-password-reset': [['of no account', () => ({ email: emailOf('Nobody') }), all('ok')]],
  'POST /api/accounts/reset-password': [['with an unknown code', () => ({ oobCode: 'x', password }), all(badCode)]],
  'PATCH /api/accounts/me': [
    ['of oneself', () => ({ name: 'Newname' }), verified],
    ['of another', ({ uid }) => ({ uid, name: 'Newname' }), [A, V, I]],
    ...['online', 'email', 'emailVerified', 'createdAt', 'soulmate', 'tunemates', 'audioConnections', 'presence'].map(
      (field): Case => [`with ${field}`, ({ uid }) => ({ name: 'Newname', [field]: uid }), [A, V, I]],
    ),
  ],
  'POST /api/accounts/change-password': [
    ['without knowing it', () => ({ currentPassword: 'not this one', password }), [A, wrong, wrong]],
    ['of another', ({ uid }) => ({ uid, currentPassword: password, password }), [A, I, I]],
  ],
  'GET /api/accounts/sessions': [['of oneself', () => ({}), own]],
  'POST /api/accounts/revoke-session': [
    ['of another', ({ sessionId }) => ({ sessionId }), [A, N, N]],
    ['of no session', () => ({ sessionId: 'x'.repeat(22) }), [A, N, N]],
  ],
  'POST /api/accounts/sign-out-everywhere': [
    ['of another', ({ uid }) => ({ uid }), [A, I, I]],
    ['of oneself', () => ({}), own],
  ],
  'POST /api/accounts/delete': [
    ['without the password', () => ({ password: 'not this one' }), [A, wrong, wrong]],
    ['of another', ({ uid }) => ({ uid, password }), [A, I, I]],
  ],
  'GET /api/listens': [['of oneself', () => ({}), verified]],
  'POST /api/listens/connect': [
    ['with a token that is none', () => ({ token: 'a line\nbreak' }), [A, V, I]],
    ['for another', ({ uid }) => ({ uid, token: 'x' }), [A, V, I]],
  ],
  'POST /api/listens/disconnect': [
    ['of oneself', () => ({}), verified],
    ['of another', ({ uid }) => ({ uid }), [A, V, I]],
  ],
  'POST /api/accounts/run-server': [
    ['with an unknown code', () => ({ ticket: 'x'.repeat(43), code: '7F3A-9C04' }), all(badCode)],
    ['for another', ({ uid }) => ({ ticket: 'x', code: 'x', uid }), all(I)],
  ],
  'GET /api/operator': [['of oneself', () => ({}), operator]],
  'POST /api/operator/told': [
    ['of oneself', () => ({}), operator],
    ['of another', ({ uid }) => ({ uid }), [A, V, N, I]],
  ],
  'POST /api/operator/let-in': [
    ['an unknown id', () => ({ id: 'x'.repeat(22) }), operatorOnNobody],
    ['a person by uid', ({ uid }) => ({ id: uid }), operatorOnNobody],
  ],
  'POST /api/operator/refuse': [
    ['an unknown id', () => ({ id: 'x'.repeat(22) }), operatorOnNobody],
    ['all', () => ({}), operator],
  ],
  'POST /api/operator/reset-link': [
    ['of an unknown id', () => ({ id: 'x'.repeat(22) }), operatorOnNobody],
    ['of a person by uid', ({ uid }) => ({ id: uid }), operatorOnNobody],
  ],
  'POST /api/beside': [['a room of another', () => ({ kind: 'audio', code: 'ABC123' }), [A, V, N]]],
  'GET /api/beside': [['an unknown key', () => ({ key: 'audio.x.y.z' }), all(N)]],
  'GET /api/push/key': [['any visitor', () => ({}), verified]],
  'POST /api/push/subscribe': [['to an address inside a network', () => subscription('https://10.0.0.7/x'), [A, V, I]]],
  'POST /api/push/unsubscribe': [['a device that is none', () => ({ endpoint: 'https://push.example/x' }), verified]],
};

const subscription = (endpoint: string) => ({ endpoint, keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) } });

const files: Record<FileRouteName, Codes> = {
  'GET /api/accounts/export': verified,
  // It names no recipient, so none is found.
  'POST /api/chats/images': [A, V, N],
  'GET /api/chats/images/:imageId': [A, V, N],
  'GET /api/chats/images/:imageId/preview': [A, V, N],
  'POST /api/chats/voices': [A, V, N],
  'GET /api/chats/voices/:voiceId': [A, V, N],
  'GET /api/queues/:queueId/m3u8': [A, V, N],
  // It names no kind of room.
  'POST /api/queues/m3u8': [A, V, I],
  'GET /media/:id': [A, V, N],
  'GET /media/:id/cover': [A, V, N],
  'GET /media/:id/subtitles/:subtitlesId': [A, V, N],
};

const typeOf = (path: string): string =>
  path.includes('m3u8') ? 'audio/x-mpegurl' : path.includes('voices') ? 'audio/webm' : 'image/png';

const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code);

describeEachDialect('the access matrix over HTTP', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  /** Further processes on the same database. A refusal changes nothing, so each process is asked. */
  let others: SocketWorld[] = [];
  beforeAll(async () => {
    const databaseUrl = await makeDatabaseUrl();
    w = await openSocketWorld({ databaseUrl });
    if (dialect === 'postgres') others = [await openSocketWorld({ databaseUrl, clock: w.clock })];
  });
  afterAll(async () => {
    for (const world of [...others, w]) await world.close();
  });

  function browserOf(person?: Person, world = w): HttpVisitor {
    const visitor = world.app.visitor();
    if (person) visitor.setCookie(person.cookie);
    return visitor;
  }

  /** Signed out, unverified, verified, and an operator. */
  async function people() {
    const ola = await w.person('Ola');
    await makeOperator(w.db, ola.uid, w.clock.now());
    return [undefined, await w.person('Uma', { isVerified: false }), await w.person('Ivo'), ola] as const;
  }
  const visitors = async () => (await people()).map((person) => browserOf(person));

  /** The answer of the first process and, if it is a refusal, of every other process. */
  async function compare(codes: Codes, ask: (visitor: HttpVisitor, at: SocketWorld) => Promise<string>): Promise<void> {
    const codeFor = (index: number) => codes[index] ?? codes[2];
    const answers: string[][] = [];
    for (const [index, person] of (await people()).entries()) {
      const worlds = codeFor(index) === 'ok' ? [w] : [w, ...others];
      const own: string[] = [];
      for (const world of worlds) own.push(await ask(browserOf(person, world), world));
      answers.push(own);
    }
    expect(answers).toEqual(answers.map((own, index) => own.map(() => codeFor(index))));
  }

  /** Whether this person's session, name and account are what they were. */
  async function isUntouched(person: Person): Promise<boolean> {
    const { result } = await browserOf(person).call('GET /api/session', {});
    return result.ok && result.value.status === 'signed-in' && result.value.user.name === person.name;
  }

  test('every route has its rows here, and no other (ACCESS-17, OPER-7)', () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(httpRequests).sort());
    expect(Object.keys(files).sort()).toEqual(Object.keys(fileAccess).sort());
  });

  test.for(
    Object.entries(table).flatMap(([name, cases]) => cases.map((each) => [name as RouteName, ...each] as const)),
  )('%s: %s (ACCESS-17, ACCESS-40)', async ([name, _what, payload, codes]) => {
    const ines = await w.person('Ines');
    await compare(codes, async (visitor) => codeOf((await visitor.send(name, payload(ines))).result));
    expect(await isUntouched(ines)).toBe(true);
  });

  test.for(Object.entries(files))('%s (ACCESS-17, ACCESS-40)', async ([name, codes]) => {
    const [method = '', path = ''] = name.replaceAll(/:\w+/g, 'x'.repeat(22)).split(' ');
    await compare(codes, async (visitor, at) => {
      const headers = { origin: at.app.url, ...(method === 'POST' ? { 'content-type': typeOf(path) } : {}) };
      const answer = await visitor.fetch(path, { method, headers, ...(method === 'POST' ? { body: 'x' } : {}) });
      return answer.ok ? 'ok' : codeOf((await answer.json()) as Result<unknown>);
    });
  });

  const needs = Object.entries({ ...httpRequests, ...fileAccess }).flatMap(([name, row]) => {
    const weaker = {
      none: [],
      session: [['none', 0]],
      verified: [
        ['none', 0],
        ['session', 1],
      ],
      operator: [
        ['none', 0],
        ['session', 1],
        ['verified', 2],
      ],
    } as const;
    return weaker[row.session].map(([instead, index]) => ({ name, row, instead, index }));
  });

  test.for(needs)(
    '$name with a session of kind $instead answers otherwise than the matrix says (ACCESS-44)',
    async ({ name, row, instead, index }) => {
      const visitor = browserOf((await people())[index]);
      const [method = '', path = ''] = name.replaceAll(/:\w+/g, 'x'.repeat(22)).split(' ');
      const headers = { origin: w.app.url, 'content-type': name in httpRequests ? 'application/json' : typeOf(path) };
      const ask = async () => {
        const answer = await visitor.fetch(path, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) });
        return answer.ok ? 'ok' : codeOf((await answer.json()) as Result<unknown>);
      };
      const refusal = [A, V, N][index];
      expect(await ask()).toBe(refusal);
      expect(await without(row, 'session', instead, ask)).not.toBe(refusal);
    },
  );

  test('row 1: each person reads their own session, an unverified one only status, name and address (ACCESS-17)', async () => {
    const [, uma, ivo] = await visitors();
    const sessionOf = async (visitor?: HttpVisitor) => (await visitor?.call('GET /api/session', {}))?.result;
    expect(await sessionOf(browserOf())).toEqual({ ok: true, value: { status: 'signed-out' } });
    const unverified = await sessionOf(uma);
    expect(unverified).toMatchObject({ ok: true, value: { status: 'unverified', name: 'Uma' } });
    expect(Object.keys(unverified?.ok ? unverified.value : {}).sort()).toEqual(['email', 'name', 'status', 'uid']);
    expect(await sessionOf(ivo)).toMatchObject({ ok: true, value: { status: 'signed-in', user: { name: 'Ivo' } } });
  });

  test.each(['/api/users', '/api/users/x', '/api/accounts', '/api/presence/x', '/api/notifications/x', '/api/rooms'])(
    'rows 3, 7 and 9: %s answers not-found to every user (ACCESS-17)',
    async (path) => {
      for (const visitor of await visitors()) {
        for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
          const answer = await visitor.fetch(path, { method, headers: { origin: w.app.url } });
          expect([method, answer.status, await answer.json()]).toEqual([
            method,
            404,
            { ok: false, error: { code: N } },
          ]);
        }
      }
    },
  );

  test.each([true, false])(
    'row 41: a person lists and ends their own sessions, verified (%s) or not (ACCESS-17)',
    async (isVerified) => {
      const name = isVerified ? 'Vera' : 'Ursula';
      const credentials = { email: emailOf(name), password: goodPassword };
      const here = isVerified ? await w.app.member(name) : w.app.visitor();
      if (!isVerified) {
        await here.call('POST /api/accounts/sign-up', { name, ...credentials });
        await here.call('POST /api/accounts/sign-in', credentials);
      }
      const [there, elsewhere] = [w.app.visitor(), w.app.visitor()];
      for (const visitor of [there, elsewhere]) await visitor.call('POST /api/accounts/sign-in', credentials);
      const sessions = async () => {
        const { result } = await here.call('GET /api/accounts/sessions', {});
        return result.ok ? result.value.sessions : [];
      };
      const others = (await sessions()).filter(({ isCurrent }) => !isCurrent);
      expect(others).toHaveLength(2);
      const ended = await here.call('POST /api/accounts/revoke-session', { sessionId: others[0]?.sessionId ?? '' });
      expect([codeOf(ended.result), (await sessions()).length]).toEqual(['ok', 2]);
      const passwords = { currentPassword: goodPassword, password: 'seven quiet mountains' };
      expect(codeOf((await here.call('POST /api/accounts/change-password', passwords)).result)).toBe('ok');
      expect(await sessions()).toHaveLength(1);
      for (const visitor of [there, elsewhere]) {
        expect(codeOf((await visitor.call('GET /api/accounts/sessions', {})).result)).toBe(A);
      }
      expect(codeOf((await here.call('POST /api/accounts/sign-out', {})).result)).toBe('ok');
    },
  );
});
