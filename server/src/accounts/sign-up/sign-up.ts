/**
 * Signing up, mailing the link that verifies the address, and deleting what is never verified. Answers
 * must not reveal which addresses have an account: for a known address the answer and the work are the same. Several
 * people can sign up with one address before its owner opens a link; each link confirms the sign-up it was mailed for.
 */
import {
  type Destination,
  type Result,
  type RoutePayload,
  type ShownMail,
  type Uid,
  userStream,
} from '@tunemate/protocol';
import type { Limits } from '../../access/limits.ts';
import type { Session } from '../../access/session.ts';
import { type Mail, mailboxOf } from '../../mail/mail-queue.ts';
import { alreadyRegisteredMail, verificationMail } from '../../mail/templates.ts';
import { isDuplicate } from '../../storage/failures.ts';
import type { Writing } from '../../storage/record.ts';
import type { Db } from '../../storage/schema.ts';
import { customerOf } from '../../system/networks.ts';
import { accept, refuse } from '../../system/ports.ts';
import { codeLifetimeMs } from '../../access/session.ts';
import { type AccountsDeps, audit, type Caller, type DueLetter, type MailCaller } from '../accounts-deps.ts';
import { hasRoomToWait } from '../operators/waits.ts';
import { isWeakPassword } from '../sign-in/passwords.ts';
import { hashSecret } from '../sign-in/sessions.ts';
import {
  type Account,
  accountByEmail,
  accountByUid,
  canonicalAddress,
  insertUser,
  unverifiedBefore,
} from '../users-store.ts';
import {
  findTicket,
  forgetCodes,
  guessCode,
  insertCode,
  insertTicket,
  mailedLink,
  noAccount,
  numberOf,
  type ResendTarget,
  type SignUp,
  roomOfSignUp,
  spendVerificationsOf,
} from './codes.ts';
import { forgetInvitationsExpiredBefore, holdPlace, mayUseInvitation, placeOf, signUpModeOf } from './sign-up-gate.ts';
import { endUnverified } from './rejection.ts';
import { ticketOf } from './waiting.ts';

export type SignUpService = ReturnType<typeof signUpService>;

