/**
 * Signing up, mailing the link that verifies the address, verifying it, and deleting what is never verified. Answers
 * must not reveal which addresses have an account: for a known address the answer and the work are the same. Several
 * people can sign up with one address before its owner opens a link; each link confirms the sign-up it was mailed for.
 */
import {
  type Destination,
  type Language,
  type Result,
  type RoutePayload,
  type Uid,
  userStream,
} from '@tunemate/protocol';
import type { Limits } from '../../access/limits.ts';
import type { Session } from '../../access/session.ts';
import { mailboxOf } from '../../mail/mail-queue.ts';
import { alreadyRegisteredMail, verificationMail } from '../../mail/templates.ts';
import { isDuplicate } from '../../storage/failures.ts';
import type { Writing } from '../../storage/record.ts';
import type { Db } from '../../storage/schema.ts';
import { customerOf } from '../../system/networks.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { type AccountsDeps, audit, type Caller, codeLifetimeMs, type MailCaller } from '../accounts-deps.ts';
import type { RemovalService } from '../removal.ts';
import { isWeakPassword } from '../sign-in/passwords.ts';
import { hashSecret } from '../sign-in/sessions.ts';
import {
  accountByEmail,
  accountByUid,
  applySignUp,
  canonicalAddress,
  insertUser,
  unverifiedBefore,
} from '../users-store.ts';
import {
  decoyOtherTickets,
  findCode,
  findTicket,
  forgetCodes,
  guessCode,
  insertCode,
  insertTicket,
  linkStatus,
  mailedLink,
  noAccount,
  numberOf,
  type ResendTarget,
  type SignUp,
  spendCodesOf,
  roomOfSignUp,
  spendVerificationsOf,
} from './codes.ts';
import {
  forgetInvitationsExpiredBefore,
  holdPlace,
  mayUseInvitation,
  placeOf,
  signUpModeOf,
  takePlace,
} from './sign-up-gate.ts';
import { endUnverified, rejectSignUp } from './rejection.ts';
import { ticketOf, type WaitingBrowser } from './waiting.ts';

export type SignUpService = ReturnType<typeof signUpService>;

export function signUpService(deps: AccountsDeps) {
  const { record, ids, limits, mailer, passwords } = deps;

  async function signUp(
    { name, email: typed, password, invitation, room }: RoutePayload<'POST /api/accounts/sign-up'>,
    { address, network, language }: MailCaller,
  ): Promise<Result<{ ticket: string; number: number; waiting: string }>> {
    const email = canonicalAddress(typed);
    if (email === null) return refuse('input/invalid', { field: 'email' });
    if (await isWeakPassword(password, { name, email })) return refuse('auth/password-weak', { field: 'password' });
    const opened = await gate(deps, record.db, invitation);
    if (!opened.ok) return opened;
    const chosen = { name, passwordHash: await passwords.hash(password, { network, isKnown: false }) };
    const asked = {
      email,
      chosen,
      address,
      invitation,
      room,
      language,
      isMailDue: (await takeMail(limits, network, `notice:${email}`)).ok,
    };
    const waiting = ids.newToken();
    const ticket = ticketOf(waiting);
    const save = () => record.write([], (writing) => saveSignUp(deps, writing, ticket, asked));
    // Of two concurrent sign-ups with one address the second finds the first's account.
    const saved = await save().catch((error: unknown) =>
      isDuplicate(error) ? save() : Promise.reject(error as Error),
    );
    if (!saved.ok) return saved;
    mailer.kick();
    return accept({ ticket, number: numberOf(chosen.passwordHash), waiting });
  }

  return {
    signUp,
    resend: (session: Session, { ticket, room }: AskedMail, caller: MailCaller) =>
      guessTicket(limits, session, ticket, caller, () => sendAgain(deps, session, ticket, room, caller)),
    mode: () => signUpModeOf(record.db),
  };
}

