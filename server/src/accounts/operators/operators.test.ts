/**
 * Who becomes an operator: on the machine of the server, by the code of its log, by the command, and in no other way.
 */
import type { HttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { valueOf } from '@tunemate/testkit/answers';
import { startSmtpSink } from '@tunemate/testkit/fakes/smtp-sink';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterEach, describe, expect, test } from 'vitest';

const password = goodPassword;
const phone = { 'x-forwarded-for': '192.168.1.31' };

describeEachDialect('who runs a server', (makeDatabaseUrl) => {
  let app: TestApp;
  afterEach(() => app.close());
  const start = async (env: Record<string, string> = {}) => {
    app = await startTestApp({ databaseUrl: await makeDatabaseUrl(), env });
  };

  async function signUp(name: string, headers: Record<string, string> = {}) {
    const browser = app.visitor();
    const { result } = await browser.send(
      'POST /api/accounts/sign-up',
      { name, email: emailOf(name), password },
      headers,
    );
    const { ticket } = result.ok ? (result.value as { ticket: string }) : { ticket: '' };
    return { browser, ticket };
  }
  const press = async (name: string, browser: HttpVisitor, headers: Record<string, string> = {}) =>
    await browser.send('POST /api/accounts/verify-email', { oobCode: await app.codeFor(emailOf(name)) }, headers);
  const isOperator = async (browser: HttpVisitor) => {
    const { result } = await browser.call('GET /api/session', {});
    return result.ok && result.value.status === 'signed-in' && result.value.user.isOperator === true;
  };
  const codeOfLog = () => {
    const fields = app.log.find(({ event }) => event === 'operator.code')?.fields ?? {};
    return 'code' in fields ? String(fields.code) : '';
  };
  const enter = async (browser: HttpVisitor, ticket: string, code: string, headers: Record<string, string> = phone) => {
    const { result } = await browser.send('POST /api/accounts/run-server', { ticket, code }, headers);
    return result.ok ? 'ok' : result.error.code;
  };

  test('the first person who is verified on the machine of the server does, and no later one (OPER-5)', async () => {
    await start();
    const [lena, mia] = [await signUp('Lena'), await signUp('Mia')];
    await press('Lena', lena.browser);
    await press('Mia', mia.browser);
    expect([await isOperator(lena.browser), await isOperator(mia.browser)]).toEqual([true, false]);
    expect(valueOf((await lena.browser.call('GET /api/operator', {})).result)).toEqual({ isNew: true, waiting: [] });
    await lena.browser.call('POST /api/operator/told', {});
    expect(valueOf((await lena.browser.call('GET /api/operator', {})).result)).toMatchObject({ isNew: false });
    expect((await mia.browser.call('GET /api/operator', {})).result).toMatchObject({
      error: { code: 'access/not-found' },
    });
  });

  test('the page that waits on the machine does too, when the link is pressed on a phone (OPER-5)', async () => {
    await start();
    const lena = await signUp('Lena');
    await press('Lena', app.visitor(), phone);
    await lena.browser.call('POST /api/accounts/continue-sign-up', { ticket: lena.ticket });
    expect(await isOperator(lena.browser)).toBe(true);
  });

  test.each<[string, Record<string, string>]>([
    ['from elsewhere', phone],
    ['with a forged X-Forwarded-For', { 'x-forwarded-for': '127.0.0.1' }],
    ['through a tunnel', { 'cf-connecting-ip': '127.0.0.1' }],
    ['through a proxy that names itself', { via: '1.1 proxy' }],
    ['for a host that resolves to this machine', { 'x-forwarded-host': 'localhost' }],
    ['with an X-Real-IP', { 'x-real-ip': '127.0.0.1' }],
  ])('the first person %s does not (OPER-5)', async (_how, headers) => {
    await start({ TRUST_PROXY: '127.0.0.0/8' });
    const eve = await signUp('Eve', headers);
    await press('Eve', eve.browser, headers);
    expect(await isOperator(eve.browser)).toBe(false);
    const config = await eve.browser.send('GET /api/config', {}, headers);
    expect(config.result).toMatchObject({ value: { noMail: 'elsewhere' } });
  });

  test('the first person elsewhere does by the code of the log, once, and is let in by it (OPER-6)', async () => {
    await start({ TRUST_PROXY: '127.0.0.0/8' });
    const [lena, eve] = [await signUp('Lena', phone), await signUp('Eve', phone)];
    const code = codeOfLog();
    expect(code).toMatch(/^[\dA-F]{4}-[\dA-F]{4}$/);
    expect(await enter(lena.browser, eve.ticket, code)).toBe('auth/code-invalid');
    expect(await enter(app.visitor(), lena.ticket, code)).toBe('auth/code-invalid');
    expect(await enter(lena.browser, lena.ticket, code.toLowerCase().replace('-', ' '))).toBe('ok');
    const { result } = await lena.browser.send('POST /api/accounts/continue-sign-up', { ticket: lena.ticket }, phone);
    expect([result, await isOperator(lena.browser)]).toEqual([{ ok: true, value: { status: 'signed-in' } }, true]);
    expect(await enter(eve.browser, eve.ticket, code)).toBe('auth/code-invalid');
    const config = await eve.browser.call('GET /api/config', {});
    expect(valueOf(config.result)).not.toHaveProperty('needsOperator');
  });

  test('guesses of the code are few, over all networks (OPER-6)', async () => {
    await start({ TRUST_PROXY: '127.0.0.0/8', RATE_LIMIT_SCALE: '1' });
    const eve = await signUp('Eve', phone);
    const answers = new Set<string>();
    for (let n = 0; n < 120; n += 1) {
      const from = { 'x-forwarded-for': `203.0.113.${String(n)}` };
      answers.add(await enter(eve.browser, eve.ticket, '0000-0000', from));
      if (n < 100) expect([...answers]).toEqual(['auth/code-invalid']);
    }
    expect([...answers]).toEqual(['auth/code-invalid', 'limit/too-many']);
  });
});

describe('a server with a mail server', () => {
  test('shows no mail, lists no person and lets no person in without one (OPER-8)', async () => {
    const smtp = await startSmtpSink();
    const app = await startTestApp({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'a@example.org' } });
    const [lena, theo] = [app.visitor(), app.visitor()];
    const signUp = (browser: HttpVisitor, name: string, headers = {}) =>
      browser.send('POST /api/accounts/sign-up', { name, email: emailOf(name), password }, headers);
    const { result } = await signUp(lena, 'Lena');
    expect(Object.keys(result.ok ? (result.value as object) : {})).toEqual(['ticket', 'number']);
    const { links } = await smtp.waitForMail(emailOf('Lena'));
    const oobCode = new URL(links[0] ?? '').searchParams.get('oobCode') ?? '';
    await lena.call('POST /api/accounts/verify-email', { oobCode });
    await signUp(theo, 'Theo', phone);
    await theo.send('POST /api/accounts/request-password-reset', { email: emailOf('Lena') }, phone);
    expect(valueOf((await lena.call('GET /api/operator', {})).result)).toEqual({ isNew: true, waiting: [] });
    expect((await lena.call('POST /api/operator/let-in', { id: 'x' })).result).toMatchObject({
      error: { code: 'access/not-found' },
    });
    expect(valueOf((await lena.call('GET /api/config', {})).result)).not.toHaveProperty('noMail');
    await app.close();
    await smtp.stop();
  });
});
