import { hash } from '@node-rs/argon2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RouteName } from '@tunemate/protocol';
import type { HttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { readOutbox, waitForMail } from '@tunemate/testkit/services/outbox';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { createPasswords, isWeakPassword } from './passwords.ts';
import { openDatabase } from '../../storage/database.ts';

const own = { name: 'Marie Curie', email: 'radium@example.org' };

describe('passwords', () => {
  test.each([
    '1234567',
    'qwertyuiop',
    'PASSWORD',
    'Soulmate!!',
    'marie curie 1867',
    'radium2026',
    'ababababab',
    'x'.repeat(129),
  ])('%s is weak', async (password) => expect(await isWeakPassword(password, own)).toBe(true));

  test.each([
    'three green bicycles',
    'пароль из шести слов',
    '🎵🎶🎷🎸🎹🎺🎻🥁',
    'y7$kQ2!v',
    `${'long enough '.repeat(10)}ok`,
  ])('%s is accepted', async (password) => expect(await isWeakPassword(password, own)).toBe(false));

  test('are stored as argon2id with OWASP’s minimum cost (ACCT-24)', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('three green bicycles');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.check('three green bicycles', stored)).toEqual({ isRight: true, rehash: null });
    expect(await passwords.check('three green bicycle', stored)).toEqual({ isRight: false, rehash: null });
    expect(await passwords.check('three green bicycles', null)).toEqual({ isRight: false, rehash: null });
  });

  test('are equal in every Unicode composition (ACCT-24)', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('caf\u00e9 au lait');
    expect((await passwords.check('cafe\u0301 au lait', stored)).isRight).toBe(true);
  });

  test('are rehashed at sign-in when the cost has risen', async () => {
    const passwords = createPasswords();
    const cheap = await hash('three green bicycles', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    const { isRight, rehash } = await passwords.check('three green bicycles', cheap);
    expect(isRight).toBe(true);
    expect((await passwords.check('three green bicycles', rehash)).isRight).toBe(true);
    expect((await passwords.check('wrong', cheap)).rehash).toBeNull();
  });

  test('are refused as busy when 64 wait already; the others are served', async () => {
    const passwords = createPasswords();
    const cheap = await hash('right', { memoryCost: 1024, timeCost: 1, parallelism: 1 });
    const checks = Array.from({ length: 80 }, () => passwords.check('wrong', cheap));
    const settled = await Promise.allSettled(checks);
    const refused = settled.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(80 - 2 - 64);
    expect(refused[0]?.reason).toMatchObject({ code: 'server/busy' });
    expect((await passwords.check('right', cheap)).isRight).toBe(true);
  });
});

/**
 * Strangers who guess passwords or ask for new ones don't keep the owner of the account out. What they guess is counted in
 * memory: one database is enough.
 */
