/** The operator opens, restricts and closes sign-up beside a running server. */
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomIds } from '../../system/machine.ts';
import { type Database, openDatabase } from '../../storage/database.ts';
import { latestActions, operatorLog } from '../../storage/operator-log.ts';
import { StreamRecord } from '../../storage/record.ts';
import { signUpAdminService } from '../accounts-admin.ts';

const closed = { ok: false, error: { code: 'auth/sign-up-closed' } };
const needed = { ok: false, error: { code: 'auth/invitation-needed' } };
const dayMs = 24 * 60 * 60 * 1000;

describeEachDialect('sign-up', (makeDatabaseUrl) => {
  let app: TestApp;
  let database: Database;
  let admin: ReturnType<typeof signUpAdminService>;
  beforeAll(async () => {
    const databaseUrl = await makeDatabaseUrl();
    app = await startTestApp({ databaseUrl });
    // A connection of its own, as the operator's commands have.
    database = openDatabase(databaseUrl);
    const [record, ids] = [new StreamRecord(database, app.clock), randomIds()];
    const note = operatorLog(ids, 'ann');
    admin = signUpAdminService({ record, clock: app.clock, ids, publicUrl: () => app.url, note });
  });
  afterAll(async () => {
    await database.close();
    await app.close();
  });

  /** What an operator's command has changed, once the server reads it too: not before the end of a sync of its own. */
  const seen = async <T>(command: Promise<T>): Promise<T> => {
    const done = await command;
    const noted = async ({ db }: Pick<Database, 'db'>) => (await latestActions(db, { from: 0, most: 1 })).total;
    const all = await noted(database);
    await expect.poll(() => noted(app.app)).toBe(all);
    return done;
  };
  const signUp = async (name: string, invitation?: string) => {
    const payload = { name, email: emailOf(name), password: goodPassword, ...(invitation && { invitation }) };
    return (await app.visitor().call('POST /api/accounts/sign-up', payload)).result;
  };
  const verify = async (name: string) => {
    const oobCode = await app.codeFor(emailOf(name));
    return (await app.visitor().call('POST /api/accounts/verify-email', { oobCode })).result;
  };
  const tokenOf = (link: string) => new URL(link).searchParams.get('invitation') ?? '';
  const shownMode = async () => {
    const { result } = await app.visitor().call('GET /api/config', {});
    return result.ok ? result.value.signUp : result.error;
  };

  test('is open to everyone until the operator closes it; earlier sign-ups still verify', async () => {
    expect(await shownMode()).toBe('open');
    expect(await signUp('Ada')).toMatchObject({ ok: true });
    const known = await app.member('Known');
    await seen(admin.setMode('closed'));
    expect(await shownMode()).toBe('closed');
    expect(await signUp('Ben')).toEqual(closed);
    expect(await signUp('Known')).toEqual(closed);
    const token = tokenOf(await seen(admin.invite(1, dayMs)));
    expect(await signUp('Ben', token)).toEqual(closed);
    const oobCode = await app.codeFor(emailOf('Ada'));
    expect((await app.visitor().call('POST /api/accounts/verify-email', { oobCode })).result).toMatchObject({
      ok: true,
    });
    expect((await known.call('GET /api/session', {})).result).toMatchObject({ value: { status: 'signed-in' } });
    await seen(admin.setMode('open'));
    expect(await signUp('Ben')).toMatchObject({ ok: true });
  });

  test('a link works until it is used up, expired or ended (SIGNUP-2)', async () => {
    await seen(admin.setMode('invite'));
    expect(await shownMode()).toBe('invite');
    expect(await signUp('Cleo')).toEqual(needed);
    expect(await signUp('Known')).toEqual(needed);
    expect(await signUp('Cleo', 'no such link')).toEqual(needed);
    const link = await seen(admin.invite(2, dayMs));
    expect(link.startsWith(`${app.url}/signup?invitation=`)).toBe(true);
    expect(await signUp('Cleo', tokenOf(link))).toMatchObject({ ok: true });
    // Weak passwords and wrong addresses take no place.
    const weak = { name: 'Dora', email: emailOf('Dora'), password: 'password', invitation: tokenOf(link) };
    expect((await app.visitor().call('POST /api/accounts/sign-up', weak)).result).toMatchObject({
      error: { code: 'auth/password-weak' },
    });
    expect(await verify('Cleo')).toMatchObject({ ok: true });
    for (const name of ['Dora', 'Emil']) expect(await signUp(name, tokenOf(link))).toMatchObject({ ok: true });
    const both = await Promise.all(['Dora', 'Emil'].map(verify));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.filter(({ ok }) => !ok)).toEqual([needed]);
    expect(await signUp('Fred', tokenOf(link))).toEqual(needed);
    const short = await seen(admin.invite(5, dayMs));
    app.clock.advance(dayMs);
    expect(await signUp('Fred', tokenOf(short))).toEqual(needed);
    const ended = await seen(admin.invite(5, dayMs));
    const [open] = await admin.invitations();
    expect(await seen(admin.endInvitation(open?.id ?? ''))).toBe(true);
    expect(await seen(admin.endInvitation(open?.id ?? ''))).toBe(false);
    expect(await signUp('Fred', tokenOf(ended))).toEqual(needed);
    await seen(admin.setMode('open'));
  });

  test('a sign-up takes the place of its link only when the address is verified', async () => {
    await seen(admin.setMode('invite'));
    const token = tokenOf(await seen(admin.invite(1, dayMs)));
    expect(await signUp('Typo', token)).toMatchObject({ ok: true });
    expect(await signUp('Gwen', token)).toMatchObject({ ok: true });
    app.clock.advance(dayMs / 2);
    expect(await verify('Gwen')).toMatchObject({ ok: true });
    expect(await signUp('Hugo', token)).toEqual(needed);
    // Neither the other's mail nor a new password gets past the link.
    expect(await verify('Typo')).toEqual(needed);
    await app.visitor().call('POST /api/accounts/request-password-reset', { email: emailOf('Typo') });
    const oobCode = await app.codeFor(emailOf('Typo'), 2);
    const password = 'seven quiet mountains';
    expect((await app.visitor().call('POST /api/accounts/reset-password', { oobCode, password })).result).toEqual(
      needed,
    );
    await seen(admin.setMode('open'));
    expect(await verify('Typo')).toMatchObject({ ok: true });
  });

  test('a sign-up begun without a link takes no place, and one with a place keeps exactly one (ACCT-59)', async () => {
    expect(await signUp('Kira')).toMatchObject({ ok: true });
    await seen(admin.setMode('invite'));
    const [one, other] = [tokenOf(await seen(admin.invite(1, dayMs))), tokenOf(await seen(admin.invite(1, dayMs)))];
    expect(await signUp('Kira', one)).toMatchObject({ ok: true });
    expect(await verify('Kira')).toMatchObject({ ok: true });
    for (const token of [one, other]) expect(await signUp('Lars', token)).toMatchObject({ ok: true });
    expect(await verify('Lars')).toMatchObject({ ok: true });
    // He opened the first of his two mails, which stands for the link that he used for it.
    expect(await signUp('Mona', one)).toEqual(needed);
    expect(await signUp('Mona', other)).toMatchObject({ ok: true });
    expect(await verify('Mona')).toMatchObject({ ok: true });
    await seen(admin.setMode('open'));
  });

  test('a sign-up verifies after its link has expired, but not after the operator ended it', async () => {
    await seen(admin.setMode('invite'));
    const [expires, ends] = [
      tokenOf(await seen(admin.invite(1, dayMs / 2))),
      tokenOf(await seen(admin.invite(1, dayMs))),
    ];
    expect(await signUp('Ines', expires)).toMatchObject({ ok: true });
    expect(await signUp('Jack', ends)).toMatchObject({ ok: true });
    const open = await admin.invitations();
    await seen(admin.endInvitation(open.find(({ expiresAtMs }) => expiresAtMs === app.clock.now() + dayMs)?.id ?? ''));
    app.clock.advance(dayMs / 2 + 1);
    expect([await verify('Ines'), await verify('Jack')]).toMatchObject([{ ok: true }, needed]);
    await seen(admin.setMode('open'));
  });

  test('the operator’s log has each of these actions, without the link', async () => {
    const step = async <Value>(act: () => Promise<Value>): Promise<Value> => {
      app.clock.advance(1000);
      return await act();
    };
    await step(() => seen(admin.setMode('invite')));
    const link = await step(() => seen(admin.invite(1, dayMs)));
    const { id } = (await admin.invitations()).find(({ createdAtMs }) => createdAtMs === app.clock.now()) ?? { id: '' };
    // Ending a link twice is one action.
    for (const _time of [1, 2]) await step(() => seen(admin.endInvitation(id)));
    await step(() => seen(admin.setMode('open')));
    const { rows: log } = await latestActions(database.db, { from: 0, most: 4 });
    expect(log.map(({ operator, action, subject }) => [operator, action, subject])).toEqual([
      ['ann', 'sign-up', 'open'],
      ['ann', 'invite-link end', id],
      ['ann', 'invite-link create', id],
      ['ann', 'sign-up', 'invite'],
    ]);
    expect(JSON.stringify(log)).not.toContain(tokenOf(link));
  });
});