/** The mail of a sign-up once more. For an address with an account, whose ticket is a decoy, the same work is done for nobody. */
async function sendAgain(
  deps: AccountsDeps,
  session: Session,
  ticket: string | undefined,
  room: Destination | undefined,
  { address, network, language }: MailCaller,
): Promise<Result<Nothing>> {
  const { record, limits, mailer } = deps;
  const target = await targetOf(deps, record.db, session, ticket);
  if (target === null) return refuse('auth/required');
  const taken = await takeMail(limits, network, target.mailbox);
  if (!taken.ok) return taken;
  if (await mailer.isRefused(record.db, target.mailbox)) {
    return refuse('auth/mail-refused');
  }
  const streams = target.uid === null ? [] : [userStream(target.uid)];
  const sent = await record.write(streams, async (writing): Promise<Result<Nothing>> => {
    // Read again under the lock: a verification makes decoys of the tickets of other sign-ups.
    const now = await targetOf(deps, writing.db, session, ticket);
    const account = await accountByUid(writing.db, now?.uid ?? noAccount);
    if (!now || (now.uid !== null && !account)) return refuse('auth/required');
    if (account?.isVerified) return refuse('auth/already-verified');
    const { uid, ...own } = account ?? nobody;
    const signUp = (account && now.signUp) ?? { ...own, invitationHash: await placeOf(writing.db, uid) };
    const to = room ?? (await roomOfSignUp(writing.db, uid, signUp));
    await spendVerificationsOf(writing.db, uid, signUp, writing.nowMs);
    await sendVerification(deps, writing, { uid, email: account?.email ?? null }, signUp, { room: to, language });
    await audit(writing.db, writing.nowMs, 'account.verification-resent', account?.uid ?? null, address);
    return accept({});
  });
  if (!sent.ok) return sent;
  // The queue retries the mail for a day, but the page must say that it can't be delivered now.
  const canDeliver = await mailer.canDeliver();
  mailer.kick();
  return canDeliver ? accept({}) : refuse('server/unavailable');
}

/**
 * A stranger elsewhere, with all networks of one customer, takes less than half of the mails to a mailbox, so that its
 * owner has some left.
 */
async function takeMail(limits: Limits, network: string, mailbox: string): Promise<Result<unknown>> {
  const taken = await limits.take('resend', `${customerOf(network)}|${mailbox}`);
  return taken.ok ? await limits.take('signUpMails', mailbox) : taken;
}

type AskedMail = RoutePayload<'POST /api/accounts/resend-verification'>;

/** Limits the guesses of tickets; a session needs none. */
async function guessTicket(
  limits: Limits,
  session: Session,
  ticket: string | undefined,
  { network }: Caller,
  send: () => Promise<Result<Nothing>>,
): Promise<Result<Nothing>> {
  if (session.status !== 'signed-out' || ticket === undefined) return await send();
  return await guessCode(limits, network, send, (answer) => !answer.ok && answer.error.code === 'auth/required');
}

/** From the session, else from the ticket; null without either. */
async function targetOf(
  { clock }: AccountsDeps,
  db: Db,
  session: Session,
  ticket: string | undefined,
): Promise<ResendTarget | null> {
  if (session.status !== 'signed-out') {
    const account = await accountByUid(db, session.uid);
    return account && { uid: account.uid, signUp: null, mailbox: mailboxOf(account.email) };
  }
  if (ticket === undefined) return null;
  return await findTicket(db, ticket, clock.now() - codeLifetimeMs);
}

/** Refuses a sign-up by the operator's setting, known address or not. The value is the invitation that it uses. */
async function gate({ clock }: AccountsDeps, db: Db, invitation: string | undefined): Promise<Result<string | null>> {
  const mode = await signUpModeOf(db);
  if (mode === 'open') return accept(null);
  if (mode === 'closed') return refuse('auth/sign-up-closed');
  const isOpened = invitation !== undefined && (await mayUseInvitation(db, invitation, clock.now()));
  return isOpened ? accept(invitation) : refuse('auth/invitation-needed');
}