describe('guesses of a password', () => {
  const signIn = 'POST /api/accounts/sign-in';
  const wrong = 'not the right one';

  let app: TestApp;
  beforeEach(async () => {
    const env = { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' };
    app = await startTestApp({ env });
  });
  afterEach(() => app.close());

  const from = (address: string, visitor: HttpVisitor, route: RouteName, payload: unknown) =>
    visitor.send(route, payload, { 'x-forwarded-for': address });
  const guess = async (address: string, email: string, password = wrong) =>
    (await from(address, app.visitor(), signIn, { email, password })).status;
  const count = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;

  /** Six guesses and a request for a new password from each of a hundred networks. */
  async function attack(email: string): Promise<number[]> {
    const statuses: number[] = [];
    for (let network = 1; network <= 100; network += 1) {
      const address = network % 2 === 0 ? `198.51.100.${String(network)}` : `2001:db8:${network.toString(16)}::1`;
      for (let n = 0; n < 6; n += 1) statuses.push(await guess(address, email));
      const reset = await from(address, app.visitor(), 'POST /api/accounts/request-password-reset', { email });
      expect(reset.status).toBe(200);
    }
    return statuses;
  }

  test('from a hundred networks stay few in all, and the owner signs in from a known browser at the first try (ACCT-58)', async () => {
    const owner = await app.member('Ann');
    const email = emailOf('Ann');
    await owner.call('POST /api/accounts/sign-out', {});
    const [known, unknown] = [await attack(email), await attack(emailOf('Nobody'))];
    expect(count(known, 401)).toBe(20);
    expect(unknown).toEqual(known);
    expect(await guess('203.0.113.9', email, goodPassword)).toBe(429);
    const answer = await from('203.0.113.9', owner, signIn, { email, password: goodPassword });
    expect(answer.status).toBe(200);
    // The device's own guesses are few as well.
    const own: number[] = [];
    for (let n = 0; n < 7; n += 1)
      own.push((await from('203.0.113.9', owner, signIn, { email, password: wrong })).status);
    expect(own).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test('leave the mailed link of a new password good, which makes the owner’s new device known', async () => {
    await app.member('Bea');
    const email = emailOf('Bea');
    const phone = app.visitor();
    const asked = await from('203.0.113.9', phone, 'POST /api/accounts/request-password-reset', { email });
    expect(asked.status).toBe(200);
    const oobCode = await app.codeFor(email, 2);
    await attack(email);
    const again = await from('203.0.113.9', phone, 'POST /api/accounts/request-password-reset', { email });
    expect([again.status, again.result]).toEqual([asked.status, asked.result]);
    expect((await readOutbox(app.outbox)).filter(({ to }) => to === email)).toHaveLength(2);
    const password = 'seven quiet mountains';
    expect((await from('203.0.113.9', phone, 'POST /api/accounts/reset-password', { oobCode, password })).status).toBe(
      200,
    );
    expect((await from('203.0.113.9', phone, signIn, { email, password })).status).toBe(200);
  });

  test('many at once are no more than one after another, and right ones count nothing', async () => {
    await app.member('Cleo');
    const email = emailOf('Cleo');
    for (let n = 0; n < 12; n += 1) expect(await guess('203.0.113.7', email, goodPassword)).toBe(200);
    const statuses = await Promise.all(Array.from({ length: 18 }, () => guess('203.0.113.8', email)));
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([5, 13]);
  });

  test('a right current password is no wrong guess, and after five wrong ones it is not heard', async () => {
    const owner = await app.member('Fay');
    const passwords = [goodPassword, 'seven quiet mountains'];
    const change = async (currentPassword: string, password: string) =>
      (await owner.send('POST /api/accounts/change-password', { currentPassword, password })).status;
    // More often than wrong ones may be given, and to the same count.
    for (let n = 0; n < 8; n += 1) {
      expect(await change(passwords[n % 2] ?? '', passwords[(n + 1) % 2] ?? '')).toBe(200);
    }
    const wrongOnes: number[] = [];
    for (let n = 0; n < 6; n += 1) wrongOnes.push(await change(wrong, 'nine loud rivers'));
    expect(wrongOnes).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await change(goodPassword, 'nine loud rivers')).toBe(429);
    const remove = await owner.send('POST /api/accounts/delete', { password: goodPassword });
    expect(remove.status).toBe(429);
    app.clock.advance(3 * 60_000);
    expect(await change(goodPassword, 'nine loud rivers')).toBe(200);
  });

  test('a mark of another account, or one without a signature, makes no device known', async () => {
    const [eve] = [await app.member('Eve'), await app.member('Dora')];
    const email = emailOf('Dora');
    await attack(email);
    expect((await from('203.0.113.9', eve, signIn, { email, password: goodPassword })).status).toBe(429);
    const forged = { 'x-forwarded-for': '203.0.113.9', cookie: `device=${'A'.repeat(22)}.${'A'.repeat(43)}` };
    expect((await app.visitor().send(signIn, { email, password: goodPassword }, forged)).status).toBe(429);
  });

  test('browsers that knew the password before are strangers once it is another one, but for the one that changed it', async () => {
    const owner = await app.member('Gil');
    const email = emailOf('Gil');
    const knew = Array.from({ length: 4 }, () => app.visitor());
    for (const each of knew)
      expect((await from('203.0.113.7', each, signIn, { email, password: goodPassword })).status).toBe(200);
    const password = 'seven quiet mountains';
    const changed = { currentPassword: goodPassword, password };
    expect((await owner.send('POST /api/accounts/change-password', changed)).status).toBe(200);
    const statuses: number[] = [];
    for (const each of knew)
      for (let n = 0; n < 4; n += 1)
        statuses.push((await from('203.0.113.7', each, signIn, { email, password: wrong })).status);
    expect(count(statuses, 401)).toBe(5);
    await owner.call('POST /api/accounts/sign-out', {});
    await attack(email);
    expect((await from('203.0.113.9', owner, signIn, { email, password })).status).toBe(200);
  });

  test('at full pace from 400 networks of one customer leave twelve people elsewhere their turn', async () => {
    const people = await Promise.all(
      Array.from({ length: 12 }, async (_each, n) => {
        const name = `Person${String(n)}`;
        await from(`192.0.2.${String(n)}`, app.visitor(), 'POST /api/accounts/sign-up', {
          ...{ name, email: emailOf(name), password: goodPassword },
        });
        return emailOf(name);
      }),
    );
    const flood = Array.from({ length: 400 }, (_each, n) =>
      guess(`2001:db8:7:${n.toString(16)}::1`, emailOf(`nobody${String(n)}`)),
    );
    const signedIn = await Promise.all(people.map((email, n) => guess(`192.0.2.${String(n)}`, email, goodPassword)));
    expect(signedIn).toEqual(people.map(() => 200));
    await Promise.all(flood);
  });
});

describeEachDialect('passwords', (makeDatabaseUrl) => {
  const other = 'seven quiet mountains';
  const signedOut = { ok: true, value: { status: 'signed-out' } };
  const refused = (code: string, field?: string) => ({ ok: false, error: { code, ...(field ? { field } : {}) } });

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
