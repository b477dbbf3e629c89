/** A sign-up with another person's address, when the owner signs up too or opens the mail. */
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import type { HttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { readOutbox, waitForMail } from '@tunemate/testkit/services/outbox';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';

const theirs = 'a password of another person';
const newPassword = { currentPassword: theirs, password: 'another password of another person' };
const signedOut = { ok: true, value: { status: 'signed-out' } };
const badCode = { status: 410, result: { error: { code: 'auth/code-invalid' } } };

describeEachDialect('an address that another person signed up with', (makeDatabaseUrl) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => app.close());

  const signUp = async (email: string, name: string, password: string) => {
    const { result } = await app.mailed(email, () =>
      app.visitor().call('POST /api/accounts/sign-up', { name, email, password }),
    );
    return result.ok ? result.value.ticket : '';
  };
  const signIn = async (email: string, password: string, visitor: HttpVisitor = app.visitor()) =>
    (await visitor.call('POST /api/accounts/sign-in', { email, password })).result;
  const open = (oobCode: string) => app.visitor().call('POST /api/accounts/verify-email', { oobCode });

  test('gives the account the name and password of the sign-up whose link is opened, and ends the other sign-ups (ACCT-55)', async () => {
    const email = emailOf('Vera');
    const squatter = app.visitor();
    const otherTicket = await signUp(email, 'Eve', theirs);
    await signIn(email, theirs, squatter);
    await signUp(email, 'Vera', goodPassword);
    const otherCode = await app.codeFor(email, 1);
    const opened = await open(await app.codeFor(email, 2));
    expect(opened.result).toMatchObject({ ok: true, value: { name: 'Vera', isSignedIn: false } });
    expect((await squatter.call('GET /api/session', {})).result).toEqual(signedOut);
    expect(await signIn(email, theirs)).toMatchObject({ error: { code: 'auth/invalid-credentials' } });
    expect(await signIn(email, goodPassword)).toMatchObject({ value: { status: 'signed-in', user: { name: 'Vera' } } });
    expect(await open(otherCode)).toMatchObject(badCode);
    // The other ticket gets the same answer, but no mail.
    const before = (await readOutbox(app.outbox)).length;
    const resent = await app.visitor().call('POST /api/accounts/resend-verification', { ticket: otherTicket });
    expect(resent).toMatchObject({ status: 200 });
    expect(await readOutbox(app.outbox)).toHaveLength(before);
  });

  test('a later sign-up neither replaces the link of an earlier one nor takes over its account (ACCT-55)', async () => {
    const email = emailOf('Wanda');
    const owner = app.visitor();
    await signUp(email, 'Wanda', goodPassword);
    await signIn(email, goodPassword, owner);
    const ownCode = await app.codeFor(email);
    await signUp(email, 'Eve', theirs);
    await waitForMail(app.outbox, email, 2);
    const verified = await owner.call('POST /api/accounts/verify-email', { oobCode: ownCode });
    expect(verified.result).toMatchObject({ value: { name: 'Wanda', isSignedIn: true, rejectCode: null } });
    expect((await owner.call('GET /api/session', {})).result).toMatchObject({ value: { status: 'signed-in' } });
    expect(await signIn(email, theirs)).toMatchObject({ error: { code: 'auth/invalid-credentials' } });
  });

  test('does not keep a session signed in with another password or for another address (ACCT-55)', async () => {
    const email = emailOf('Zita');
    const [squatter, stranger] = [app.visitor(), app.visitor()];
    await signUp(email, 'Eve', theirs);
    await signIn(email, theirs, squatter);
    await signUp(email, 'Zita', goodPassword);
    const opened = await squatter.call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(email, 2) });
    expect(opened.result).toMatchObject({ value: { isSignedIn: false, rejectCode: expect.any(String) as string } });
    expect((await squatter.call('GET /api/session', {})).result).toEqual(signedOut);

    const other = emailOf('Zora');
    await signUp(other, 'Zora', goodPassword);
    await signUp(emailOf('Stranger'), 'Eve', goodPassword);
    await signIn(emailOf('Stranger'), goodPassword, stranger);
    const clicked = await stranger.call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(other) });
    expect(clicked.result).toMatchObject({ value: { isSignedIn: false } });
    expect((await stranger.call('GET /api/session', {})).result).toMatchObject({ value: { status: 'unverified' } });
  });

  test.each(['deletes the account', 'changes the password'])(
    'a stranger who %s of their own sign-up leaves the link of the owner as it is (ACCT-59)',
    async (what) => {
      const email = emailOf(what.startsWith('deletes') ? 'Tara' : 'Tilda');
      const squatter = app.visitor();
      await signUp(email, 'Eve', theirs);
      await signIn(email, theirs, squatter);
      await signUp(email, 'Tara', goodPassword);
      const [strangersCode, code] = [await app.codeFor(email, 1), await app.codeFor(email, 2)];
      const done = what.startsWith('deletes')
        ? await squatter.call('POST /api/accounts/delete', { password: theirs })
        : await squatter.call('POST /api/accounts/change-password', newPassword);
      expect(done.status).toBe(200);
      expect(await open(strangersCode)).toMatchObject(badCode);
      expect((await open(code)).result).toMatchObject({ ok: true, value: { name: 'Tara' } });
      expect(await signIn(email, goodPassword)).toMatchObject({
        value: { status: 'signed-in', user: { name: 'Tara' } },
      });
    },
  );

  test('ends every other session when an address is verified (ACCT-51)', async () => {
    const email = emailOf('Xenia');
    const [here, elsewhere] = [app.visitor(), app.visitor()];
    await signUp(email, 'Xenia', goodPassword);
    for (const visitor of [here, elsewhere]) await signIn(email, goodPassword, visitor);
    await here.call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(email) });
    expect((await elsewhere.call('GET /api/session', {})).result).toEqual(signedOut);
    expect((await here.call('GET /api/session', {})).result).toMatchObject({ value: { status: 'signed-in' } });
  });

  test('rejecting the sign-up on the page of the link deletes the account and frees the address, whatever its password is now (ACCT-62)', async () => {
    const email = emailOf('Yara');
    const squatter = app.visitor();
    await signUp(email, 'Eve', theirs);
    const { result } = await open(await app.codeFor(email));
    const oobCode = (result.ok && result.value.rejectCode) || '';
    await signIn(email, theirs, squatter);
    expect((await squatter.call('POST /api/accounts/change-password', newPassword)).status).toBe(200);
    const reject = () => app.visitor().call('POST /api/accounts/reject-sign-up', { oobCode });
    expect((await app.visitor().call('POST /api/accounts/verify-email', { oobCode })).status).toBe(410);
    expect((await reject()).status).toBe(200);
    expect((await squatter.call('GET /api/session', {})).result).toEqual(signedOut);
    expect(await signIn(email, theirs)).toMatchObject({ error: { code: 'auth/invalid-credentials' } });
    expect(await reject()).toMatchObject(badCode);
    await signUp(email, 'Yara', goodPassword);
    expect((await open(await app.codeFor(email, 2))).result).toMatchObject({ value: { name: 'Yara' } });
  });

  test('rejecting a sign-up works for an hour', async () => {
    const email = emailOf('Zoe');
    await signUp(email, 'Zoe', goodPassword);
    const { result } = await open(await app.codeFor(email));
    const oobCode = (result.ok && result.value.rejectCode) || '';
    app.clock.advance(60 * 60 * 1000);
    expect(await app.visitor().call('POST /api/accounts/reject-sign-up', { oobCode })).toMatchObject(badCode);
    expect((await signIn(email, goodPassword)).ok).toBe(true);
  });

  test('mails a sign-up page again for a day, signed in or not, and refuses it after that', async () => {
    const email = emailOf('Berit');
    const ticket = await signUp(email, 'Berit', goodPassword);
    const ask = () => app.visitor().call('POST /api/accounts/resend-verification', { ticket });
    app.clock.advance(24 * 60 * 60 * 1000 - 1);
    expect((await ask()).status).toBe(200);
    expect((await waitForMail(app.outbox, email, 2)).subject).toBe('Verify your email for Tunemate');
    app.clock.advance(1);
    expect(await ask()).toMatchObject({ status: 401, result: { error: { code: 'auth/required' } } });
  });

  test('answers already-verified to the page of a sign-up whose link was opened elsewhere', async () => {
    const email = emailOf('Ada');
    const ticket = await signUp(email, 'Ada', goodPassword);
    await open(await app.codeFor(email));
    const resent = await app.visitor().call('POST /api/accounts/resend-verification', { ticket });
    expect(resent).toMatchObject({ status: 409, result: { error: { code: 'auth/already-verified' } } });
  });
});
