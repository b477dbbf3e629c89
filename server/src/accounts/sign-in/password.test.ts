import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { readOutbox, waitForMail } from '@tunemate/testkit/services/outbox';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../storage/database.ts';

const other = 'seven quiet mountains';
const signedOut = { ok: true, value: { status: 'signed-out' } };
const refused = (code: string, field?: string) => ({ ok: false, error: { code, ...(field ? { field } : {}) } });

describeEachDialect('passwords', (makeDatabaseUrl) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => app.close());

  const canSignIn = async (name: string, password: string) =>
    (await app.visitor().call('POST /api/accounts/sign-in', { email: emailOf(name), password })).result.ok;

  test('resets a forgotten password by mail, and ends every session (ACCT-20)', async () => {
    const anna = await app.member('Anna');
    const email = emailOf('Anna');
    const visitor = app.visitor();
    expect((await visitor.call('POST /api/accounts/request-password-reset', { email })).status).toBe(200);
    const mail = await waitForMail(app.outbox, email, 2);
    expect(mail.links[0]).toContain(`${app.url}/auth/action?mode=resetPassword&oobCode=`);
    const oobCode = await app.codeFor(email, 2);

    const weak = await visitor.call('POST /api/accounts/reset-password', { oobCode, password: 'password1' });
    expect(weak.result).toEqual(refused('auth/password-weak', 'password'));
    // A reset code does not verify, and the weak attempt did not use it up.
    const misused = await visitor.call('POST /api/accounts/verify-email', { oobCode });
    expect(misused.result).toEqual(refused('auth/code-invalid'));
    expect((await visitor.call('POST /api/accounts/reset-password', { oobCode, password: other })).status).toBe(200);

    expect((await anna.call('GET /api/session', {})).result).toEqual(signedOut);
    expect(await canSignIn('Anna', goodPassword)).toBe(false);
    expect(await canSignIn('Anna', other)).toBe(true);
    const again = await visitor.call('POST /api/accounts/reset-password', { oobCode, password: goodPassword });
    expect(again).toMatchObject({ status: 410, result: refused('auth/code-invalid') });
  });

  test('an unknown address gets the same answer, and no mail is sent (ACCT-21)', async () => {
    await app.member('Bruno');
    const ask = (name: string) =>
      app.visitor().call('POST /api/accounts/request-password-reset', { email: emailOf(name) });
    const [known, unknown] = [await ask('Bruno'), await ask('Stranger')];
    expect({ status: unknown.status, result: unknown.result }).toEqual({ status: known.status, result: known.result });
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
    await waitForMail(app.outbox, emailOf('Bruno'), 2);
    expect((await readOutbox(app.outbox)).filter(({ to }) => to === emailOf('Stranger'))).toEqual([]);
  });

  test('limits the resets per network, and stores none for an unknown address', async () => {
    const databaseUrl = await makeDatabaseUrl();
    const limited = await startTestApp({ databaseUrl, env: { RATE_LIMIT_SCALE: '1' } });
    const ask = async (n: number) => {
      const payload = { email: emailOf(`nobody${String(n)}`) };
      return (await limited.visitor().call('POST /api/accounts/request-password-reset', payload)).status;
    };
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) statuses.push(await ask(n));
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
    limited.clock.advance(3 * 60 * 1000);
    expect([await ask(22), await ask(23)]).toEqual([200, 429]);
    await limited.close();
    const database = openDatabase(databaseUrl);
    expect(await database.db.selectFrom('audit').select('event').execute()).toEqual([]);
    await database.close();
  });

  test('accepts only the newest reset link, for 24 hours (ACCT-20)', async () => {
    await app.member('Carl');
    const visitor = app.visitor();
    const ask = () => visitor.call('POST /api/accounts/request-password-reset', { email: emailOf('Carl') });
    const reset = async (oobCode: string) =>
      (await visitor.call('POST /api/accounts/reset-password', { oobCode, password: other })).status;
    await ask();
    const first = await app.codeFor(emailOf('Carl'), 2);
    app.clock.advance(1000);
    await ask();
    const second = await app.codeFor(emailOf('Carl'), 3);
    expect(await reset(first)).toBe(410);
    app.clock.advance(24 * 60 * 60 * 1000);
    expect(await reset(second)).toBe(410);
  });

  test('a reset also verifies the address: an earlier sign-up with it loses the account', async () => {
    const email = emailOf('Victim');
    const squatter = app.visitor();
    const signUp = { name: 'Victim', email, password: goodPassword };
    await app.mailed(email, () => squatter.call('POST /api/accounts/sign-up', signUp));
    await squatter.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    await app.visitor().call('POST /api/accounts/request-password-reset', { email });
    const oobCode = await app.codeFor(email, 2);
    await app.visitor().call('POST /api/accounts/reset-password', { oobCode, password: other });
    expect((await squatter.call('GET /api/session', {})).result).toEqual(signedOut);
    const owner = await app.visitor().call('POST /api/accounts/sign-in', { email, password: other });
    expect(owner.result).toMatchObject({ ok: true, value: { status: 'signed-in' } });
  });

  test('changes the password for the current one, and ends the other sessions (ACCT-23)', async () => {
    const dora = await app.member('Dora');
    const elsewhere = app.visitor();
    await elsewhere.call('POST /api/accounts/sign-in', { email: emailOf('Dora'), password: goodPassword });
    const change = (currentPassword: string, password: string) =>
      dora.call('POST /api/accounts/change-password', { currentPassword, password });

    const wrong = await change('not the right one', other);
    expect(wrong.result).toEqual(refused('auth/invalid-credentials', 'currentPassword'));
    expect((await change(goodPassword, 'Tunemate1')).result).toEqual(refused('auth/password-weak', 'password'));
    expect((await elsewhere.call('GET /api/session', {})).result).toMatchObject({ value: { status: 'signed-in' } });
    expect((await change(goodPassword, other)).status).toBe(200);
    expect((await elsewhere.call('GET /api/session', {})).result).toEqual(signedOut);
    expect((await dora.call('GET /api/session', {})).result).toMatchObject({ value: { status: 'signed-in' } });
    expect(await canSignIn('Dora', other)).toBe(true);
  });

  test.each([
    ['is changed', 'Fritz'],
    ['is reset by a link', 'Fiete'],
  ])('invalidates every link mailed before, once the password %s (ACCT-27)', async (how, name) => {
    const member = await app.member(name);
    const email = emailOf(name);
    await app.visitor().call('POST /api/accounts/request-password-reset', { email });
    const oobCode = await app.codeFor(email, 2);
    if (how === 'is changed') {
      await member.call('POST /api/accounts/change-password', { currentPassword: goodPassword, password: other });
    } else await app.visitor().call('POST /api/accounts/reset-password', { oobCode, password: other });
    const reset = await app.visitor().call('POST /api/accounts/reset-password', { oobCode, password: goodPassword });
    expect(reset).toMatchObject({ status: 410, result: refused('auth/code-invalid') });
    expect(await canSignIn(name, other)).toBe(true);
  });

  test('invalidates the verification link of an address that was verified by a reset (ACCT-27)', async () => {
    const email = emailOf('Fanny');
    await app.visitor().call('POST /api/accounts/sign-up', { name: 'Fanny', email, password: goodPassword });
    const verification = await app.codeFor(email);
    await app.visitor().call('POST /api/accounts/request-password-reset', { email });
    const oobCode = await app.codeFor(email, 2);
    expect((await app.visitor().call('POST /api/accounts/reset-password', { oobCode, password: other })).status).toBe(
      200,
    );
    const verify = await app.visitor().call('POST /api/accounts/verify-email', { oobCode: verification });
    expect(verify).toMatchObject({ status: 410, result: refused('auth/code-invalid') });
  });

  test('accepts one of two concurrent changes (ACCT-23)', async () => {
    const emma = await app.member('Emma');
    const answers = await Promise.all(
      ['first new password', 'second new password'].map(async (password) => {
        return await emma.call('POST /api/accounts/change-password', { currentPassword: goodPassword, password });
      }),
    );
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect(won?.status).toBe(200);
    expect(lost).toMatchObject({ status: 401, result: refused('auth/invalid-credentials', 'currentPassword') });
  });
});
