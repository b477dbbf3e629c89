import type { LinkMode, Result, RouteName } from '@tunemate/protocol';
import { startSmtpSink } from '@tunemate/testkit/fakes/smtp-sink';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { readOutbox, waitForMail } from '@tunemate/testkit/services/outbox';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../storage/database.ts';

const signUp = { name: 'Ann', password: goodPassword };
const refused = (code: string) => ({ ok: false, error: { code } });
const hour = 60 * 60 * 1000;

describeEachDialect('signing up', (makeDatabaseUrl) => {
  let app: TestApp;
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await makeDatabaseUrl();
    app = await startTestApp({ databaseUrl });
  });
  afterAll(() => app.close());
  let people = 0;
  /** An unused address. */
  const newEmail = () => emailOf(`person${String((people += 1))}`);

  test('sends a link that verifies the address, and signs the user in only after that (ACCT-1)', async () => {
    const [visitor, email] = [app.visitor(), newEmail()];
    const signedUp = await visitor.call('POST /api/accounts/sign-up', { ...signUp, email: email.toUpperCase() });
    expect(signedUp.result).toMatchObject({ ok: true, value: { ticket: expect.any(String) as string } });
    expect(visitor.cookie()).toBe('');

    const before = await visitor.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    expect(before.result).toMatchObject({ ok: true, value: { status: 'unverified', name: 'Ann', email } });
    expect((await visitor.send('PATCH /api/accounts/me', { name: 'Eve' })).result).toEqual(
      refused('auth/email-unverified'),
    );
    expect(await (await visitor.fetch('/api/accounts/export')).json()).toEqual(refused('auth/email-unverified'));

    const mail = await waitForMail(app.outbox, email);
    expect(mail.links[0]).toContain(`${app.url}/auth/action?mode=verifyEmail&oobCode=`);
    const verified = await visitor.call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(email) });
    expect(verified.result).toEqual({ ok: true, value: { name: 'Ann', isSignedIn: true, rejectCode: null } });
    expect((await visitor.call('GET /api/session', {})).result).toMatchObject({
      ok: true,
      value: { status: 'signed-in', user: { name: 'Ann', email, emailVerified: true, online: true, soulmate: null } },
    });
  });

  test('answers the same for a known address, and mails its owner a notice instead (ACCT-2)', async () => {
    const email = newEmail();
    const first = await app.visitor().call('POST /api/accounts/sign-up', { ...signUp, email });
    await app.visitor().call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(email) });
    const second = await app
      .visitor()
      .call('POST /api/accounts/sign-up', { name: 'Eve', email, password: 'another long one' });
    expect(second.status).toBe(first.status);
    expect(Object.keys(second.result)).toEqual(Object.keys(first.result));
    expect([...second.headers.keys()]).toEqual([...first.headers.keys()]);
    const lengths = [first, second].map(({ result }) => (result.ok ? result.value.ticket.length : 0));
    expect(lengths[0]).toBe(lengths[1]);

    const notice = await waitForMail(app.outbox, email, 2);
    expect(notice.subject).toBe('You already have a Tunemate account');
    expect(notice.text).not.toContain('Ann');
    expect(notice.text).not.toContain('oobCode');
    // No account changed: the old password still works, the new one does not.
    const visitor = app.visitor();
    const old = await visitor.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    expect(old.result.ok).toBe(true);
    const other = await app.visitor().call('POST /api/accounts/sign-in', { email, password: 'another long one' });
    expect(other.result).toEqual(refused('auth/invalid-credentials'));
  });

  test('refuses an address whose domain no mail server can have, and names the field (ACCT-1)', async () => {
    for (const domain of ['under_score.org', '-dash.org', 'numbers.123']) {
      const { status, result } = await app.visitor().send('POST /api/accounts/sign-up', {
        ...signUp,
        email: `ann@${domain}`,
      });
      expect([domain, status, result]).toEqual([
        domain,
        422,
        { ok: false, error: { code: 'input/invalid', field: 'email' } },
      ]);
    }
  });

  test('sends one address three mails in ten minutes at most, known or not, and answers alike (ACCT-2)', async () => {
    const limited = await startTestApp({ databaseUrl: await makeDatabaseUrl(), env: { RATE_LIMIT_SCALE: '1' } });
    const ask = (email: string) => limited.visitor().call('POST /api/accounts/sign-up', { ...signUp, email });
    const [known, unknown] = [emailOf('known'), emailOf('unknown')];
    await ask(known);
    await limited.visitor().call('POST /api/accounts/verify-email', { oobCode: await limited.codeFor(known) });
    for (const email of [known, known, known, unknown, unknown, unknown, unknown, unknown])
      expect((await ask(email)).result).toMatchObject({ ok: true });
    await limited.app.runBackground();
    const mails = await readOutbox(limited.outbox);
    const sentTo = (email: string) => mails.filter(({ to }) => to === email).length;
    expect([sentTo(known), sentTo(unknown)]).toEqual([3, 3]);
  });

  test('makes one account of two sign-ups at once (ACCT-2)', async () => {
    const email = newEmail();
    const both = await Promise.all(
      [1, 2].map(() => app.visitor().call('POST /api/accounts/sign-up', { ...signUp, email })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    await waitForMail(app.outbox, email, 2);
    const subjects = (await readOutbox(app.outbox)).filter(({ to }) => to === email).map(({ subject }) => subject);
    expect(subjects).toEqual(['Verify your email for Tunemate', 'Verify your email for Tunemate']);
    const database = openDatabase(databaseUrl);
    const accounts = await database.db.selectFrom('users').select('uid').where('email', '=', email).execute();
    await database.close();
    expect(accounts).toHaveLength(1);
  });

  test.each([
    ['a header in the address', { email: 'a@b.c\r\nBcc: x@y.z' }],
    ['no @', { email: 'nobody' }],
    ['a blank name', { name: ' \u200b ' }],
    ['a name of 51 characters', { name: 'x'.repeat(51) }],
    ['a name with a bell', { name: 'Ann\u0007' }],
    ['a name that the product goes by', { name: 'Тunеmate' }],
    ['an unknown field', { emailVerified: true }],
    ['the time of its making', { createdAt: 1 }],
    ['an address that is an object', { email: { $ne: null } }],
    ['an address that is a list', { email: ['a@b.c'] }],
  ])('refuses %s and sends no mail', async (_what, wrong) => {
    const before = (await readOutbox(app.outbox)).length;
    const { status, result } = await app
      .visitor()
      .send('POST /api/accounts/sign-up', { ...signUp, email: newEmail(), ...wrong });
    expect(status).toBe(422);
    expect(result).toMatchObject(refused('input/invalid'));
    expect(await readOutbox(app.outbox)).toHaveLength(before);
  });

  test.each(['short', 'password1', 'Tunemate2026!', 'aaaaaaaaaa', 'x'.repeat(129), 'Persephone'])(
    'refuses the password %s',
    async (password) => {
      const answer = await app
        .visitor()
        .call('POST /api/accounts/sign-up', { name: 'Persephone', email: newEmail(), password });
      expect(answer.result).toEqual({ ok: false, error: { code: 'auth/password-weak', field: 'password' } });
    },
  );

  test('stores markup in names as text', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const email = newEmail();
    const visitor = app.visitor();
    await visitor.call('POST /api/accounts/sign-up', { name, email, password: goodPassword });
    const mail = await waitForMail(app.outbox, email);
    expect(mail.text).not.toContain('onerror');
    const { result } = await visitor.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    expect(result).toMatchObject({ ok: true, value: { name } });
  });

  test('accepts a code once, within 24 hours, and never a wrong one (ACCT-6)', async () => {
    const [visitor, email] = [app.visitor(), newEmail()];
    await visitor.call('POST /api/accounts/sign-up', { ...signUp, email });
    const code = await app.codeFor(email);
    const flipped = `${code.slice(0, -2)}${code.at(-2) === 'A' ? 'B' : 'A'}${code.slice(-1)}`;
    const failure = { status: 410, result: refused('auth/code-invalid') };
    const wrong: [RouteName, unknown][] = [
      ['POST /api/accounts/verify-email', { oobCode: flipped }],
      ['POST /api/accounts/verify-email', { oobCode: code.slice(0, -1) }],
      ['POST /api/accounts/verify-email', { oobCode: `${code}A` }],
      ['POST /api/accounts/reset-password', { oobCode: code, password: 'a different password' }],
    ];
    for (const [route, payload] of wrong) expect(await visitor.send(route, payload)).toMatchObject(failure);
    const huge = await visitor.send('POST /api/accounts/verify-email', { oobCode: 'A'.repeat(10_000) });
    expect(huge.result).toMatchObject(refused('input/invalid'));

    expect((await visitor.call('POST /api/accounts/verify-email', { oobCode: code })).status).toBe(200);
    expect(await visitor.send('POST /api/accounts/verify-email', { oobCode: code })).toMatchObject(failure);

    const late = newEmail();
    await visitor.call('POST /api/accounts/sign-up', { ...signUp, email: late });
    const lateCode = await app.codeFor(late);
    app.clock.advance(24 * hour);
    expect(await visitor.send('POST /api/accounts/verify-email', { oobCode: lateCode })).toMatchObject(failure);
  });

  test('accepts a code once when two pages send it at the same time (ACCT-6)', async () => {
    const email = newEmail();
    await app.visitor().call('POST /api/accounts/sign-up', { ...signUp, email });
    const oobCode = await app.codeFor(email);
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await app.visitor().call('POST /api/accounts/verify-email', { oobCode })).status),
    );
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 410, 410]);
  });

  test('does not consume a code that a mail scanner fetched (ACCT-7)', async () => {
    const [visitor, email] = [app.visitor(), newEmail()];
    await visitor.call('POST /api/accounts/sign-up', { ...signUp, email });
    const oobCode = await app.codeFor(email);
    await visitor.fetch(`/auth/action?mode=verifyEmail&oobCode=${oobCode}`);
    await visitor.fetch(`/api/accounts/verify-email?oobCode=${oobCode}`);
    expect((await visitor.call('POST /api/accounts/verify-email', { oobCode })).status).toBe(200);
  });

  /** What the page of a mailed link shows when it is opened. */
  const opened = async (oobCode: string, mode: LinkMode = 'verifyEmail') =>
    statusOf((await app.visitor().call('GET /api/accounts/mailed-link', { mode, oobCode })).result);
  const shows = (status: string) => ({ ok: true, value: { status } });
  const statusOf = (result: Result<{ status: string }>) => (result.ok ? shows(result.value.status) : result);

  test('opening a link changes nothing, and says for a day after it was used that all is well', async () => {
    const [visitor, email] = [app.visitor(), newEmail()];
    await visitor.call('POST /api/accounts/sign-up', { ...signUp, email });
    const older = await app.codeFor(email);
    await visitor.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    await visitor.call('POST /api/accounts/resend-verification', {});
    const oobCode = await app.codeFor(email, 2);
    expect([await opened(oobCode), await opened(oobCode), await opened(older)]).toEqual(
      ['open', 'open', 'over'].map(shows),
    );
    expect([await opened('x'), await opened(oobCode, 'resetPassword')]).toEqual(['over', 'over'].map(shows));
    app.clock.advance(23 * hour);
    expect((await app.visitor().call('POST /api/accounts/verify-email', { oobCode })).status).toBe(200);
    expect([await opened(oobCode), await opened(older)]).toEqual(['done', 'done'].map(shows));
    app.clock.advance(23 * hour);
    await app.app.runBackground();
    expect(await opened(oobCode)).toEqual(shows('done'));
    app.clock.advance(hour);
    await app.app.runBackground();
    expect(await opened(oobCode)).toEqual(shows('over'));
  });

  test('the links of a sign-up lead to the room that the person was on the way to, and name nothing else', async () => {
    const [visitor, email] = [app.visitor(), newEmail()];
    const room = { kind: 'audio', code: '7F3A9C' } as const;
    const nexts: (string | null)[] = [];
    // Two mails that are on their way together may arrive in either order.
    const readNext = async (): Promise<void> => {
      const { links } = await waitForMail(app.outbox, email, nexts.length + 1);
      nexts.push(new URL(links[0] ?? app.url).searchParams.get('next'));
    };
    const { result } = await visitor.send('POST /api/accounts/sign-up', { ...signUp, email, room });
    await readNext();
    const { ticket } = (result as { value: { ticket: string } }).value;
    await visitor.send('POST /api/accounts/resend-verification', { ticket, room: { ...room, kind: 'video' } });
    await readNext();
    // A stranger may ask for a new password: they choose nothing in the mail of its owner.
    const asked = await visitor.send('POST /api/accounts/request-password-reset', { email, room });
    expect(asked.result).toMatchObject(refused('input/invalid'));
    await visitor.send('POST /api/accounts/request-password-reset', { email });
    await readNext();
    expect(nexts).toEqual(['/join-audio-room?code=7F3A9C', '/join?code=7F3A9C', null]);
    for (const wrong of [{ kind: 'audio', code: 'VISIT EVIL' }, { kind: 'x', code: '7F3A9C' }, '//evil.example']) {
      const unfit = { ...signUp, email: newEmail(), room: wrong };
      expect((await visitor.send('POST /api/accounts/sign-up', unfit)).result).toMatchObject(refused('input/invalid'));
    }
  });

  test.each([
    ['the page that signed up', true],
    ['another device, which signs in', false],
  ])('a mail that %s asks for again without naming a room still leads to it', async (_who, isOwnPage) => {
    const [visitor, email] = [app.visitor(), newEmail()];
    const room = { kind: 'audio', code: '7F3A9C' } as const;
    const { result } = await visitor.send('POST /api/accounts/sign-up', { ...signUp, email, room });
    const { ticket } = (result as { value: { ticket: string } }).value;
    const phone = app.visitor();
    await phone.call('POST /api/accounts/sign-in', { email, password: signUp.password });
    for (const count of [2, 3]) {
      const asking = isOwnPage ? visitor : phone;
      await asking.send('POST /api/accounts/resend-verification', isOwnPage ? { ticket } : {});
      const { links } = await waitForMail(app.outbox, email, count);
      expect(new URL(links[0] ?? app.url).searchParams.get('next')).toBe('/join-audio-room?code=7F3A9C');
    }
  });

  test('a used link says so after the password has changed too, and nothing of a deleted account', async () => {
    const [visitor, email] = [app.visitor(), newEmail()];
    await visitor.call('POST /api/accounts/sign-up', { ...signUp, email });
    const oobCode = await app.codeFor(email);
    await visitor.call('POST /api/accounts/verify-email', { oobCode });
    await visitor.call('POST /api/accounts/request-password-reset', { email });
    const reset = await app.codeFor(email, 2);
    expect(await opened(reset, 'resetPassword')).toEqual(shows('open'));
    const password = 'seven quiet mountains';
    await visitor.call('POST /api/accounts/reset-password', { oobCode: reset, password });
    expect([await opened(oobCode), await opened(reset, 'resetPassword')]).toEqual(['done', 'done'].map(shows));
    await visitor.call('POST /api/accounts/sign-in', { email, password });
    await visitor.call('POST /api/accounts/delete', { password });
    expect([await opened(oobCode), await opened(reset, 'resetPassword')]).toEqual(['over', 'over'].map(shows));
  });

  test('sends another link on request, which replaces the earlier one', async () => {
    const [visitor, email] = [app.visitor(), newEmail()];
    const { result } = await visitor.call('POST /api/accounts/sign-up', { ...signUp, email });
    const ticket = result.ok ? result.value.ticket : '';
    const first = await app.codeFor(email);
    expect((await visitor.call('POST /api/accounts/resend-verification', { ticket })).status).toBe(200);
    await visitor.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    const second = await app.codeFor(email, 2);
    expect((await visitor.call('POST /api/accounts/resend-verification', {})).status).toBe(200);
    const third = await app.codeFor(email, 3);
    for (const dead of [first, second]) {
      const { result: answer } = await visitor.call('POST /api/accounts/verify-email', { oobCode: dead });
      expect(answer).toEqual(refused('auth/code-invalid'));
    }
    expect((await visitor.call('POST /api/accounts/verify-email', { oobCode: third })).status).toBe(200);
    const again = await visitor.call('POST /api/accounts/resend-verification', {});
    expect(again).toMatchObject({ status: 409, result: refused('auth/already-verified') });
  });

  test('refuses a resend without a sign-up, and answers the ticket of a known address alike', async () => {
    const [visitor, email] = [app.visitor(), newEmail()];
    expect(await visitor.send('POST /api/accounts/resend-verification', {})).toMatchObject({
      status: 401,
      result: refused('auth/required'),
    });
    const unknown = await visitor.call('POST /api/accounts/resend-verification', { ticket: 'A'.repeat(43) });
    expect(unknown.result).toEqual(refused('auth/required'));

    await visitor.call('POST /api/accounts/sign-up', { ...signUp, email });
    await app.visitor().call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(email) });
    const decoy = await visitor.call('POST /api/accounts/sign-up', { ...signUp, email });
    const ticket = decoy.result.ok ? decoy.result.value.ticket : '';
    const resent = await visitor.call('POST /api/accounts/resend-verification', { ticket });
    expect(resent).toMatchObject({ status: 200, result: { ok: true, value: {} } });
    await waitForMail(app.outbox, email, 2);
    const mails = (await readOutbox(app.outbox)).filter(({ to }) => to === email);
    expect(mails).toHaveLength(2);
  });

  test('strangers of one network or of six leave the owner of an address mails of their own sign-up (ACCT-2)', async () => {
    const smtp = await startSmtpSink();
    const env = { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true', SMTP_URL: smtp.url, MAIL_FROM: 'a@example.org' };
    const limited = await startTestApp({ databaseUrl: await makeDatabaseUrl(), env });
    const from = async (address: string, email: string, name: string) =>
      (
        await limited
          .visitor()
          .send('POST /api/accounts/sign-up', { name, email, password: goodPassword }, { 'x-forwarded-for': address })
      ).status;
    const namesMailed = async (email: string) => {
      const names: string[] = [];
      for (const { links } of smtp.mails.filter(({ to }) => to.includes(email))) {
        const oobCode = new URL(links[0] ?? '').searchParams.get('oobCode') ?? '';
        const payload = { mode: 'verifyEmail', oobCode } as const;
        const { result } = await limited.visitor().call('GET /api/accounts/mailed-link', payload);
        if (result.ok && result.value.account) names.push(result.value.account.name);
      }
      return names;
    };
    const attacks = {
      Vera: (n: number) => `2001:db8:7:${(n + 1).toString(16)}00::1`,
      Wanda: (n: number) => `198.51.100.${String((n % 6) + 1)}`,
    };
    for (const [name, addressOf] of Object.entries(attacks)) {
      const email = emailOf(name);
      for (let n = 0; n < 24; n += 1) expect(await from(addressOf(n), email, 'Eve')).toBe(200);
      expect(await from('203.0.113.9', email, name)).toBe(200);
      await expect.poll(() => namesMailed(email)).toContain(name);
    }
    await limited.close();
    await smtp.stop();
  });

  test('counts the resends of all tickets of one address together, known or not', async () => {
    const limited = await startTestApp({ databaseUrl: await makeDatabaseUrl(), env: { RATE_LIMIT_SCALE: '1' } });
    const ticketOf = async (email: string) => {
      const { result } = await limited.visitor().call('POST /api/accounts/sign-up', { ...signUp, email });
      return result.ok ? result.value.ticket : '';
    };
    const [known, unknown] = [emailOf('known'), emailOf('unknown')];
    await ticketOf(known);
    await limited.visitor().call('POST /api/accounts/verify-email', { oobCode: await limited.codeFor(known) });
    const statusesOf = async (email: string) => {
      const [one, two] = [await ticketOf(email.toUpperCase()), await ticketOf(email)];
      const statuses: number[] = [];
      for (const ticket of [one, one, one, two])
        statuses.push((await limited.visitor().call('POST /api/accounts/resend-verification', { ticket })).status);
      return statuses;
    };
    expect([await statusesOf(known), await statusesOf(unknown)]).toEqual([
      [200, 200, 200, 429],
      [200, 200, 200, 429],
    ]);
    // The session of such a sign-up takes from the same limit.
    const visitor = limited.visitor();
    await visitor.call('POST /api/accounts/sign-in', { email: unknown, password: goodPassword });
    expect((await visitor.call('POST /api/accounts/resend-verification', {})).status).toBe(429);
  });
});

