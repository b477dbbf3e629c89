import { hash } from '@node-rs/argon2';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';

const day = 24 * 60 * 60 * 1000;
const signedOut = { ok: true, value: { status: 'signed-out' } };
const invalid = { status: 401, result: { ok: false, error: { code: 'auth/invalid-credentials' } } };

describeEachDialect('signing in', (makeDatabaseUrl) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => app.close());

  const stateOf = async (cookie: string) => {
    const thief = app.visitor();
    thief.setCookie(cookie);
    return (await thief.call('GET /api/session', {})).result;
  };

  test('answers every failure alike: wrong password, unknown address, unverified (ACCT-10)', async () => {
    await app.member('Berta');
    const visitor = app.visitor();
    await visitor.call('POST /api/accounts/sign-up', { name: 'Ulf', email: emailOf('Ulf'), password: goodPassword });
    const answers = await Promise.all(
      ['Berta', 'Ulf', 'Nobody'].map((name) =>
        visitor.call('POST /api/accounts/sign-in', { email: emailOf(name), password: 'not the right one' }),
      ),
    );
    for (const { status, result, headers } of answers) {
      expect({ status, result }).toEqual(invalid);
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  test('an unknown address takes as long as a password check (ACCT-10)', async () => {
    await app.member('Clara');
    const visitor = app.visitor();
    const times = { Clara: Infinity, Noone: Infinity };
    // In turn, so that other load on the machine slows both.
    for (let round = 0; round < 8; round += 1) {
      for (const name of ['Clara', 'Noone'] as const) {
        const start = performance.now();
        await visitor.call('POST /api/accounts/sign-in', { email: emailOf(name), password: 'not the right one' });
        times[name] = Math.min(times[name], performance.now() - start);
      }
    }
    // Without the dummy hash an unknown address is answered many times faster.
    expect(times.Noone).toBeGreaterThan(times.Clara / 3);
  });

  test('a password hashed at an older cost is rehashed at the next sign-in (ACCT-24)', async () => {
    const own = await startTestApp({ databaseUrl: await makeDatabaseUrl() });
    await own.member('Otto');
    const { db } = own.app;
    const cheap = await hash(goodPassword, { memoryCost: 8192, timeCost: 1 });
    await db.updateTable('users').set({ password_hash: cheap }).execute();
    const signIn = async (password: string) =>
      (await own.visitor().call('POST /api/accounts/sign-in', { email: emailOf('Otto'), password })).status;
    const stored = async () => (await db.selectFrom('users').select('password_hash').executeTakeFirst())?.password_hash;
    expect([await signIn('not the right one'), await stored()]).toEqual([401, cheap]);
    expect(await signIn(goodPassword)).toBe(200);
    expect(await stored()).toMatch(/m=19456,t=2,p=1/);
    expect(await signIn(goodPassword)).toBe(200);
  });

  test('gives a new token on each sign-in and ends the earlier session (ACCT-11)', async () => {
    const dora = await app.member('Dora');
    const before = dora.cookie();
    const phone = app.visitor();
    await phone.call('POST /api/accounts/sign-in', { email: emailOf('Dora'), password: goodPassword });
    await dora.call('POST /api/accounts/sign-in', { email: emailOf('Dora'), password: goodPassword });
    expect(dora.cookie()).not.toBe(before);
    expect(await stateOf(before)).toEqual(signedOut);
    for (const own of [dora, phone]) {
      expect(await stateOf(own.cookie())).toMatchObject({ ok: true, value: { status: 'signed-in' } });
    }

    const fixed = app.visitor();
    fixed.setCookie(`sid=${'A'.repeat(43)}`);
    await fixed.call('POST /api/accounts/sign-in', { email: emailOf('Dora'), password: goodPassword });
    expect(fixed.cookie()).not.toBe(`sid=${'A'.repeat(43)}`);
    expect(await stateOf(`sid=${'A'.repeat(43)}`)).toEqual(signedOut);
  });

  test('gives a new token when an unverified session becomes verified (ACCT-11)', async () => {
    const [visitor, email] = [app.visitor(), emailOf('Emil')];
    await visitor.call('POST /api/accounts/sign-up', { name: 'Emil', email, password: goodPassword });
    await visitor.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    const before = visitor.cookie();
    await visitor.call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(email) });
    expect(visitor.cookie()).not.toBe(before);
    expect(await stateOf(before)).toEqual(signedOut);
    expect(await stateOf(visitor.cookie())).toMatchObject({ ok: true, value: { status: 'signed-in' } });
  });

  test('treats a request with two session cookies as signed out, in either order', async () => {
    const gusta = await app.member('Gusta');
    const [own, planted] = [gusta.cookie(), (await app.member('Planter')).cookie()];
    for (const both of [`${planted}; ${own}`, `${own}; ${planted}`, `${own}; lang=en; ${planted}`, `${own};sid=`]) {
      expect([both, await stateOf(both)]).toEqual([both, signedOut]);
    }
    expect(await stateOf(`lang=en; ${own}; sidebar=open`)).toMatchObject({ value: { status: 'signed-in' } });
  });

  test('revoking the current session signs this page out', async () => {
    const gerda = await app.member('Gerda');
    const { result } = await gerda.call('GET /api/accounts/sessions', {});
    const [own] = result.ok ? result.value.sessions : [];
    const ended = await gerda.call('POST /api/accounts/revoke-session', { sessionId: own?.sessionId ?? '' });
    expect([ended.status, ended.headers.getSetCookie()]).toEqual([200, [expect.stringMatching(/^sid=;/)]]);
    expect((await gerda.call('GET /api/session', {})).result).toEqual(signedOut);
  });

  test('a verification link does not verify a disabled account (ADMIN-2)', async () => {
    const [visitor, email] = [app.visitor(), emailOf('Hilde')];
    await visitor.call('POST /api/accounts/sign-up', { name: 'Hilde', email, password: goodPassword });
    const oobCode = await app.codeFor(email);
    await app.app.db.updateTable('users').set({ disabled_at_ms: 1 }).where('email', '=', email).execute();
    expect((await visitor.call('POST /api/accounts/verify-email', { oobCode })).result).toEqual({
      ok: false,
      error: { code: 'auth/disabled' },
    });
  });

  test('invalidates a stolen cookie at sign-out (ACCT-12)', async () => {
    const frida = await app.member('Frida');
    const stolen = frida.cookie();
    const phone = app.visitor();
    await phone.call('POST /api/accounts/sign-in', { email: emailOf('Frida'), password: goodPassword });
    const { headers } = await frida.call('POST /api/accounts/sign-out', {});
    expect(headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect(frida.cookie()).toBe('');
    expect(await stateOf(stolen)).toEqual(signedOut);
    const thief = app.visitor();
    thief.setCookie(stolen);
    expect((await thief.call('GET /api/accounts/sessions', {})).status).toBe(401);
    // Her other devices stay signed in.
    expect(await stateOf(phone.cookie())).toMatchObject({ ok: true, value: { status: 'signed-in' } });
    // Signing out twice succeeds.
    expect((await frida.call('POST /api/accounts/sign-out', {})).status).toBe(200);
  });

  test('keeps ten sessions: the eleventh ends the least recently used one (ACCT-13)', async () => {
    const first = await app.member('Gerda');
    for (let count = 0; count < 10; count += 1) {
      app.clock.advance(1000);
      await app.visitor().call('POST /api/accounts/sign-in', { email: emailOf('Gerda'), password: goodPassword });
    }
    expect(await stateOf(first.cookie())).toEqual(signedOut);
    const last = app.visitor();
    await last.call('POST /api/accounts/sign-in', { email: emailOf('Gerda'), password: goodPassword });
    const { result } = await last.call('GET /api/accounts/sessions', {});
    expect(result.ok && result.value.sessions).toHaveLength(10);
    expect(result.ok && result.value.sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
  });

  test('ends a session after 7 idle days, and after 30 days in any case (ACCT-14)', async () => {
    const idle = await app.member('Hanna');
    app.clock.advance(7 * day);
    expect((await idle.call('GET /api/session', {})).result).toEqual(signedOut);

    const busy = await app.member('Zoe');
    for (let passed = 0; passed < 29; passed += 1) {
      app.clock.advance(day);
      expect((await busy.call('GET /api/session', {})).result).toMatchObject({ value: { status: 'signed-in' } });
    }
    app.clock.advance(day);
    expect((await busy.call('GET /api/session', {})).result).toEqual(signedOut);
  });

  test('lists sessions by device and revokes one, never another person’s', async () => {
    const [jana, kurt] = [await app.member('Jana'), await app.member('Kurt')];
    const phone = app.visitor();
    const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1';
    const payload = { email: emailOf('Jana'), password: goodPassword };
    await phone.send('POST /api/accounts/sign-in', payload, { 'user-agent': agent });
    const { result } = await jana.call('GET /api/accounts/sessions', {});
    const sessions = result.ok ? result.value.sessions : [];
    expect(sessions.map(({ device }) => device).sort()).toEqual(['Safari on iPhone', 'Unknown device']);

    const sessionId = sessions.find(({ device }) => device === 'Safari on iPhone')?.sessionId ?? '';
    const foreign = await kurt.call('POST /api/accounts/revoke-session', { sessionId });
    const missing = await kurt.call('POST /api/accounts/revoke-session', { sessionId: 'nothing' });
    expect(foreign.status).toBe(404);
    expect(missing).toMatchObject({ status: foreign.status, result: foreign.result });

    expect((await jana.call('POST /api/accounts/revoke-session', { sessionId })).status).toBe(200);
    expect(await stateOf(phone.cookie())).toEqual(signedOut);
    expect(await stateOf(jana.cookie())).toMatchObject({ value: { status: 'signed-in' } });
  });

  test('signs out everywhere', async () => {
    const one = await app.member('Lena');
    const two = app.visitor();
    await two.call('POST /api/accounts/sign-in', { email: emailOf('Lena'), password: goodPassword });
    expect((await one.call('POST /api/accounts/sign-out-everywhere', {})).status).toBe(200);
    expect(one.cookie()).toBe('');
    expect(await stateOf(two.cookie())).toEqual(signedOut);
  });
});
