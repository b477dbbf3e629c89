/**
 * Signing up and proving one's address. Nobody learns here which addresses have an account: every answer, and the work
 * behind it, is the same for a known address (R15).
 */
import { ownStream, type RoutePayload, type Uid } from '@tunemate/protocol';
import type { Session } from '../access/session.ts';
import { alreadyRegisteredMail, verificationMail } from '../mail/templates.ts';
import { accept, type Outcome, refuse } from '../ports.ts';
import { isDuplicate } from '../storage/failures.ts';
import type { Writing } from '../storage/record.ts';
import { type AccountsDeps, codeLifetimeMs, type Nothing } from './accounts-deps.ts';
import { consumeCode, insertTicket, ownerOfCode, ownerOfTicket, replaceCode } from './codes-store.ts';
import { canonicalAddress } from './email-address.ts';
import { isWeakPassword } from './passwords.ts';
import { type Account, accountByEmail, accountByUid, insertUser, markVerified } from './users-store.ts';

export type SignUpService = ReturnType<typeof signUpService>;

export function signUpService(deps: AccountsDeps) {
  const { record, clock, ids, limits, mailer, passwords, sessions, audit, publicUrl } = deps;

  async function sendVerification({ db, nowMs }: Writing, { uid, name, email }: Account): Promise<void> {
    const code = ids.newToken();
    await replaceCode(db, uid, 'verifyEmail', code, nowMs);
    const link = `${publicUrl()}/auth/action?mode=verifyEmail&oobCode=${code}`;
    await mailer.enqueue(db, { to: email, ...verificationMail(name, link) }, nowMs);
  }

  async function signUp(
    { name, email: typed, password }: RoutePayload<'POST /api/accounts/sign-up'>,
    address: string,
  ): Promise<Outcome<{ ticket: string }>> {
    const email = canonicalAddress(typed);
    if (email === null) return refuse('input/invalid', { field: 'email' });
    if (isWeakPassword(password, { name, email })) return refuse('auth/password-weak', { field: 'password' });
    const passwordHash = await passwords.hash(password);
    const isNoticeDue = (await limits.take('resend', `notice:${email}`)).ok;
    const ticket = ids.newToken();
    const save = () =>
      record.write([], async (writing) => {
        const { db, nowMs } = writing;
        const known = await accountByEmail(db, email);
        if (known) {
          await insertTicket(db, ticket, null, nowMs);
          await audit(db, nowMs, 'account.sign-up-of-known-address', known.uid, address);
          const letter = alreadyRegisteredMail(known.name, `${publicUrl()}/login`);
          if (isNoticeDue) await mailer.enqueue(db, { to: email, ...letter }, nowMs);
          return;
        }
        const account = { uid: ids.newId() as Uid, name, email, isVerified: false, passwordHash };
        await insertUser(db, account, nowMs);
        await insertTicket(db, ticket, account.uid, nowMs);
        await audit(db, nowMs, 'account.signed-up', account.uid, address);
        await sendVerification(writing, account);
      });
    // Two sign-ups with one address at once: the second finds the first's account.
    await save().catch((error: unknown) => (isDuplicate(error) ? save() : Promise.reject(error as Error)));
    mailer.kick();
    return accept({ ticket });
  }

  /** Whom a resend is for: the person of the session, else of the ticket. */
  async function owner(session: Session, ticket: string | undefined): Promise<Uid | 'decoy' | null> {
    if (session.status !== 'signed-out') return session.uid;
    if (ticket === undefined) return null;
    return await ownerOfTicket(record.db, ticket, clock.now() - codeLifetimeMs);
  }

  async function resend(session: Session, ticket: string | undefined, address: string): Promise<Outcome<Nothing>> {
    const uid = await owner(session, ticket);
    if (uid === null) return refuse('auth/required');
    const taken = await limits.take('resend', uid === 'decoy' ? `ticket:${ticket ?? ''}` : uid);
    if (!taken.ok) return taken;
    if (uid !== 'decoy') {
      const account = await accountByUid(record.db, uid);
      if (!account) return refuse('auth/required');
      if (account.isVerified) return refuse('input/conflict');
      await record.write([], async (writing) => {
        await sendVerification(writing, account);
        await audit(writing.db, writing.nowMs, 'account.verification-resent', uid, address);
      });
      mailer.kick();
    }
    // The mail is stored and will be tried for a day; the page still says when it can't go out now.
    return (await mailer.canDeliver()) ? accept({}) : refuse('server/unavailable');
  }

  /**
   * Consumes the code. In the browser whose unverified session asks, that session goes on as a verified one under a new
   * token; null where there is none.
   */
  async function verifyEmail(
    code: string,
    session: Session,
    device: string,
    address: string,
  ): Promise<Outcome<{ token: string | null }>> {
    const uid = await ownerOfCode(record.db, 'verifyEmail', code, clock.now() - codeLifetimeMs);
    if (uid === null) return refuse('auth/code-invalid');
    return await record.write([ownStream(uid)], async (writing) => {
      const { db, nowMs } = writing;
      if (!(await consumeCode(db, code, nowMs))) return refuse('auth/code-invalid');
      await markVerified(db, uid);
      await audit(db, nowMs, 'account.email-verified', uid, address);
      if (session.status !== 'unverified' || session.uid !== uid) return accept({ token: null });
      await sessions.end(writing, uid, { only: [session.sessionId] });
      return accept({ token: await sessions.open(writing, uid, device) });
    });
  }

  return { signUp, resend, verifyEmail };
}