interface AskedSignUp {
  email: string;
  chosen: Pick<SignUp, 'name' | 'passwordHash'>;
  address: string;
  invitation: string | undefined;
  room: Destination | undefined;
  language: Language;
  /** False when the limit on mails to this address is used up. */
  isMailDue: boolean;
}

/** Stores the sign-up and its ticket, and enqueues the mail: a link, or a notice that the account exists. */
async function saveSignUp(
  deps: AccountsDeps,
  writing: Writing,
  ticket: string,
  { email, chosen, address, invitation, room, language, isMailDue }: AskedSignUp,
): Promise<Result<Nothing>> {
  const { ids, mailer, publicUrl } = deps;
  const { db, nowMs } = writing;
  const opened = await gate(deps, db, invitation);
  if (!opened.ok) return opened;
  const invitedBy = opened.value;
  const known = await accountByEmail(db, email);
  if (known?.isVerified) {
    await insertTicket(db, { ticket, email, of: null }, nowMs);
    await audit(db, nowMs, 'account.sign-up-of-known-address', known.uid, address);
    const letter = alreadyRegisteredMail(`${publicUrl()}/login`, language);
    if (isMailDue) await mailer.enqueue(db, { to: email, ...letter }, nowMs);
    return accept({});
  }
  const account = known ?? { uid: ids.newId() as Uid, email, isVerified: false, isDisabled: false, ...chosen };
  if (!known) await insertUser(db, account, nowMs);
  const signUp = { ...chosen, invitationHash: invitedBy === null ? null : hashSecret(invitedBy) };
  if (!known && signUp.invitationHash !== null) await holdPlace(db, account.uid, signUp.invitationHash);
  await insertTicket(db, { ticket, email, of: { uid: account.uid, signUp } }, nowMs);
  await audit(db, nowMs, known ? 'account.sign-up-repeated' : 'account.signed-up', account.uid, address);
  if (!known || isMailDue) await sendVerification(deps, writing, account, signUp, { room, language });
  return accept({});
}

/** Whom a decoy stands for. */
const nobody = { uid: noAccount, name: '', passwordHash: '' };

/** Without an address nothing is mailed. */
async function sendVerification(
  { ids, mailer, publicUrl }: AccountsDeps,
  { db, nowMs }: Writing,
  { uid, email }: { uid: Uid; email: string | null },
  signUp: SignUp,
  { room, language }: { room: Destination | undefined; language: Language },
): Promise<void> {
  const code = ids.newToken();
  await insertCode(db, { uid, mode: 'verifyEmail', code, signUp, room }, nowMs);
  const link = mailedLink(publicUrl(), 'verifyEmail', code, room);
  const mail = verificationMail(link, language, numberOf(signUp.passwordHash));
  if (email !== null) await mailer.enqueue(db, { to: email, ...mail }, nowMs);
}

export type VerificationService = ReturnType<typeof verificationService>;

/**
 * Verifies an address with the code of a mailed link, or rejects a sign-up that another person made with it. The code
 * alone decides both; the session decides only whether its browser stays signed in.
 */
