/**
 * Verifying an address with the code of a mailed link, and rejecting a sign-up that somebody else made with it. Both
 * are decided by the code alone; the session says only whether its browser stays signed in.
 */
import { userStream, type Result } from '@tunemate/protocol';
import type { Session } from '../../access/session.ts';
import { accept, refuse } from '../../system/ports.ts';
import { type AccountsDeps, codeLifetimeMs, type Nothing } from '../accounts-deps.ts';
import { decoyOtherTickets, dropCodesOf, findCode, insertCode } from './codes-store.ts';
import type { RemovalService } from '../removal-service.ts';
import { takePlace } from './sign-up-gate-store.ts';
import { accountByUid, applySignUp } from '../users-store.ts';

export type VerificationService = ReturnType<typeof verificationService>;

/** How long after a verification its page may reject the sign-up. */
const rejectWithinMs = 60 * 60 * 1000;

export function verificationService(deps: AccountsDeps, removal: RemovalService) {
  const { record, clock, ids, sessions, audit } = deps;

  /**
   * Consumes the code: the account holds the sign-up that the link was mailed for, and every other link, ticket and
   * session of it ends. Only the session that asks stays, under a new token, if that sign-up's password opened it.
   */
  async function verify(
    code: string,
    session: Session,
    device: string,
    address: string,
  ): Promise<Result<{ name: string; token: string | null; rejectCode: string | null }>> {
    const found = await findCode(record.db, 'verifyEmail', code, clock.now() - codeLifetimeMs);
    if (!found) return refuse('auth/code-invalid');
    const { uid } = found;
    return await record.write([userStream(uid)], async (writing) => {
      const { db, nowMs } = writing;
      const account = await accountByUid(db, uid);
      // Read again under the lock: what follows must not be done twice.
      if (!account || !(await findCode(db, 'verifyEmail', code, nowMs - codeLifetimeMs))) {
        return refuse('auth/code-invalid');
      }
      // A sign-up that was mailed at that moment must not replace the one that was verified.
      if (account.isVerified) return refuse('auth/code-invalid');
      if (account.isDisabled) return refuse('auth/disabled');
      if (!(await takePlace(db, uid))) return refuse('auth/invitation-needed');
      const { name, passwordHash } = found.signUp ?? account;
      await applySignUp(db, uid, { name, passwordHash });
      await dropCodesOf(db, uid);
      await decoyOtherTickets(db, uid, passwordHash);
      await sessions.end(writing, uid, { type: 'all' });
      await audit(db, nowMs, 'account.email-verified', uid, address);
      const isOwn = session.status === 'unverified' && session.uid === uid && account.passwordHash === passwordHash;
      if (isOwn) return accept({ name, token: await sessions.open(writing, uid, device), rejectCode: null });
      const rejectCode = ids.newToken();
      await insertCode(db, { uid, mode: 'rejectSignUp', code: rejectCode, signUp: null }, nowMs);
      return accept({ name, token: null, rejectCode });
    });
  }

  /** The owner of the address says that this sign-up was not theirs: the account goes, and the address is free. */
  async function reject(code: string, address: string): Promise<Result<Nothing>> {
    const found = await findCode(record.db, 'rejectSignUp', code, clock.now() - rejectWithinMs);
    const account = found && (await accountByUid(record.db, found.uid));
    if (!account) return refuse('auth/code-invalid');
    await removal.remove(account, 'account.sign-up-rejected', address);
    return accept({});
  }

  return { verify, reject };
}
