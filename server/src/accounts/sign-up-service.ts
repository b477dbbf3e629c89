/**
 * Signing up and proving one's address. Nobody learns here which addresses have an account: every answer, and the work
 * behind it, is the same for a known address. Several people may sign up with one address before its owner opens a link;
 * each link then stands for the sign-up it was mailed for.
 */
import { userStream, type RoutePayload, type Uid } from '@tunemate/protocol';
import type { Session } from '../access/session.ts';
import { alreadyRegisteredMail, verificationMail } from '../mail/templates.ts';
import { accept, type Outcome, refuse } from '../ports.ts';
import { isDuplicate } from '../storage/failures.ts';
import type { Writing } from '../storage/record.ts';
import { type AccountsDeps, codeLifetimeMs, type Nothing } from './accounts-deps.ts';
import {
  consumeCode,
  decoyOtherTickets,
  dropCodesOf,
  findCode,
  findTicket,
  insertTicket,
  replaceCode,
  replaceVerification,
  type SignUp,
} from './codes-store.ts';
import { canonicalAddress } from './email-address.ts';
import { isWeakPassword } from './passwords.ts';
import type { RemovalService } from './removal-service.ts';
import { type Account, accountByEmail, accountByUid, applySignUp, insertUser } from './users-store.ts';

export type SignUpService = ReturnType<typeof signUpService>;

/** So long the page of a verification may say that it was not its person's. */
const rejectWithinMs = 60 * 60 * 1000;

export function signUpService(deps: AccountsDeps, removal: RemovalService) {
  const { record, clock, ids, limits, mailer, passwords, sessions, audit, publicUrl } = deps;

  async function sendVerification(
    { db, nowMs }: Writing,
    { uid, email }: Pick<Account, 'uid' | 'email'>,
    chosen: SignUp,
  ): Promise<void> {
    const code = ids.newToken();
    await replaceVerification(db, uid, chosen, code, nowMs);
    const link = `${publicUrl()}/auth/action?mode=verifyEmail&oobCode=${code}`;
    await mailer.enqueue(db, { to: email, ...verificationMail(chosen.name, link) }, nowMs);
  }

  async function signUp(
    { name, email: typed, password }: RoutePayload<'POST /api/accounts/sign-up'>,
    address: string,
  ): Promise<Outcome<{ ticket: string }>> {
    const email = canonicalAddress(typed);
    if (email === null) return refuse('input/invalid', { field: 'email' });
    if (isWeakPassword(password, { name, email })) return refuse('auth/password-weak', { field: 'password' });
    const chosen = { name, passwordHash: await passwords.hash(password) };
    const isMailDue = (await limits.take('resend', `notice:${email}`)).ok;
    const ticket = ids.newToken();
    const save = () =>
      record.write([], async (writing) => {
        const { db, nowMs } = writing;
        const known = await accountByEmail(db, email);
        if (known?.isVerified) {
          await insertTicket(db, ticket, null, nowMs);
          await audit(db, nowMs, 'account.sign-up-of-known-address', known.uid, address);
          const letter = alreadyRegisteredMail(known.name, `${publicUrl()}/login`);
          if (isMailDue) await mailer.enqueue(db, { to: email, ...letter }, nowMs);
          return;
        }
        const account = known ?? { uid: ids.newId() as Uid, email, isVerified: false, ...chosen };
        if (!known) await insertUser(db, account, nowMs);
        await insertTicket(db, ticket, { uid: account.uid, signUp: chosen }, nowMs);
        await audit(db, nowMs, known ? 'account.sign-up-repeated' : 'account.signed-up', account.uid, address);
        if (!known || isMailDue) await sendVerification(writing, account, chosen);
      });
    // Two sign-ups with one address at once: the second finds the first's account.
    await save().catch((error: unknown) => (isDuplicate(error) ? save() : Promise.reject(error as Error)));
    mailer.kick();
    return accept({ ticket });
  }

  /** Whom a resend is for, and which sign-up: the person of the session, else of the ticket. */
  async function owner(session: Session, ticket: string | undefined) {
    if (session.status !== 'signed-out') return { uid: session.uid, signUp: null };
    if (ticket === undefined) return null;
    return await findTicket(record.db, ticket, clock.now() - codeLifetimeMs);
  }

  async function resend(session: Session, ticket: string | undefined, address: string): Promise<Outcome<Nothing>> {
    const found = await owner(session, ticket);
    if (found === null) return refuse('auth/required');
    const taken = await limits.take('resend', found === 'decoy' ? `ticket:${ticket ?? ''}` : found.uid);
    if (!taken.ok) return taken;
    if (found !== 'decoy') {
      const account = await accountByUid(record.db, found.uid);
      if (!account) return refuse('auth/required');
      if (account.isVerified) return refuse('auth/already-verified');
      await record.write([], async (writing) => {
        await sendVerification(writing, account, found.signUp ?? account);
        await audit(writing.db, writing.nowMs, 'account.verification-resent', account.uid, address);
      });
      mailer.kick();
    }
    // The mail is stored and will be tried for a day; the page still says when it can't go out now.
    return (await mailer.canDeliver()) ? accept({}) : refuse('server/unavailable');
  }

  /**
   * Consumes the code: the account holds the sign-up that the link was mailed for, and every other link, ticket and
   * session of it ends. Only the session that asks goes on, under a new token, if that sign-up's password opened it.
   */
  async function verifyEmail(
    code: string,
    session: Session,
    device: string,
    address: string,
  ): Promise<Outcome<{ name: string; token: string | null; rejectCode: string | null }>> {
    const found = await findCode(record.db, 'verifyEmail', code, clock.now() - codeLifetimeMs);
    if (!found) return refuse('auth/code-invalid');
    const { uid } = found;
    return await record.write([userStream(uid)], async (writing) => {
      const { db, nowMs } = writing;
      const account = await accountByUid(db, uid);
      if (!account || !(await consumeCode(db, code, nowMs))) return refuse('auth/code-invalid');
      const { name, passwordHash } = found.signUp ?? account;
      await applySignUp(db, uid, { name, passwordHash });
      await dropCodesOf(db, uid);
      await decoyOtherTickets(db, uid, passwordHash);
      await sessions.end(writing, uid, 'all');
      await audit(db, nowMs, 'account.email-verified', uid, address);
      const isOwn = session.status === 'unverified' && session.uid === uid && account.passwordHash === passwordHash;
      if (isOwn) return accept({ name, token: await sessions.open(writing, uid, device), rejectCode: null });
      const rejectCode = ids.newToken();
      await replaceCode(db, uid, 'rejectSignUp', rejectCode, nowMs);
      return accept({ name, token: null, rejectCode });
    });
  }

  /** The owner of the address says that this sign-up was not theirs: the account goes, and the address is free. */
  async function reject(code: string, address: string): Promise<Outcome<Nothing>> {
    const found = await findCode(record.db, 'rejectSignUp', code, clock.now() - rejectWithinMs);
    const account = found && (await accountByUid(record.db, found.uid));
    if (!account) return refuse('auth/code-invalid');
    await removal.remove(account, 'account.sign-up-rejected', address);
    return accept({});
  }

  return { signUp, resend, verifyEmail, reject };
}
