/** Every form of an address is one account, also on a real server. */
import { knownEmail } from '@tunemate/protocol';
import { waitForMail } from '@tunemate/testkit/services/outbox';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { openDatabase } from '../storage/database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressKey, canonicalAddress } from './users-store.ts';

test('a domain in its own script, in ASCII or full-width has one canonical form (ACCT-18)', () => {
  for (const form of ['jo@straße.example', 'JO@XN--STRAE-OQA.example', 'ｊｏ@ｓtraße。example']) {
    expect(canonicalAddress(form)).toBe('jo@xn--strae-oqa.example');
  }
  for (const bad of [
    'jo@1א.com',
    `jo@${'a'.repeat(64)}.org`,
    'jo@0x7f.1',
    `${'j'.repeat(200)}@${'例'.repeat(20)}.${'例'.repeat(20)}.jp`,
  ]) {
    expect([bad, canonicalAddress(bad)]).toEqual([bad, null]);
  }
});

test('the canonical form is stable and always a plain mailbox (ACCT-18)', () => {
  const label = fc
    .array(
      fc.oneof(
        fc.constantFrom('ß', 'ü', 'ｅ', '例', 'א', '1', '-', 'xn--'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((each) => each.join(''));
  fc.assert(
    fc.property(label, label, (local, domain) => {
      const address = canonicalAddress(`${local}@${domain}.example`);
      if (address === null) return;
      expect(canonicalAddress(address)).toBe(address);
      expect(addressKey(address)).toBe(address);
      expect(knownEmail.parse(address)).toBe(address);
      expect(address).toMatch(/^[^\s@()[\]<>"\\;:,\p{Cc}\p{Cf}]+@[a-z0-9.-]+$/u);
    }),
    { numRuns: 3000 },
  );
});

describeEachDialect('addresses', (makeDatabaseUrl) => {
  let app: TestApp;
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await makeDatabaseUrl();
    app = await startTestApp({ databaseUrl, env: { RATE_LIMIT_SCALE: '1' } });
  });
  afterAll(() => app.close());

  test('finds an account by every form of its address, and mails the stored form (ACCT-18)', async () => {
    const email = 'lena@müller.example';
    await app.visitor().call('POST /api/accounts/sign-up', { name: 'Lena', email, password: goodPassword });
    const stored = 'lena@xn--mller-kva.example';
    await app.visitor().call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(stored) });
    for (const form of [email, stored, 'LENA@ｍüller.example']) {
      const { result } = await app
        .visitor()
        .call('POST /api/accounts/sign-in', { email: form, password: goodPassword });
      expect(result).toMatchObject({ value: { status: 'signed-in', user: { email: stored } } });
    }
    await app
      .visitor()
      .call('POST /api/accounts/sign-up', { name: 'Eve', email: 'ｌena@müller.example', password: goodPassword });
    expect((await waitForMail(app.outbox, stored, 2)).subject).toBe('You already have a Tunemate account');
  });

  test('limits guesses of a password per address, in whatever form (ACCT-18)', async () => {
    const forms = [
      'max@ｍayer.example',
      'max@mａyer.example',
      'max@maｙer.example',
      'max@mayｅr.example',
      'max@mayeｒ.example',
      'ｍax@mayer.example',
    ];
    const statuses: number[] = [];
    for (const email of forms) {
      statuses.push((await app.visitor().call('POST /api/accounts/sign-in', { email, password: 'wrong one' })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test.each(['otto@localhost', 'otto(work)@example.org', 'otto@[127.0.0.1]'])(
    'signs in a user whose address was stored under earlier rules: %s',
    async (address) => {
      const name = `Otto${String(address.length)}`;
      const member = await app.member(name);
      const database = openDatabase(databaseUrl);
      await database.db.updateTable('users').set({ email: address }).where('email', '=', emailOf(name)).execute();
      await database.close();
      const { result } = await app
        .visitor()
        .call('POST /api/accounts/sign-in', { email: address.toUpperCase(), password: goodPassword });
      expect(result).toMatchObject({ value: { status: 'signed-in', user: { email: address } } });
      expect((await app.visitor().call('POST /api/accounts/request-password-reset', { email: address })).status).toBe(
        200,
      );
      expect((await waitForMail(app.outbox, address)).subject).toBe('Reset your Tunemate password');
      expect((await member.call('GET /api/session', {})).result).toMatchObject({ value: { user: { email: address } } });
      const again = await app
        .visitor()
        .send('POST /api/accounts/sign-up', { name, email: address, password: goodPassword });
      expect(again).toMatchObject({ status: 422, result: { error: { code: 'input/invalid' } } });
    },
  );
});
