/**
 * Every secret that can be guessed, at every address that takes it: of the wrong tries of a network thirty are heard in
 * any ten minutes, wherever they went, and another network is heard.
 */
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setSignUpMode } from '../accounts/sign-up/sign-up-gate.ts';
import { openDatabase } from '../storage/database.ts';

const token = 'a-long-enough-secret';
const wrong = 'B'.repeat(43);
let app: TestApp;
beforeEach(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true', METRICS_TOKEN: token } });
});
afterEach(() => app.close());

type Try = (address: string) => Promise<number>;

const route =
  (name: Parameters<ReturnType<TestApp['visitor']>['send']>[0], payload: (n: number) => object): Try =>
  async (address) => {
    count += 1;
    return (await app.visitor().send(name, payload(count), { 'x-forwarded-for': address })).status;
  };
let count = 0;
const file =
  (path: string, authorization = ''): Try =>
  async (address) =>
    (await app.visitor().fetch(path, { headers: { 'x-forwarded-for': address, authorization } })).status;
const basic = (password: string) => `Basic ${Buffer.from(`any:${password}`).toString('base64')}`;

const mailed: Try[] = [
  route('GET /api/accounts/mailed-link', () => ({ mode: 'verifyEmail', oobCode: wrong })),
  route('GET /api/accounts/mailed-link', () => ({ mode: 'resetPassword', oobCode: wrong })),
  route('POST /api/accounts/verify-email', () => ({ oobCode: wrong })),
  route('POST /api/accounts/reject-sign-up', () => ({ oobCode: wrong })),
  route('POST /api/accounts/reset-password', () => ({ oobCode: wrong, password: goodPassword })),
  route('POST /api/accounts/resend-verification', () => ({ ticket: wrong })),
];
const tokens: Try[] = [
  file('/metrics', 'Bearer wrong'),
  file('/metrics', basic('wrong')),
  file('/metrics', 'bearer'),
  file('/status', basic(`${token}x`)),
  file('/status', `Bearer ${token.slice(1)}`),
];
const passwords: Try[] = [
  route('POST /api/accounts/sign-in', () => ({ email: emailOf('Ann'), password: 'not the right one' })),
  route('POST /api/accounts/sign-in', () => ({ email: emailOf('Ann').toUpperCase(), password: 'nor this one' })),
];
const invitations: Try[] = [
  route('POST /api/accounts/sign-up', (n) => ({
    ...{ name: 'Eve', email: emailOf(`eve${String(n)}`), password: goodPassword, invitation: `guess${String(n)}` },
  })),
];

test.each([
  ['the operator’s token', tokens, file('/metrics', `Bearer ${token}`)],
  ['codes and tickets of mails', mailed, mailed[2] as Try],
  [
    'a password',
    passwords,
    route('POST /api/accounts/sign-in', () => ({ email: emailOf('Ann'), password: goodPassword })),
  ],
  ['an invitation', invitations, invitations[0] as Try],
])(
  'of %s the 31st wrong try is not heard, whichever addresses took the others (ACCESS-19)',
  async (secret, tries, right) => {
    if (secret === 'a password') await app.member('Ann');
    if (secret === 'an invitation') {
      const database = openDatabase(`sqlite:${app.dataDir}/tunemate.sqlite`);
      await setSignUpMode(database.db, 'invite');
      await database.close();
    }
    const statuses: number[] = [];
    // One address in its two spellings.
    const addresses = ['203.0.113.7', '::ffff:203.0.113.7'];
    for (let n = 0; n < 30; n += 1) {
      statuses.push(await (tries[n % tries.length] as Try)(addresses[n % addresses.length] ?? ''));
    }
    expect(statuses[0]).not.toBe(429);
    for (const each of [...tries, right]) expect(await each('203.0.113.7')).toBe(429);
    expect(await (tries[0] as Try)('198.51.100.1')).not.toBe(429);
    if (secret !== 'a password') expect(await right('198.51.100.1')).not.toBe(429);
  },
);

/** Heard tries of one network that takes 20 seconds for each, over ten minutes: as fast as tokens used to come back. */
async function heardInTenMinutes(tryOnce: Try): Promise<number> {
  const address = '203.0.113.7';
  let heard = 0;
  for (let n = 0; n < 30; n += 1) heard += (await tryOnce(address)) === 429 ? 0 : 1;
  for (let waited = 0; waited < 29; waited += 1) {
    app.clock.advance(20_000);
    heard += (await tryOnce(address)) === 429 ? 0 : 1;
  }
  return heard;
}

test.each([
  ['the operator’s token', file('/metrics', 'Bearer wrong')],
  ['a code of a mail', route('POST /api/accounts/verify-email', () => ({ oobCode: wrong }))],
  ['a ticket', route('POST /api/accounts/resend-verification', () => ({ ticket: wrong }))],
  [
    'passwords of ever other accounts',
    route('POST /api/accounts/sign-in', (n) => ({ email: emailOf(`Ann${String(n)}`), password: goodPassword })),
  ],
])(
  'of %s no try beyond thirty is heard in ten minutes, however they are spread (ACCESS-19)',
  async (_secret, tryOnce) => {
    expect(await heardInTenMinutes(tryOnce)).toBeLessThanOrEqual(30);
    app.clock.advance(10 * 60_000);
    expect(await tryOnce('203.0.113.7')).not.toBe(429);
  },
);
