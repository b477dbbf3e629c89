/** Strangers who guess passwords or ask for new ones don't keep the owner of the account out. */
import type { RouteName } from '@tunemate/protocol';
import type { HttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { readOutbox } from '@tunemate/testkit/services/outbox';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterEach, beforeEach, expect, test } from 'vitest';

const signIn = 'POST /api/accounts/sign-in';
const wrong = 'not the right one';

describeEachDialect('guesses of a password', (makeDatabaseUrl) => {
  let app: TestApp;
  beforeEach(async () => {
    const env = { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' };
    app = await startTestApp({ databaseUrl: await makeDatabaseUrl(), env });
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

  test('a mark of another account, or one that nobody signed, makes no device known', async () => {
    const [eve] = [await app.member('Eve'), await app.member('Dora')];
    const email = emailOf('Dora');
    await attack(email);
    expect((await from('203.0.113.9', eve, signIn, { email, password: goodPassword })).status).toBe(429);
    const forged = { 'x-forwarded-for': '203.0.113.9', cookie: `device=${'A'.repeat(22)}.${'A'.repeat(43)}` };
    expect((await app.visitor().send(signIn, { email, password: goodPassword }, forged)).status).toBe(429);
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
