/**
 * Forgotten and changed passwords. Both end every other session and every mailed link of the person; resetting a
 * forgotten one also ends this session.
 */
import { userStream, type Result } from '@tunemate/protocol';
import type { Session } from '../../access/session.ts';
import { passwordResetMail } from '../../mail/templates.ts';
import { accept, refuse } from '../../system/ports.ts';
import { type AccountsDeps, codeLifetimeMs, type Nothing } from '../accounts-deps.ts';
import { dropCodesOf, findCode, noAccount, replaceResetCode } from '../sign-up/codes-store.ts';
import { isWeakPassword } from './passwords.ts';
import { takePlace } from '../sign-up/sign-up-gate-store.ts';
import { accountByTyped, accountByUid, markVerified, setPasswordHash } from '../users-store.ts';

export type PasswordService = ReturnType<typeof passwordService>;

export function passwordService(deps: AccountsDeps) {
  const { record, clock, ids, mailer, passwords, sessions, audit, publicUrl } = deps;

  /** The same answer, whether or not the address has an account. One that has none leaves no row that stays. */
  async function requestReset(email: string, address: string): Promise<Result<Nothing>> {
    await record.write([], async ({ db, nowMs }) => {
      const account = await accountByTyped(db, email);
      const code = ids.newToken();
      await replaceResetCode(db, account?.uid ?? noAccount, code, nowMs);
      if (!account) return;
      await audit(db, nowMs, 'account.password-reset-requested', account.uid, address);
      const link = `${publicUrl()}/auth/action?mode=resetPassword&oobCode=${code}`;
      await mailer.enqueue(db, { to: account.email, ...passwordResetMail(account.name, link) }, nowMs);
    });
    mailer.kick();
    return accept({});
  }

  async function reset(code: string, password: string, address: string): Promise<Result<Nothing>> {
    const found = await findCode(record.db, 'resetPassword', code, clock.now() - codeLifetimeMs);
    const account = found && (await accountByUid(record.db, found.uid));
    if (!account) return refuse('auth/code-invalid');
    // A weak password does not use up the code: the person can choose another.
    if (await isWeakPassword(password, account)) return refuse('auth/password-weak', { field: 'password' });
    const hash = await passwords.hash(password);
    return await record.write([userStream(account.uid)], async (writing) => {
      const { db, nowMs } = writing;
      // Read again under the lock: what follows must not be done twice.
      const now = await accountByUid(db, account.uid);
      if (!now || !(await findCode(db, 'resetPassword', code, nowMs - codeLifetimeMs))) {
        return refuse('auth/code-invalid');
      }
      // Where the address is not verified yet, the link does that too, and needs what verifying needs.
      if (!now.isVerified && !(await takePlace(db, account.uid))) return refuse('auth/invitation-needed');
      await setPasswordHash(db, account.uid, hash);
      // The link proves who owns the address; an earlier, unverified sign-up may have been somebody else's.
      await markVerified(db, account.uid);
      await dropCodesOf(db, account.uid);
      await sessions.end(writing, account.uid, { type: 'all' });
      await audit(db, nowMs, 'account.password-reset', account.uid, address);
      return accept({});
    });
  }

  async function change(
    { uid, sessionId }: Exclude<Session, { status: 'signed-out' }>,
    { currentPassword, password }: { currentPassword: string; password: string },
    address: string,
  ): Promise<Result<Nothing>> {
    const account = await accountByUid(record.db, uid);
    const { isRight } = await passwords.check(currentPassword, account?.passwordHash ?? null);
    if (!account || !isRight) return refuse('auth/invalid-credentials', { field: 'currentPassword' });
    if (await isWeakPassword(password, account)) return refuse('auth/password-weak', { field: 'password' });
    const hash = await passwords.hash(password);
    return await record.write([userStream(uid)], async (writing) => {
      // Of two changes at once the second is refused: its current password is no longer the current one.
      if (!(await setPasswordHash(writing.db, uid, hash, account.passwordHash))) {
        return refuse('auth/invalid-credentials', { field: 'currentPassword' });
      }
      await dropCodesOf(writing.db, uid);
      await sessions.end(writing, uid, { type: 'all-but', id: sessionId });
      await audit(writing.db, writing.nowMs, 'account.password-changed', uid, address);
      return accept({});
    });
  }

  return { requestReset, reset, change };
}
