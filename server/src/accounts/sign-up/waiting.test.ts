/** The browser that signed up, while the button is pressed behind the mailed link: here, elsewhere, or never. */
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import type { HttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';

const theirs = 'a password of another person';
const hour = 60 * 60 * 1000;

describeEachDialect('a browser that waits for the mail of its sign-up', (makeDatabaseUrl) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => app.close());

  interface Waiting {
    browser: HttpVisitor;
    ticket: string;
    number: number;
    email: string;
    /** The line that gave the browser its cookie. */
    kept: string;
  }
  async function signUp(name: string, email = emailOf(name), password = goodPassword): Promise<Waiting> {
    const browser = app.visitor();
    const { result, headers } = await app.mailed(email, () =>
      browser.call('POST /api/accounts/sign-up', { name, email, password }),
    );
    const { ticket, number } = result.ok ? result.value : { ticket: '', number: 0 };
    return { browser, ticket, number, email, kept: headers.getSetCookie()[0] ?? '' };
  }
  const proceed = async ({ browser, ticket }: Pick<Waiting, 'browser' | 'ticket'>) => {
    const { result } = await browser.call('POST /api/accounts/continue-sign-up', { ticket });
    return result.ok ? result.value.status : result.error.code;
  };
  /** Of two requests with one ticket the older is answered at once, while there is nothing to answer. */
  const answerNow = (waiting: Pick<Waiting, 'browser' | 'ticket'>) =>
    Promise.race([proceed(waiting), proceed(waiting)]);
  const press = async (email: string, count = 1, visitor = app.visitor()) =>
    (await visitor.call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(email, count) })).result;
  const sessionOf = async (visitor: HttpVisitor) => {
    const { result } = await visitor.call('GET /api/session', {});
    return result.ok && result.value.status === 'signed-in' ? result.value.user.name : result.ok && result.value.status;
  };

  test('is signed in by a press on another device, which is not (ACCT-61)', async () => {
    const waiting = await signUp('Ann');
    expect(await answerNow(waiting)).toBe('waiting');
    const held = proceed(waiting);
    const phone = app.visitor();
    expect(await press(waiting.email, 1, phone)).toMatchObject({ value: { isSignedIn: false } });
    expect(await held).toBe('signed-in');
    expect([await sessionOf(waiting.browser), await sessionOf(phone)]).toEqual(['Ann', 'signed-out']);
  });

  test('is signed in by a press of its own, and the page that waits finds nothing left to do (ACCT-61)', async () => {
    const waiting = await signUp('Bea');
    expect(await press(waiting.email, 1, waiting.browser)).toMatchObject({
      value: { isSignedIn: true, rejectCode: null },
    });
    expect([await sessionOf(waiting.browser), await proceed(waiting)]).toEqual(['Bea', 'over']);
  });

  test('is signed in once: neither a copy of its cookie nor a second tab gets another session (ACCT-61)', async () => {
    const waiting = await signUp('Cleo');
    const copy = { ...waiting, browser: app.visitor() };
    copy.browser.setCookie(waiting.kept.split(';')[0] ?? '');
    expect(waiting.kept).toMatch(/^waiting=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/);
    await press(waiting.email);
    const answers = await Promise.all([proceed(waiting), proceed(waiting), proceed(waiting)]);
    expect(answers.sort()).toEqual(['over', 'over', 'signed-in']);
    expect([await proceed(copy), await sessionOf(copy.browser)]).toEqual(['over', 'signed-out']);
  });

  test.each([
    ['without the cookie', async ({ ticket }: Waiting) => ({ browser: app.visitor(), ticket })],
    [
      'with the ticket in place of the cookie',
      async ({ ticket }: Waiting) => {
        const browser = app.visitor();
        browser.setCookie(`waiting=${ticket}`);
        return { browser, ticket };
      },
    ],
    [
      'with the cookie of another sign-up',
      async ({ ticket }: Waiting) => ({ browser: (await signUp('Another')).browser, ticket }),
    ],
    ['with another ticket', async ({ browser }: Waiting) => ({ browser, ticket: 'A'.repeat(43) })],
  ])('no browser is signed in %s (ACCT-61)', async (how, from) => {
    const waiting = await signUp(`Dora${String(how.length)}`);
    const thief = await from(waiting);
    await press(waiting.email);
    expect([await proceed(thief), await sessionOf(thief.browser)]).toEqual(['over', 'signed-out']);
    expect(await proceed(waiting)).toBe('signed-in');
  });

  test('a stranger who signed up with an address waits for ever once its owner presses a link of their own (ACCT-61)', async () => {
    const email = emailOf('Vera');
    const [eve, vera] = [await signUp('Eve', email, theirs), await signUp('Vera', email)];
    expect(await press(email, 2, vera.browser)).toMatchObject({ value: { name: 'Vera', isSignedIn: true } });
    expect([await answerNow(eve), await sessionOf(eve.browser)]).toEqual(['waiting', 'signed-out']);
  });

  test('waits in vain with the address of an account, and gets the same answers as with another (ACCT-2)', async () => {
    const { email } = await signUp('Greta');
    await press(email);
    const decoy = await signUp('Eve', email, theirs);
    expect(await answerNow(decoy)).toBe('waiting');
    expect(decoy.number).toBeGreaterThanOrEqual(10);
  });

  test('expires with the link of the mail (ACCT-61)', async () => {
    const waiting = await signUp('Hanna');
    app.clock.advance(24 * hour);
    expect(await proceed(waiting)).toBe('over');
  });

  test('is not signed in after the password has changed, nor to a disabled or deleted account (ACCT-61)', async () => {
    const [changed, deleted] = [await signUp('Ines'), await signUp('Jule')];
    const disabled = await signUp('Nele');
    for (const { email } of [changed, deleted, disabled]) await press(email);
    const [mine, other] = [app.visitor(), app.visitor()];
    await mine.call('POST /api/accounts/sign-in', { email: changed.email, password: goodPassword });
    await mine.call('POST /api/accounts/change-password', { currentPassword: goodPassword, password: theirs });
    await other.call('POST /api/accounts/sign-in', { email: deleted.email, password: goodPassword });
    await other.call('POST /api/accounts/delete', { password: goodPassword });
    await app.app.db.updateTable('users').set({ disabled_at_ms: 1 }).where('email', '=', disabled.email).execute();
    expect([await proceed(changed), await proceed(deleted), await proceed(disabled)]).toEqual(['over', 'over', 'over']);
    expect(await sessionOf(disabled.browser)).toBe('signed-out');
  });

  test.each([
    ['signed in there with the password, and out again', 'POST /api/accounts/sign-out'],
    ['signed out everywhere from another device', 'POST /api/accounts/sign-out-everywhere'],
  ] as const)('is not signed in once its user has %s (ACCT-61)', async (how, ending) => {
    const waiting = await signUp(`Olga${String(how.length)}`);
    await press(waiting.email);
    const browser = ending.endsWith('everywhere') ? app.visitor() : waiting.browser;
    await browser.call('POST /api/accounts/sign-in', { email: waiting.email, password: goodPassword });
    await browser.call(ending, {});
    expect([await proceed(waiting), await sessionOf(waiting.browser)]).toEqual(['over', 'signed-out']);
  });

  test('still waits after a stranger with its address, which is not verified, signed out everywhere', async () => {
    const email = emailOf('Petra');
    const [eve, petra] = [await signUp('Eve', email, theirs), await signUp('Petra', email)];
    await eve.browser.call('POST /api/accounts/sign-in', { email, password: theirs });
    await eve.browser.call('POST /api/accounts/sign-out-everywhere', {});
    await press(email, 2);
    expect([await proceed(petra), await sessionOf(petra.browser)]).toEqual(['signed-in', 'Petra']);
  });

  test('leaves another person who is signed in there signed in (ACCT-61)', async () => {
    const waiting = await signUp('Kira');
    await signUp('Lola');
    await press(emailOf('Lola'));
    const credentials = { email: emailOf('Lola'), password: goodPassword };
    await waiting.browser.call('POST /api/accounts/sign-in', credentials);
    await press(waiting.email, 1, waiting.browser);
    expect([await proceed(waiting), await sessionOf(waiting.browser)]).toEqual(['over', 'Lola']);
    await waiting.browser.call('POST /api/accounts/sign-out', {});
    expect([await proceed(waiting), await sessionOf(waiting.browser)]).toEqual(['signed-in', 'Kira']);
  });

  test('shows the same number as the page of its own mail, which names the account before any press (ACCT-62)', async () => {
    const email = emailOf('Mona');
    const pages = [await signUp('Mona', email), await signUp('Eve', email, theirs)];
    const mailed = [];
    for (const count of [1, 2]) {
      const payload = { mode: 'verifyEmail', oobCode: await app.codeFor(email, count) } as const;
      const { result } = await app.visitor().call('GET /api/accounts/mailed-link', payload);
      mailed.push(result.ok && result.value.account);
    }
    expect(mailed).toEqual([
      { name: 'Mona', email, number: pages[0]?.number },
      { name: 'Eve', email, number: pages[1]?.number },
    ]);
  });

  const reject = async (email: string, count: number) => {
    const oobCode = await app.codeFor(email, count);
    return (await app.visitor().call('POST /api/accounts/reject-sign-up', { oobCode })).status;
  };
  const signsIn = async (email: string, password: string) =>
    (await app.visitor().call('POST /api/accounts/sign-in', { email, password })).result.ok;

  test('"This wasn\'t me" before the press ends that sign-up, and with the only one the account (ACCT-62)', async () => {
    const email = emailOf('Nora');
    const eve = await signUp('Eve', email, theirs);
    await eve.browser.call('POST /api/accounts/sign-in', { email, password: theirs });
    expect([await reject(email, 1), await reject(email, 1)]).toEqual([200, 410]);
    expect([await proceed(eve), await sessionOf(eve.browser)]).toEqual(['over', 'signed-out']);
    expect(await press(email, 1)).toMatchObject({ ok: false, error: { code: 'auth/code-invalid' } });
    expect(await signsIn(email, theirs)).toBe(false);
  });

  test('"This wasn\'t me" leaves the other sign-ups with that address as they were (ACCT-62)', async () => {
    const email = emailOf('Olga');
    const [eve, olga] = [await signUp('Eve', email, theirs), await signUp('Olga', email)];
    expect(await reject(email, 1)).toBe(200);
    expect([await signsIn(email, theirs), await signsIn(email, goodPassword)]).toEqual([false, true]);
    expect([await proceed(eve), await answerNow(olga)]).toEqual(['over', 'waiting']);
    await press(email, 2);
    expect([await proceed(olga), await sessionOf(olga.browser)]).toEqual(['signed-in', 'Olga']);
  });

  test('"This wasn\'t me" of a later sign-up leaves the first (ACCT-62)', async () => {
    const email = emailOf('Pia');
    const [pia, eve] = [await signUp('Pia', email), await signUp('Eve', email, theirs)];
    expect(await reject(email, 2)).toBe(200);
    await press(email, 1);
    expect([await proceed(pia), await proceed(eve)]).toEqual(['signed-in', 'over']);
    // A link that was used rejects nothing any more by its own code.
    expect(await reject(email, 1)).toBe(410);
  });
});
