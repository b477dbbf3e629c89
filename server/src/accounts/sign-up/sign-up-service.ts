/**
 * Signing up, and mailing the link that verifies the address. The answers must not reveal which addresses have an
 * account: the answer, and the work behind it, is the same for a known address. Several people may sign up with one
 * address before its owner opens a link; each link then confirms the sign-up that it was mailed for.
 */
import { type RoutePayload, type Uid, type Result, userStream } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Session } from '../../access/session.ts';
import { alreadyRegisteredMail, verificationMail } from '../../mail/templates.ts';
import { accept, refuse } from '../../system/ports.ts';
import { isDuplicate } from '../../storage/failures.ts';
import type { Writing } from '../../storage/record.ts';
import type { Schema } from '../../storage/schema.ts';
import { type AccountsDeps, codeLifetimeMs, type Nothing } from '../accounts-deps.ts';
import {
  type Asking,
  dropVerifications,
  findTicket,
  insertCode,
  insertTicket,
  mailsKey,
  type SignUp,
} from './codes-store.ts';
import { canonicalAddress } from './email-address.ts';
import { isWeakPassword } from '../sign-in/passwords.ts';
import { holdPlace, holdsPlace, mayUseInvitation, signUpModeOf } from './sign-up-gate-store.ts';
import { type Account, accountByEmail, accountByUid, insertUser } from '../users-store.ts';

export type SignUpService = ReturnType<typeof signUpService>;

export function signUpService(deps: AccountsDeps) {
  const { record, clock, ids, limits, mailer, passwords, audit } = deps;

  async function signUp(
    { name, email: typed, password, invitation }: RoutePayload<'POST /api/accounts/sign-up'>,
    address: string,
  ): Promise<Result<{ ticket: string }>> {
    const email = canonicalAddress(typed);
    if (email === null) return refuse('input/invalid', { field: 'email' });
    if (await isWeakPassword(password, { name, email })) return refuse('auth/password-weak', { field: 'password' });
    const opened = await gate(deps, record.db, invitation);
    if (!opened.ok) return opened;
    const chosen = { name, passwordHash: await passwords.hash(password) };
    const asked = {
      email,
      chosen,
      address,
      invitation,
      isMailDue: (await limits.take('resend', `notice:${email}`)).ok,
    };
    const ticket = ids.newToken();
    const save = () => record.write([], (writing) => saveSignUp(deps, writing, ticket, asked));
    // Two sign-ups with one address at once: the second finds the first's account.
    const saved = await save().catch((error: unknown) =>
      isDuplicate(error) ? save() : Promise.reject(error as Error),
    );
    if (!saved.ok) return saved;
    mailer.kick();
    return accept({ ticket });
  }

  /** What a resend is for: taken from the session, else from the ticket. Null when neither says it. */
  async function readAsking(db: Kysely<Schema>, session: Session, ticket: string | undefined): Promise<Asking | null> {
    if (session.status !== 'signed-out') {
      const account = await accountByUid(db, session.uid);
      return account && { uid: account.uid, signUp: null, countedBy: mailsKey(account.email) };
    }
    if (ticket === undefined) return null;
    return await findTicket(db, ticket, clock.now() - codeLifetimeMs);
  }

  async function resend(session: Session, ticket: string | undefined, address: string): Promise<Result<Nothing>> {
    const asking = await readAsking(record.db, session, ticket);
    if (asking === null) return refuse('auth/required');
    const taken = await limits.take('resend', asking.countedBy);
    if (!taken.ok) return taken;
    if (asking.uid !== null) {
      const { uid } = asking;
      const sent = await record.write([userStream(uid)], async (writing): Promise<Result<Nothing>> => {
        // Read again under the lock: a verification makes decoys of the tickets of other sign-ups.
        const now = await readAsking(writing.db, session, ticket);
        const account = await accountByUid(writing.db, uid);
        if (!now || !account) return refuse('auth/required');
        if (now.uid === null) return accept({});
        if (account.isVerified) return refuse('auth/already-verified');
        const signUp = now.signUp ?? account;
        await dropVerifications(writing.db, uid, signUp);
        await sendVerification(deps, writing, account, signUp);
        await audit(writing.db, writing.nowMs, 'account.verification-resent', uid, address);
        return accept({});
      });
      if (!sent.ok) return sent;
      mailer.kick();
    }
    // The mail is stored and will be tried for a day; the page still says when it can't go out now.
    return (await mailer.canDeliver()) ? accept({}) : refuse('server/unavailable');
  }

  return { signUp, resend, mode: () => signUpModeOf(record.db) };
}

/**
 * What refuses a sign-up: the operator's setting, unless an invitation opens it; the value is that invitation. Known
 * addresses are refused alike.
 */
async function gate(
  { clock }: AccountsDeps,
  db: Kysely<Schema>,
  invitation: string | undefined,
): Promise<Result<string | null>> {
  const mode = await signUpModeOf(db);
  if (mode === 'open') return accept(null);
  if (mode === 'closed') return refuse('auth/sign-up-closed');
  const isOpened = invitation !== undefined && (await mayUseInvitation(db, invitation, clock.now()));
  return isOpened ? accept(invitation) : refuse('auth/invitation-needed');
}

interface AskedSignUp {
  email: string;
  chosen: SignUp;
  address: string;
  invitation: string | undefined;
  /** False when this address has had enough mails for now. */
  isMailDue: boolean;
}

/** Stores the sign-up and its ticket, and enqueues the mail that fits: a link, or a note that the account exists. */
async function saveSignUp(
  deps: AccountsDeps,
  writing: Writing,
  ticket: string,
  { email, chosen, address, invitation, isMailDue }: AskedSignUp,
): Promise<Result<Nothing>> {
  const { ids, mailer, audit, publicUrl } = deps;
  const { db, nowMs } = writing;
  const opened = await gate(deps, db, invitation);
  if (!opened.ok) return opened;
  const known = await accountByEmail(db, email);
  if (known?.isVerified) {
    await insertTicket(db, { ticket, email, of: null }, nowMs);
    await audit(db, nowMs, 'account.sign-up-of-known-address', known.uid, address);
    const letter = alreadyRegisteredMail(known.name, `${publicUrl()}/login`);
    if (isMailDue) await mailer.enqueue(db, { to: email, ...letter }, nowMs);
    return accept({});
  }
  const account = known ?? { uid: ids.newId() as Uid, email, isVerified: false, isDisabled: false, ...chosen };
  if (!known) await insertUser(db, account, nowMs);
  // Who first signed up without a link needs none to verify.
  const isInvited = opened.value !== null && (!known || (await holdsPlace(db, account.uid)));
  if (isInvited && opened.value !== null) await holdPlace(db, account.uid, opened.value);
  await insertTicket(db, { ticket, email, of: { uid: account.uid, signUp: chosen } }, nowMs);
  await audit(db, nowMs, known ? 'account.sign-up-repeated' : 'account.signed-up', account.uid, address);
  if (!known || isMailDue) await sendVerification(deps, writing, account, chosen);
  return accept({});
}

async function sendVerification(
  { ids, mailer, publicUrl }: AccountsDeps,
  { db, nowMs }: Writing,
  { uid, email }: Pick<Account, 'uid' | 'email'>,
  signUp: SignUp,
): Promise<void> {
  const code = ids.newToken();
  await insertCode(db, { uid, mode: 'verifyEmail', code, signUp }, nowMs);
  const link = `${publicUrl()}/auth/action?mode=verifyEmail&oobCode=${code}`;
  await mailer.enqueue(db, { to: email, ...verificationMail(signUp.name, link) }, nowMs);
}
