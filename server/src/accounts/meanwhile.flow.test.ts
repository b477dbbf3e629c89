/** The operator or another tab changes an account while a request about it runs. On both databases. */
import type { Uid } from '@tunemate/protocol';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { insertUser } from '@tunemate/testkit/worlds/people';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLimits } from '../access/limits.ts';
import { createLog } from '../system/logging.ts';
import { randomIds } from '../system/machine.ts';
import { type Database, migrate, openDatabase } from '../storage/database.ts';
import { StreamRecord } from '../storage/record.ts';
import { type AccountsDeps, auditRowsOf } from './accounts-deps.ts';
import { insertCode, insertTicket } from './sign-up/codes.ts';
import { openKnownDevices, sessionsService } from './sign-in/sessions.ts';
import { createPasswords, passwordService } from './sign-in/passwords.ts';
import { profileService } from './profile.ts';
import { removalService } from './removal.ts';
import { insertSignUpInvitation, setSignUpMode } from './sign-up/sign-up-gate.ts';
import { signInService } from './sign-in/sign-in.ts';
import { signUpService } from './sign-up/sign-up.ts';
import { verificationService } from './sign-up/verification.ts';
import { markDeleted, setDisabled, setPasswordHash } from './users-store.ts';

const password = 'three green bicycles';
const other = 'seven quiet mountains';
const address = '127.0.0.1';
/** Where every request of these tests comes from. */
const caller = { address, network: address, language: 'en' as const, isFromThisMachine: false };
const browser = { ...caller, device: 'a test', mark: null, waiting: null };