export function verificationService(deps: AccountsDeps, removal: RemovalService) {
  const { record, clock, ids, limits, sessions, devices } = deps;

  /**
   * Consumes the code: the account gets the name and password of the link's sign-up, and all its other links, tickets
   * and sessions end. The caller is signed in if this browser made that sign-up, or had signed in with its password.
   */
  async function verify(
    code: string,
    { session, waiting, device, address }: WaitingBrowser,
  ): Promise<Result<Verified>> {
    const found = await findCode(record.db, 'verifyEmail', code, clock.now() - codeLifetimeMs);
    if (!found) return refuse('auth/code-invalid');
    const { uid } = found;
    return await record.write([userStream(uid)], async (writing) => {
      const { db, nowMs } = writing;
      const account = await accountByUid(db, uid);
      // Read again under the lock, because a code works once.
      if (!account || !(await findCode(db, 'verifyEmail', code, nowMs - codeLifetimeMs))) {
        return refuse('auth/code-invalid');
      }
      // A sign-up mailed meanwhile must not replace the verified one.
      if (account.isVerified) return refuse('auth/code-invalid');
      if (account.isDisabled) return refuse('auth/disabled');
      const invitationHash = found.signUp ? found.signUp.invitationHash : await placeOf(db, uid);
      if (!(await takePlace(db, uid, invitationHash))) return refuse('auth/invitation-needed');
      const { name, passwordHash } = found.signUp ?? account;
      await applySignUp(db, uid, { name, passwordHash });
      await spendCodesOf(db, uid, nowMs);
      const isSignedIn =
        session.status === 'unverified' && session.uid === uid && account.passwordHash === passwordHash;
      const ticket = waiting === null ? null : ticketOf(waiting);
      const waitsFor = isSignedIn || ticket === null ? null : await findTicket(db, ticket, nowMs - codeLifetimeMs);
      const isWaiting = waitsFor?.uid === uid && waitsFor.signUp?.passwordHash === passwordHash;
      const isOwn = isSignedIn || (isWaiting && session.status !== 'signed-in');
      await decoyOtherTickets(db, uid, passwordHash, isOwn ? ticket : null);
      await sessions.end(writing, uid, { type: 'all' });
      await audit(db, nowMs, 'account.email-verified', uid, address);
      if (isOwn) return accept({ uid, name, token: await sessions.open(writing, uid, device), rejectCode: null });
      const rejectCode = ids.newToken();
      await insertCode(db, { uid, mode: 'rejectSignUp', code: rejectCode, signUp: null }, nowMs);
      return accept({ uid, name, token: null, rejectCode });
    });
  }

  /** Reads what the page of a mailed link shows at first. Changes nothing. */
  async function status({ mode, oobCode }: RoutePayload<'GET /api/accounts/mailed-link'>) {
    return accept(await linkStatus(record.db, mode, oobCode, clock.now() - codeLifetimeMs));
  }

  return {
    async verify(code: string, browser: WaitingBrowser) {
      const verified = await guessCode(limits, browser.network, () => verify(code, browser));
      if (!verified.ok) return verified;
      const { uid, ...rest } = verified.value;
      // Its own sessions have ended with the verification.
      const { session } = browser;
      const isOthers = session.status !== 'signed-out' && session.uid !== uid;
      if (rest.token !== null && isOthers) await sessions.endEarlier(session);
      // The link proves the mailbox: guesses of strangers no longer lock this device out.
      return accept({ ...rest, mark: devices.remember(browser.mark, uid) });
    },
    reject: (code: string, { address, network }: Caller) =>
      guessCode(limits, network, () => rejectSignUp(deps, removal, code, address)),
    status: (link: RoutePayload<'GET /api/accounts/mailed-link'>, { network }: Caller) =>
      guessCode(
        limits,
        network,
        () => status(link),
        (answer) => answer.ok && answer.value.status === 'over',
      ),
  };
}

interface Verified {
  uid: Uid;
  name: string;
  token: string | null;
  rejectCode: string | null;
}

const unverifiedKeptMs = 30 * 24 * 60 * 60 * 1000;
const deletedPerRound = 200;

/** Deletes codes, sign-ups and invitations that have expired. */
export async function pruneSignUps(deps: Pick<AccountsDeps, 'record' | 'clock' | 'sessions'>): Promise<void> {
  const { db } = deps.record;
  await forgetCodes(db, deps.clock.now() - codeLifetimeMs);
  await expireSignUps(deps);
  // A sign-up by an invitation can be verified for as long as it is kept.
  await forgetInvitationsExpiredBefore(db, deps.clock.now() - unverifiedKeptMs);
}

/** Deletes sign-ups whose address was never verified. */
async function expireSignUps({
  record,
  clock,
  sessions,
}: Pick<AccountsDeps, 'record' | 'clock' | 'sessions'>): Promise<void> {
  for (const { uid, email } of await unverifiedBefore(record.db, clock.now() - unverifiedKeptMs, deletedPerRound)) {
    await record.write([userStream(uid)], (writing) => endUnverified(writing, sessions, { uid, email }));
  }
}
