import { protocolVersion, type Refusal } from '@tunemate/protocol';
import { valueOf } from '@tunemate/testkit/answers';
import { type Client, openClient } from '@tunemate/testkit/network/client';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import type { HttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const day = 24 * 60 * 60 * 1000;

describeEachDialect('a socket whose session ends', (makeDatabaseUrl) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => app.close());

  /** A tab of this user after its hello. */
  async function openTab(person: HttpVisitor): Promise<{ socket: Client; ended: Promise<Refusal> }> {
    const address = `http://127.0.0.1:${String(app.app.port)}`;
    const socket = await openClient(address, { cookie: person.cookie(), origin: app.url });
    const ended = new Promise<Refusal>((resolve) => socket.on('goodbye', resolve));
    expect((await socket.request('session/hello', { protocolVersion, tabId: randomUUID() })).ok).toBe(true);
    return { socket, ended };
  }

  const ways: [string, (person: HttpVisitor, name: string) => Promise<unknown>][] = [
    ['signs out', (person) => person.call('POST /api/accounts/sign-out', {})],
    ['signs out everywhere', (person) => person.call('POST /api/accounts/sign-out-everywhere', {})],
    ['deletes the account', (person) => person.call('POST /api/accounts/delete', { password: goodPassword })],
    [
      'resets the password',
      async (person, name) => {
        await person.call('POST /api/accounts/request-password-reset', { email: emailOf(name) });
        const oobCode = await app.codeFor(emailOf(name), 2);
        await person.call('POST /api/accounts/reset-password', { oobCode, password: 'seven quiet mountains' });
      },
    ],
  ];

  test.each(ways)('is closed when the user %s (ACCT-12)', async (what, end) => {
    const name = `Tab${what.replaceAll(' ', '')}`;
    const person = await app.member(name);
    const { ended } = await openTab(person);
    await end(person, name);
    expect(await ended).toEqual({ code: 'auth/required' });
  });

  test('is closed when the password changes in another browser, whose socket stays open (ACCT-23)', async () => {
    const [here, there] = [await app.member('Ada'), app.visitor()];
    await there.call('POST /api/accounts/sign-in', { email: emailOf('Ada'), password: goodPassword });
    const [mine, other] = [await openTab(here), await openTab(there)];
    await here.call('POST /api/accounts/change-password', {
      currentPassword: goodPassword,
      password: 'seven quiet mountains',
    });
    expect(await other.ended).toEqual({ code: 'auth/required' });
    expect(mine.socket.connected).toBe(true);
    mine.socket.disconnect();
  });

  test('keeps its session beyond 7 days without an HTTP request, and not beyond 30 (ACCT-14)', async () => {
    const { socket, ended } = await openTab(await app.member('Ida'));
    const live: boolean[] = [];
    for (let passed = 0; passed < 4; passed += 1) {
      app.clock.advance(6 * day);
      await app.app.runBackground();
      live.push(socket.connected);
    }
    expect(new Set(live)).toEqual(new Set([true]));
    app.clock.advance(6 * day);
    await app.app.runBackground();
    expect(await ended).toEqual({ code: 'auth/required' });
  });

  test('the settings of a page say that a user signed in with its browser before, also after they signed out', async () => {
    const knows = async (browser: HttpVisitor) =>
      valueOf((await browser.call('GET /api/config', {})).result).knowsBrowser;
    const person = await app.member('Returning');
    await person.call('POST /api/accounts/sign-out', {});
    expect([await knows(person), await knows(app.visitor())]).toEqual([true, undefined]);
  });

  test('can’t be opened without a cookie, or with an ended or unverified session (ACCT-12)', async () => {
    const unverified = app.visitor();
    const email = emailOf('Newcomer');
    await unverified.call('POST /api/accounts/sign-up', { name: 'Newcomer', email, password: goodPassword });
    await unverified.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    const gone = await app.member('Gone');
    const cookie = gone.cookie();
    await gone.call('POST /api/accounts/sign-out', {});
    gone.setCookie(cookie);
    await expect(openTab(app.visitor())).rejects.toThrow('auth/required');
    await expect(openTab(gone)).rejects.toThrow('auth/required');
    await expect(openTab(unverified)).rejects.toThrow('auth/email-unverified');
  });
});

describe('a change whose body is still coming when the session ends', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  const list = `/api/queues/m3u8?kind=audio&name=Theirs&clientId=${randomUUID()}`;
  test.each([
    ['PATCH', '/api/accounts/me', 'application/json', '{"name":"Somebody else"}'],
    ['POST', list, 'audio/x-mpegurl', 'https://youtu.be/dQw4w9WgXcQ\n'],
    ['POST', '/api/chats/images?with=BBBBBBBBBBBBBBBBBBBBBB', 'image/png', 'x'.repeat(100)],
  ])('is refused: %s %s (WIRE-27)', async (method, path, type, body) => {
    const person = await app.member(`Late${type.replaceAll(/\W/gu, '')}`);
    const headers = { cookie: person.cookie(), origin: app.url, 'content-type': type, 'content-length': body.length };
    const sent = request(`http://127.0.0.1:${String(app.app.port)}${path}`, { method, headers });
    const answered = new Promise<IncomingMessage>((resolve) => void sent.once('response', resolve));
    sent.write(body.slice(0, 9));
    // Once that has arrived, the session was looked at.
    await new Promise((resolve) => void setTimeout(resolve, 300));
    await person.call('POST /api/accounts/sign-out-everywhere', {});
    sent.end(body.slice(9));
    const answer = await answered;
    expect([answer.statusCode, JSON.parse(await text(answer))]).toMatchObject([
      401,
      { error: { code: 'auth/required' } },
    ]);
  });
});