export function signUpService(deps: AccountsDeps) {
  const { record, ids, limits, mailer, passwords } = deps;

  async function signUp(
    { name, email: typed, password, invitation, room }: RoutePayload<'POST /api/accounts/sign-up'>,
    caller: MailCaller,
  ): Promise<Result<SignedUp>> {
    const { network } = caller;
    const email = canonicalAddress(typed);
    if (email === null) return refuse('input/invalid', { field: 'email' });
    if (await isWeakPassword(password, { name, email })) return refuse('auth/password-weak', { field: 'password' });
    const opened = await gate(deps, record.db, invitation);
    if (!opened.ok) return opened;
    const chosen = { name, passwordHash: await passwords.hash(password, { network, isKnown: false }) };
    const asked = {
      email,
      chosen,
      caller,
      invitation,
      room,
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
    return accept({ ticket, number: numberOf(chosen.passwordHash), waiting, ...saved.value });
  }

  return {
    signUp,
    resend: (session: Session, { ticket, room }: AskedMail, caller: MailCaller) =>
      guessTicket(limits, session, ticket, caller, () => sendAgain(deps, session, ticket, room, caller)),
    mode: () => signUpModeOf(record.db),
  };
}

interface SignedUp extends ForPage {
  ticket: string;
  number: number;
  waiting: string;
}

/** What only a page on the server's own machine gets, and only without a mail server: the mail itself. */
interface ForPage {
  mail?: ShownMail;
}

/** The mail of a sign-up once more. For an address with an account, whose ticket is a decoy, the same work is done without a mail. */
async function sendAgain(
  deps: AccountsDeps,
  session: Session,
  ticket: string | undefined,
  room: Destination | undefined,
  caller: MailCaller,
): Promise<Result<ForPage>> {
  const { record, limits, mailer } = deps;
  const { address, network } = caller;
  const target = await targetOf(deps, record.db, session, ticket);
  if (target === null) return refuse('auth/required');
  const taken = await takeMail(limits, network, target.mailbox);
  if (!taken.ok) return taken;
  if (await mailer.isRefused(record.db, target.mailbox)) {
    return refuse('auth/mail-refused');
  }
  const streams = target.uid === null ? [] : [userStream(target.uid)];
  const sent = await record.write(streams, async (writing): Promise<Result<ForPage>> => {
    // Read again under the lock: a verification makes decoys of the tickets of other sign-ups.
    const now = await targetOf(deps, writing.db, session, ticket);
    const account = await accountByUid(writing.db, now?.uid ?? noAccount);
    if (!now || (now.uid !== null && !account)) return refuse('auth/required');
    if (account?.isVerified) return refuse('auth/already-verified');
    const { uid, ...own } = account ?? decoy;
    const signUp = (account && now.signUp) ?? { ...own, invitationHash: await placeOf(writing.db, uid) };
    const to = room ?? (await roomOfSignUp(writing.db, uid, signUp));
    await spendVerificationsOf(writing.db, uid, signUp, writing.nowMs);
    const asked = { room: to, ticket: ticket ?? null, caller };
    const forPage = await sendVerification(deps, writing, { uid, email: account?.email ?? null }, signUp, asked);
    await audit(writing.db, writing.nowMs, 'account.verification-resent', account?.uid ?? null, address);
    return accept(forPage);
  });
  if (!sent.ok) return sent;
  // The queue retries the mail for a day, but the page must say that it can't be delivered now.
  const canDeliver = await mailer.canDeliver();
  mailer.kick();
  return canDeliver ? sent : refuse('server/unavailable');
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
  send: () => Promise<Result<ForPage>>,
): Promise<Result<ForPage>> {
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
    return account && { uid: account.uid, signUp: null, mailbox: mailboxOf(account.email), isRefused: false };
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
  caller: MailCaller;
  invitation: string | undefined;
  room: Destination | undefined;
  /** False when the limit on mails to this address is used up. */
  isMailDue: boolean;
}

/** Stores the sign-up and its ticket, and enqueues the mail: a link, or a notice that the account exists. */
async function saveSignUp(
  deps: AccountsDeps,
  writing: Writing,
  ticket: string,
  { email, chosen, caller, invitation, room, isMailDue }: AskedSignUp,
): Promise<Result<ForPage>> {
  const { ids } = deps;
  const { address } = caller;
  const { db, nowMs } = writing;
  const opened = await gate(deps, db, invitation);
  if (!opened.ok) return opened;
  if (!(await mayWait(deps, db, caller, nowMs))) return refuse('auth/too-many-wait');
  const invitedBy = opened.value;
  const known = await accountByEmail(db, email);
  if (known?.isVerified) {
    await insertTicket(db, { ticket, email, of: null }, nowMs);
    await audit(db, nowMs, 'account.sign-up-of-known-address', known.uid, address);
    return accept(isMailDue ? await sendNotice(deps, writing, known, { chosen, ticket, caller }) : {});
  }
  const account = known ?? { uid: ids.newId() as Uid, email, isVerified: false, isDisabled: false, ...chosen };
  if (!known) await insertUser(db, account, nowMs);
  const signUp = { ...chosen, invitationHash: invitedBy === null ? null : hashSecret(invitedBy) };
  if (!known && signUp.invitationHash !== null) await holdPlace(db, account.uid, signUp.invitationHash);
  await insertTicket(db, { ticket, email, of: { uid: account.uid, signUp } }, nowMs);
  await audit(db, nowMs, known ? 'account.sign-up-repeated' : 'account.signed-up', account.uid, address);
  if (known && !isMailDue) return accept({});
  return accept(await sendVerification(deps, writing, account, signUp, { room, ticket, caller }));
}

/** Whether an operator can be asked for this person, who may need one. The same for known addresses. */
async function mayWait({ withoutMail }: AccountsDeps, db: Db, caller: MailCaller, nowMs: number): Promise<boolean> {
  if (withoutMail === null || caller.isFromThisMachine) return true;
  return await hasRoomToWait(db, customerOf(caller.network), nowMs);
}

/** The address has an account. */
async function sendNotice(
  deps: AccountsDeps,
  writing: Writing,
  { uid, name, email }: Account,
  { chosen, ticket, caller }: { chosen: AskedSignUp['chosen']; ticket: string; caller: MailCaller },
): Promise<ForPage> {
  const link = `${deps.publicUrl(caller)}/login`;
  const mail = alreadyRegisteredMail(link, caller.language);
  const { passwordHash } = chosen;
  return await send(deps, writing, { kind: 'known', uid, name, email, link, mail, passwordHash, ticket }, caller);
}

/** Whom a decoy stands for. */
const decoy = { uid: noAccount, name: '', passwordHash: '' };

/** Without an address nothing is mailed. */
async function sendVerification(
  deps: AccountsDeps,
  writing: Writing,
  { uid, email }: { uid: Uid; email: string | null },
  signUp: SignUp,
  { room, ticket, caller }: { room: Destination | undefined; ticket: string | null; caller: MailCaller },
): Promise<ForPage> {
  const code = deps.ids.newToken();
  await insertCode(writing.db, { uid, mode: 'verifyEmail', code, signUp, room }, writing.nowMs);
  if (email === null) return {};
  const link = mailedLink(deps.publicUrl(caller), 'verifyEmail', code, room);
  const { name, passwordHash } = signUp;
  const mail = verificationMail(link, caller.language, numberOf(passwordHash));
  return await send(deps, writing, { kind: 'sign-up', uid, name, email, link, mail, passwordHash, ticket }, caller);
}

interface SignUpLetter extends Pick<DueLetter, 'kind' | 'uid' | 'name' | 'email' | 'link'> {
  mail: Omit<Mail, 'to'>;
  /** By its number an operator tells the sign-up from others. */
  passwordHash: string;
  ticket: string | null;
}

/** Mails the letter; without a mail server it goes to an operator, and to a page on the server's own machine. */
async function send(
  { mailer, withoutMail }: AccountsDeps,
  writing: Writing,
  { mail, ticket, ...to }: SignUpLetter,
  caller: MailCaller,
): Promise<ForPage> {
  const { db, nowMs } = writing;
  await mailer.enqueue(db, { to: to.email, ...mail }, nowMs);
  if (withoutMail === null) return {};
  const ticketHash = ticket === null ? null : hashSecret(ticket);
  const letter = { ...to, subject: mail.subject, number: numberOf(to.passwordHash), ticketHash };
  await withoutMail.deliver(writing, letter, caller);
  return caller.isFromThisMachine ? { mail: withoutMail.shown(letter, nowMs) } : {};
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