describeEachDialect('an account that changes under a request', (makeDatabaseUrl) => {
  let database: Database;
  /** Runs after the password of a request is checked or hashed, before its write. */
  let meanwhile: () => Promise<unknown>;
  let deps: AccountsDeps;
  const clock = createFakeClock();
  const ids = randomIds();
  beforeAll(async () => {
    database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    const [record, log, real] = [new StreamRecord(database, clock), createLog('silent'), createPasswords()];
    const after = async <T>(work: Promise<T>): Promise<T> => {
      const done = await work;
      await meanwhile();
      return done;
    };
    deps = {
      ...{ record, clock, ids, log, hooks: [], publicUrl: () => 'http://localhost:3000', withoutMail: null },
      limits: createLimits({ clock, scale: 0 }),
      devices: await openKnownDevices(database.db),
      mailer: {
        enqueue: () => Promise.resolve(),
        kick: () => undefined,
        canDeliver: () => Promise.resolve(true),
        isRefused: () => Promise.resolve(false),
      },
      passwords: {
        hash: (given) => after(real.hash(given)),
        check: (given, stored) => after(real.check(given, stored)),
      },
      sessions: sessionsService({ record, clock, ids, log, readCookie: () => null }),
    };
  });
  afterAll(() => database.close());

  async function verifiedUser(): Promise<{ uid: Uid; email: string }> {
    meanwhile = () => Promise.resolve();
    const uid = await insertUser(database.db, { name: 'Ada', nowMs: clock.now() });
    const password_hash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    await database.db.updateTable('users').set({ password_hash }).where('uid', '=', uid).execute();
    return { uid, email: `${uid.toLowerCase()}@example.test` };
  }
  const signedIn = (uid: Uid) => ({ status: 'signed-in', uid, sessionId: 'one' }) as const;
  const deleted = (uid: Uid) => markDeleted(database.db, uid, clock.now());
  const signedOut = { status: 'signed-out' } as const;
  const signIn = async (email: string, given: string) =>
    codeOf(await signInService(deps).signIn({ email, password: given }, { ...browser, session: signedOut }));
  const sessionsOf = async (uid: Uid) =>
    await database.db.selectFrom('sessions').select('session_id').where('uid', '=', uid).execute();

  test('refuses a sign-in to an account that is disabled, also while the password is checked (ADMIN-2)', async () => {
    const { uid, email } = await verifiedUser();
    meanwhile = () => setDisabled(database.db, uid, clock.now());
    expect(await signIn(email, password)).toBe('auth/disabled');
    meanwhile = () => Promise.resolve();
    expect([await signIn(email, password), await signIn(email, other)]).toEqual([
      ...['auth/disabled', 'auth/invalid-credentials'],
    ]);
    expect(await sessionsOf(uid)).toEqual([]);
    await setDisabled(database.db, uid, null);
    expect(await signIn(email, password)).toBe('ok');
  });

  test.each(['changed', 'reset', 'replaced by a verification'])(
    'refuses a sign-in with a password that is %s while it is checked (ACCT-56)',
    async (how) => {
      const { uid, email } = await verifiedUser();
      const code = ids.newToken();
      const replace = async () => {
        meanwhile = () => Promise.resolve();
        if (how === 'changed') {
          const change = { currentPassword: password, password: other };
          return await passwordService(deps).change(signedIn(uid), change, caller, null);
        }
        if (how === 'reset') {
          await insertCode(database.db, { uid, mode: 'resetPassword', code, signUp: null }, clock.now());
          return await passwordService(deps).reset({ oobCode: code, password: other }, caller, null);
        }
        await database.db.updateTable('users').set({ email_verified: 0 }).where('uid', '=', uid).execute();
        const signUp = { name: 'Owner', passwordHash: await deps.passwords.hash(other), invitationHash: null };
        await insertCode(database.db, { uid, mode: 'verifyEmail', code, signUp }, clock.now());
        return await verificationService(deps, removalService(deps)).verify(code, { ...browser, session: signedOut });
      };
      let replaced = 'none';
      meanwhile = async () => (replaced = codeOf(await replace()));
      expect([await signIn(email, password), replaced]).toEqual(['auth/invalid-credentials', 'ok']);
      expect(await sessionsOf(uid)).toEqual([]);
      expect(await signIn(email, other)).toBe('ok');
    },
  );

  test('signs in with a password that is rehashed meanwhile (ACCT-56)', async () => {
    const { uid, email } = await verifiedUser();
    meanwhile = async () => {
      meanwhile = () => Promise.resolve();
      await setPasswordHash(database.db, uid, await deps.passwords.hash(password));
    };
    expect(await signIn(email, password)).toBe('ok');
    expect(await sessionsOf(uid)).toHaveLength(1);
  });

  test('refuses a sign-in when the password is replaced at each check (ACCT-56)', async () => {
    const { uid, email } = await verifiedUser();
    const real = createPasswords();
    meanwhile = async () => setPasswordHash(database.db, uid, await real.hash(password));
    expect(await signIn(email, password)).toBe('auth/invalid-credentials');
    expect(await sessionsOf(uid)).toEqual([]);
  });

  test('a link mailed while the address was verified replaces neither name nor password (ACCT-57)', async () => {
    const { uid, email } = await verifiedUser();
    const code = ids.newToken();
    const signUp = { name: 'Eve', passwordHash: await createPasswords().hash(other), invitationHash: null };
    await insertCode(database.db, { uid, mode: 'verifyEmail', code, signUp }, clock.now());
    const { verify } = verificationService(deps, removalService(deps));
    expect(codeOf(await verify(code, { ...browser, session: signedOut }))).toBe('auth/code-invalid');
    expect([await signIn(email, password), await signIn(email, other)]).toEqual(['ok', 'auth/invalid-credentials']);
  });

  test.each([
    ['a ticket of another sign-up', 'ok'],
    ['a session', 'auth/already-verified'],
  ])('%s that requests its mail while the address is verified gets none (ACCT-57)', async (how, answer) => {
    const { uid, email } = await verifiedUser();
    await database.db.updateTable('users').set({ email_verified: 0 }).where('uid', '=', uid).execute();
    const [mine, theirs, ticket] = [ids.newToken(), ids.newToken(), ids.newToken()];
    const owner = { name: 'Owner', passwordHash: 'one', invitationHash: null };
    const squatter = { name: 'Eve', passwordHash: 'another', invitationHash: null };
    await insertCode(database.db, { uid, mode: 'verifyEmail', code: mine, signUp: owner }, clock.now());
    await insertCode(database.db, { uid, mode: 'verifyEmail', code: theirs, signUp: squatter }, clock.now());
    await insertTicket(database.db, { ticket, email, of: { uid, signUp: squatter } }, clock.now());
    let verified = 'none';
    /** The write of the request begins after the address is verified. */
    const write: AccountsDeps['record']['write'] = async (streams, work) => {
      const { verify } = verificationService(deps, removalService(deps));
      verified = codeOf(await verify(mine, { ...browser, session: signedOut }));
      return await deps.record.write(streams, work);
    };
    const late = { ...deps, record: { db: database.db, write } as unknown as AccountsDeps['record'] };
    const asking = how === 'a session' ? ({ ...signedIn(uid), status: 'unverified' } as const) : signedOut;
    const asked = await signUpService(late).resend(asking, asking === signedOut ? { ticket } : {}, caller);
    expect([codeOf(asked), verified]).toEqual([answer, 'ok']);
    const codes = database.db.selectFrom('action_codes').select('mode').where('uid', '=', uid);
    expect(await codes.where('used_at_ms', 'is', null).execute()).toEqual([{ mode: 'rejectSignUp' }]);
  });

  test('a session of a deleted account counts as signed out, verified or not', async () => {
    const { uid, email } = await verifiedUser();
    const { stateOf } = signInService(deps);
    const unverified = { ...signedIn(uid), status: 'unverified' } as const;
    expect(await stateOf(signedIn(uid))).toMatchObject({ status: 'signed-in', user: { email } });
    expect(await stateOf(unverified)).toMatchObject({ status: 'unverified', email });
    await deleted(uid);
    for (const session of [signedIn(uid), unverified]) expect(await stateOf(session)).toEqual({ status: 'signed-out' });
  });

  test('a user deleted a moment ago changes nothing and gets no mail', async () => {
    const { uid } = await verifiedUser();
    const profile = profileService(deps, removalService(deps));
    await deleted(uid);
    const change = { currentPassword: password, password: other };
    expect([
      codeOf(await profile.update(signedIn(uid), { name: 'Eve' })),
      codeOf(await profile.update(signedIn(uid), { readReceipts: false })),
      codeOf(await profile.remove(signedIn(uid), password, caller)),
      codeOf(await passwordService(deps).change(signedIn(uid), change, caller, null)),
      codeOf(await signUpService(deps).resend({ ...signedIn(uid), status: 'unverified' }, {}, caller)),
    ]).toEqual([
      ...['auth/required', 'auth/required', 'auth/invalid-credentials', 'auth/invalid-credentials', 'auth/required'],
    ]);
    const { name } = await database.db
      .selectFrom('users')
      .select('name')
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow();
    expect(name).toBe('');
  });

  test.each(['used', 'deleted'])('a reset link that is %s meanwhile sets no password (ACCT-20)', async (how) => {
    const { uid, email } = await verifiedUser();
    const code = ids.newToken();
    await insertCode(database.db, { uid, mode: 'resetPassword', code, signUp: null }, clock.now());
    const { reset } = passwordService(deps);
    let answer = 'none';
    meanwhile = async () => {
      meanwhile = () => Promise.resolve();
      if (how === 'deleted') await deleted(uid);
      else answer = codeOf(await reset({ oobCode: code, password: other }, caller, null));
    };
    expect(codeOf(await reset({ oobCode: code, password: 'nine loud rivers' }, caller, null))).toBe(
      'auth/code-invalid',
    );
    expect([answer, await signIn(email, other), await signIn(email, 'nine loud rivers')]).toEqual(
      how === 'used'
        ? ['ok', 'ok', 'auth/invalid-credentials']
        : ['none', 'auth/invalid-credentials', 'auth/invalid-credentials'],
    );
  });

  test('a deletion whose password is replaced while it is checked deletes nothing (ACCT-56)', async () => {
    const { uid, email } = await verifiedUser();
    meanwhile = async () => {
      meanwhile = () => Promise.resolve();
      await setPasswordHash(database.db, uid, await deps.passwords.hash(other));
    };
    const { remove } = profileService(deps, removalService(deps));
    expect(codeOf(await remove(signedIn(uid), password, caller))).toBe('auth/invalid-credentials');
    expect(await signIn(email, other)).toBe('ok');
  });

  test('refuses a sign-up that is closed while its password is hashed, and leaves no account', async () => {
    const email = 'late@example.org';
    meanwhile = () => setSignUpMode(database.db, 'closed');
    const asked = { name: 'Late', email, password, invitation: undefined };
    expect(codeOf(await signUpService(deps).signUp(asked, caller))).toBe('auth/sign-up-closed');
    const found = await database.db.selectFrom('users').select('uid').where('email', '=', email).execute();
    expect(found).toEqual([]);
    await setSignUpMode(database.db, 'open');
  });

  test('refuses an address whose domain can’t get mail', async () => {
    meanwhile = () => Promise.resolve();
    const asked = { name: 'Ada', email: 'ada@-.-', password, invitation: undefined };
    expect(await signUpService(deps).signUp(asked, caller)).toEqual({
      ok: false,
      error: { code: 'input/invalid', field: 'email' },
    });
  });

  test('two sign-ups of one user with one link hold one place', async () => {
    const email = 'twice@example.org';
    meanwhile = () => Promise.resolve();
    await setSignUpMode(database.db, 'invite');
    const token = ids.newToken();
    const times = { createdAtMs: clock.now(), expiresAtMs: clock.now() + 60_000 };
    await insertSignUpInvitation(database.db, token, { ...times, usesLeft: 1 });
    const signUp = () => signUpService(deps).signUp({ name: 'Twin', email, password, invitation: token }, caller);
    const places = async () =>
      await database.db
        .selectFrom('sign_up_places')
        .innerJoin('users', 'users.uid', 'sign_up_places.uid')
        .select('email')
        .execute();
    for (let n = 0; n < 2; n += 1) {
      valueOf(await signUp());
      expect(await places()).toEqual([{ email }]);
    }
    await setSignUpMode(database.db, 'open');
  });

  test('the audit log of a user is complete and in order, also with many events at one moment', async () => {
    const { uid } = await verifiedUser();
    const events = Array.from({ length: 450 }, (_, n) => ({
      ...{ id: String(n).padStart(4, '0'), uid, event: `event ${String(n)}`, address },
      at_ms: n < 230 ? 5 : 6 + n,
    }));
    await database.db.insertInto('audit').values(events).execute();
    const read: string[] = [];
    for await (const { event } of auditRowsOf(database.db, uid)) read.push(event);
    expect(read).toEqual(events.map(({ event }) => event));
  });
});