/** What the server does for an address that has an account, and for one that has none: how long it takes must not tell. */
describeEachDialect('known and unknown addresses', (makeDatabaseUrl) => {
  test('a mail that is asked for again writes the same rows for both, but for the mail (ACCT-2)', async () => {
    const statements: string[] = [];
    const onStatement = (statement: string) => void statements.push(statement);
    const app = await startTestApp({ databaseUrl: await makeDatabaseUrl(), onStatement });
    const signUp = async (email: string) => {
      const payload = { name: 'Ada', email, password: goodPassword };
      const { result } = await app.visitor().call('POST /api/accounts/sign-up', payload);
      return result.ok ? result.value.ticket : '';
    };
    await signUp(emailOf('Known'));
    await app.visitor().call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(emailOf('Known')) });
    const rowsWritten = async (ticket: string) => {
      statements.length = 0;
      expect((await app.visitor().call('POST /api/accounts/resend-verification', { ticket })).status).toBe(200);
      const written = statements.map((each) => /^(?:insert into|update|delete from) "\w+"/.exec(each)?.[0] ?? '');
      return written.filter((each) => /action_codes|sign_up|users|audit/.test(each));
    };
    const unknown = await rowsWritten(await signUp(emailOf('Unknown')));
    expect(unknown).toContain('insert into "action_codes"');
    expect(await rowsWritten(await signUp(emailOf('Known')))).toEqual(unknown);
  });
});
