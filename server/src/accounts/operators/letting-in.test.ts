/** A server without a mail server: its own machine shows the mail, operators let in who waits elsewhere. */
import type { HttpVisitor } from '@tunemate/testkit/network/http-visitor';
import type { RouteName, RoutePayloadInput, RouteValue } from '@tunemate/protocol';
import { valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';

const hour = 60 * 60 * 1000;
const password = goodPassword;

describeEachDialect('a server without a mail server', (makeDatabaseUrl) => {
  let app: TestApp;
  let lena: HttpVisitor;
  let elsewhereNumber = 10;
  beforeAll(async () => {
    // Visitors elsewhere come through a proxy, which names their address.
    app = await startTestApp({ databaseUrl: await makeDatabaseUrl(), env: { TRUST_PROXY: '127.0.0.0/8' } });
    lena = (await signUpHere('Lena')).browser;
    await lena.call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(emailOf('Lena')) });
  });
  afterAll(() => app.close());

  /** A device of its own elsewhere in the network. */
  function elsewhere(address = `192.168.1.${String((elsewhereNumber += 1))}`) {
    const browser = app.visitor();
    return {
      browser,
      call: async <Name extends RouteName>(name: Name, payload: RoutePayloadInput<Name>) =>
        (await browser.send(name, payload, { 'x-forwarded-for': address })).result as
          | { ok: true; value: RouteValue<Name> }
          | { ok: false; error: { code: string } },
    };
  }
  async function signUpHere(name: string) {
    const browser = app.visitor();
    const { result } = await browser.call('POST /api/accounts/sign-up', { name, email: emailOf(name), password });
    return { browser, ...valueOf(result) };
  }
  async function signUpElsewhere(
    name: string,
    { email = emailOf(name), address }: { email?: string; address?: string } = {},
  ) {
    const device = elsewhere(address);
    const answer = await device.call('POST /api/accounts/sign-up', { name, email, password });
    return { ...device, answer, ...(answer.ok ? answer.value : { ticket: '', number: 0 }) };
  }
  const waiting = async () => valueOf((await lena.call('GET /api/operator', {})).result).waiting;
  const rowOf = async (name: string) => (await waiting()).find((row) => row.name === name);
  const proceed = async ({ call, ticket }: Awaited<ReturnType<typeof signUpElsewhere>>) => {
    const answer = await call('POST /api/accounts/continue-sign-up', { ticket });
    return answer.ok ? answer.value.status : answer.error.code;
  };

  test('shows the mail on a page of its own machine, whose link still asks for its press (OPER-1)', async () => {
    const { mail, ticket, browser } = await signUpHere('Mia');
    expect(mail).toMatchObject({ subject: 'Verify your email for Tunemate' });
    expect(mail?.link).toMatch(/^\/auth\/action\?mode=verifyEmail&oobCode=[\w-]{43}$/);
    const asked = browser.call('POST /api/accounts/resend-verification', { ticket });
    const again = valueOf((await asked).result);
    expect(again.mail?.link).toMatch(/^\/auth\/action/);
    expect(again.mail?.link).not.toBe(mail?.link);
    expect(await rowOf('Mia')).toBeUndefined();
  });

  test('shows no mail elsewhere; the operator reads name, address and the number of the page (OPER-1)', async () => {
    const theo = await signUpElsewhere('Theo');
    expect(theo.answer).toEqual({ ok: true, value: { ticket: theo.ticket, number: theo.number } });
    expect(await rowOf('Theo')).toMatchObject({ kind: 'sign-up', email: emailOf('Theo'), number: theo.number });
  });

  test('the page elsewhere goes on by itself once the person is let in; log and export say so (OPER-2)', async () => {
    const uma = await signUpElsewhere('Uma');
    const { id = '' } = (await rowOf('Uma')) ?? {};
    expect((await lena.call('POST /api/operator/let-in', { id })).result).toEqual({ ok: true, value: {} });
    expect(await proceed(uma)).toBe('signed-in');
    expect(await rowOf('Uma')).toBeUndefined();
    const exported = (await (await uma.browser.fetch('/api/accounts/export')).json()) as Record<string, unknown>;
    expect(exported).toMatchObject({ letInAt: app.clock.now() });
    expect(exported['activity']).toContainEqual(
      expect.objectContaining({ event: 'account.let-in', address: 'operator' }),
    );
  });

  test('the page elsewhere says when the person was refused, and the sign-up is over (OPER-2)', async () => {
    const vera = await signUpElsewhere('Vera');
    const { id = '' } = (await rowOf('Vera')) ?? {};
    await lena.call('POST /api/operator/refuse', { id });
    expect(await proceed(vera)).toBe('refused');
    const signIn = await vera.call('POST /api/accounts/sign-in', { email: emailOf('Vera'), password });
    expect(signIn).toMatchObject({ error: { code: 'auth/invalid-credentials' } });
  });

  test('letting in one of two sign-ups with an address lets the other in nowhere (OPER-2)', async () => {
    const eve = await signUpElsewhere('Eve', { email: emailOf('Wim') });
    const wim = await signUpElsewhere('Wim');
    const { id = '' } = (await rowOf('Wim')) ?? {};
    await lena.call('POST /api/operator/let-in', { id });
    expect(await proceed(wim)).toBe('signed-in');
    expect(await rowOf('Eve')).toBeUndefined();
    const answer = await Promise.race([proceed(eve), proceed(eve)]);
    expect(answer).toBe('waiting');
  });

  test('an address that has an account gets the same answers, and the operator reads that it has one (ACCT-2)', async () => {
    const stranger = await signUpElsewhere('Stranger', { email: emailOf('Uma') });
    expect(Object.keys(stranger.answer.ok ? stranger.answer.value : {})).toEqual(['ticket', 'number']);
    const row = (await waiting()).find(({ kind }) => kind === 'known');
    expect(row).toMatchObject({ name: 'Uma', number: stranger.number });
    expect((await lena.call('POST /api/operator/let-in', { id: row?.id ?? '' })).result).toMatchObject({
      error: { code: 'access/not-found' },
    });
    await lena.call('POST /api/operator/refuse', { id: row?.id ?? '' });
    expect(await proceed(stranger)).toBe('refused');
  });

  test('the operator gets the link of a forgotten password, for an hour; the page that asked never does (OPER-3)', async () => {
    const device = elsewhere();
    const answer = await device.call('POST /api/accounts/request-password-reset', { email: emailOf('Uma') });
    expect(answer).toEqual({ ok: true, value: {} });
    const reset = async () => (await waiting()).find(({ kind }) => kind === 'reset');
    const { id = '' } = (await reset()) ?? {};
    const linkOf = async () =>
      new URL(valueOf((await lena.call('POST /api/operator/reset-link', { id })).result).link).searchParams;
    const late = (await linkOf()).get('oobCode') ?? '';
    app.clock.advance(hour);
    const next = 'four silver kettles';
    expect(await device.call('POST /api/accounts/reset-password', { oobCode: late, password: next })).toMatchObject({
      error: { code: 'auth/code-invalid' },
    });
    const oobCode = (await linkOf()).get('oobCode') ?? '';
    expect(await device.call('POST /api/accounts/reset-password', { oobCode, password: next })).toMatchObject({
      ok: true,
    });
    expect(await reset()).toBeUndefined();
  });

  test('what strangers send fills a part of one short list, and is refused at once (OPER-4)', async () => {
    await lena.call('POST /api/operator/refuse', {});
    const flood = async (address: string) => {
      for (let n = 0; n < 12; n += 1)
        await signUpElsewhere(`Flood ${String(n)}`, { email: emailOf(`${address}-${String(n)}`), address });
      return (await waiting()).length;
    };
    expect(await flood('203.0.113.7')).toBe(8);
    const yara = await signUpElsewhere('Yara');
    expect(await rowOf('Yara')).toMatchObject({ number: yara.number });
    await flood('203.0.113.8');
    expect(await flood('203.0.113.9')).toBe(20);
    const late = await signUpElsewhere('Zoe');
    expect(late.answer).toMatchObject({ ok: false, error: { code: 'auth/too-many-wait' } });
    const known = await signUpElsewhere('Uma again', { email: emailOf('Uma') });
    expect(known.answer).toEqual(late.answer);
    await lena.call('POST /api/operator/refuse', {});
    expect([await waiting(), await proceed(yara)]).toEqual([[], 'refused']);
  });

  test('who waits is forgotten with the link of the mail (OPER-4)', async () => {
    await signUpElsewhere('Yuri');
    app.clock.advance(24 * hour);
    expect(await rowOf('Yuri')).toBeUndefined();
  });
});
