/**
 * One-time codes of e-mail links, and the tickets with which a sign-up page requests its mail again. Stored as hashes.
 */
import {
  type Destination,
  destination,
  type LinkMode,
  linkModes,
  type PagePath,
  type Result,
  type RoomKind,
  type RouteValue,
  type Uid,
} from '@tunemate/protocol';
import { sql } from 'kysely';
import type { Limits } from '../../access/limits.ts';
import { guess } from '../../access/spending.ts';
import { mailboxOf } from '../../mail/mail-queue.ts';
import type { ActionCodesTable } from '../../storage/tables/account-tables.ts';
import type { Db } from '../../storage/schema.ts';
import { hashSecret } from '../sign-in/sessions.ts';

/** Limits the guesses of mailed codes and of tickets. Every place that looks one up does so within it. */
export const guessCode = <Value>(
  limits: Limits,
  network: string,
  attempt: () => Promise<Result<Value>>,
  isWrong = (answer: Result<Value>): boolean => !answer.ok && answer.error.code === 'auth/code-invalid',
): Promise<Result<Value>> => guess(limits, [['verify', network]], isWrong, attempt);

const joinPaths: Record<RoomKind, PagePath> = { video: '/join', audio: '/join-audio-room' };

/** The link of a mail. Of where the person was on the way to it says the room alone: a stranger may have signed up. */
export function mailedLink(origin: string, mode: LinkMode, code: string, room?: Destination): string {
  const query = new URLSearchParams({ mode, oobCode: code });
  if (room) query.set('next', `${joinPaths[room.kind]}?code=${room.code}`);
  return `${origin}/auth/action?${query.toString()}`;
}

export type CodeMode = ActionCodesTable['mode'];
/** Owner of the codes for addresses without an account: the same work is done for them, but no mail is sent. */
export const noAccount = 'nobody' as Uid;

/** What was chosen at one sign-up, which no other with the same address changes. The salted hash tells them apart. */
export interface SignUp {
  name: string;
  passwordHash: string;
  /** The operator's link that it came by; null where it needed none. */
  invitationHash: string | null;
}

/** A new reset link replaces the older ones of the same user. */
export async function replaceResetCode(db: Db, uid: Uid, code: string, nowMs: number): Promise<void> {
  await db.deleteFrom('action_codes').where('uid', '=', uid).where('mode', '=', 'resetPassword').execute();
  await insertCode(db, { uid, mode: 'resetPassword', code, signUp: null }, nowMs);
}

/** Of a used link only that it was used is kept, until its page no longer needs to say so. */
const spent = (nowMs: number) => ({ used_at_ms: nowMs, ...columnsOf(null), room: null });

/** Invalidates the links of this sign-up, but not those of other sign-ups with the same address. */
export async function spendVerificationsOf(
  db: Db,
  uid: Uid,
  { passwordHash }: Pick<SignUp, 'passwordHash'>,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('action_codes')
    .set(spent(nowMs))
    .where('uid', '=', uid)
    .where('mode', '=', 'verifyEmail')
    .where('password_hash', '=', passwordHash)
    .execute();
}

/** The reset link that has just set a password. */
export async function spendCode(db: Db, code: string, nowMs: number): Promise<void> {
  await db.updateTable('action_codes').set(spent(nowMs)).where('code_hash', '=', hashSecret(code)).execute();
}

/** What opening a mailed link shows: its form, that it was used already and all is well, or that it does not work. */
export async function linkStatus(
  db: Db,
  mode: LinkMode,
  code: string,
  madeAfterMs: number,
): Promise<RouteValue<'GET /api/accounts/mailed-link'>> {
  const row = await db
    .selectFrom('action_codes')
    .innerJoin('users', 'users.uid', 'action_codes.uid')
    .select(['used_at_ms', 'action_codes.created_at_ms', 'email_verified', 'email'])
    .select(['action_codes.name', 'users.name as own_name'])
    .select(['action_codes.password_hash', 'users.password_hash as own_password_hash'])
    .where('code_hash', '=', hashSecret(code))
    .where('mode', '=', mode)
    .where('deleted_at_ms', 'is', null)
    .executeTakeFirst();
  if (!row) return { status: 'over' };
  if (row.used_at_ms !== null) {
    return { status: row.email_verified === 1 && row.used_at_ms > madeAfterMs ? 'done' : 'over' };
  }
  if (row.created_at_ms <= madeAfterMs) return { status: 'over' };
  if (mode !== 'verifyEmail') return { status: 'open' };
  const number = numberOf(row.password_hash ?? row.own_password_hash);
  return { status: 'open', account: { name: row.name ?? row.own_name, email: row.email ?? '', number } };
}

/**
 * Two digits that the page of a sign-up and the page of its mail both show, so that a person can compare them. Made of the
 * salted hash, which tells sign-ups apart; it reveals less than seven bits of that.
 */
export function numberOf(passwordHash: string): number {
  return 10 + (Number.parseInt(hashSecret(`number:${passwordHash}`).slice(0, 8), 16) % 90);
}

interface NewCode {
  uid: Uid;
  mode: CodeMode;
  code: string;
  signUp: SignUp | null;
  room?: Destination | undefined;
}

export async function insertCode(db: Db, { uid, mode, code, signUp, room }: NewCode, nowMs: number): Promise<void> {
  await db
    .insertInto('action_codes')
    .values({
      ...{ code_hash: hashSecret(code), uid, mode, created_at_ms: nowMs, used_at_ms: null, ...columnsOf(signUp) },
      room: room ? `${room.kind} ${room.code}` : null,
    })
    .execute();
}

/** Where the person of this sign-up was on the way to, whichever browser asks for its mail again. */
export async function roomOfSignUp(
  db: Db,
  uid: Uid,
  { passwordHash }: Pick<SignUp, 'passwordHash'>,
): Promise<Destination | undefined> {
  const row = await db
    .selectFrom('action_codes')
    .select('room')
    .where('uid', '=', uid)
    .where('password_hash', '=', passwordHash)
    .where('room', 'is not', null)
    .orderBy('created_at_ms', 'desc')
    .executeTakeFirst();
  const [kind = '', code = ''] = row?.room?.split(' ') ?? [];
  return destination.safeParse({ kind, code }).data;
}

type SignUpColumns = Pick<ActionCodesTable, 'name' | 'password_hash' | 'invitation_hash'>;

const columnsOf = (signUp: SignUp | null): SignUpColumns => ({
  name: signUp?.name ?? null,
  password_hash: signUp?.passwordHash ?? null,
  invitation_hash: signUp?.invitationHash ?? null,
});

function readSignUp({ name, password_hash, invitation_hash }: SignUpColumns): SignUp | null {
  if (name === null || password_hash === null) return null;
  return { name, passwordHash: password_hash, invitationHash: invitation_hash };
}

/** The owner of this unused code, and the sign-up it was mailed for (null: the account's own). */
export async function findCode(
  db: Db,
  mode: CodeMode,
  code: string,
  madeAfterMs: number,
): Promise<{ uid: Uid; signUp: SignUp | null } | null> {
  const row = await db
    .selectFrom('action_codes')
    .select(['uid', 'name', 'password_hash', 'invitation_hash'])
    .where('code_hash', '=', hashSecret(code))
    .where('mode', '=', mode)
    .where('used_at_ms', 'is', null)
    .where('created_at_ms', '>', madeAfterMs)
    .executeTakeFirst();
  return row && row.uid !== noAccount ? { uid: row.uid as Uid, signUp: readSignUp(row) } : null;
}

/** `of` is null for a decoy. */
export async function insertTicket(
  db: Db,
  { ticket, email, of }: { ticket: string; email: string; of: { uid: Uid; signUp: SignUp } | null },
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('sign_up_tickets')
    .values({
      ticket_hash: hashSecret(ticket),
      uid: of?.uid ?? null,
      created_at_ms: nowMs,
      ...columnsOf(of?.signUp ?? null),
      address_hash: mailboxOf(email),
    })
    .execute();
}

/** An operator refused the sign-up of this page: it says so, and stands for no account from now on. */
export async function refuseTicket(db: Db, ticketHash: string): Promise<void> {
  await db
    .updateTable('sign_up_tickets')
    .set({ uid: null, refused: 1 })
    .where('ticket_hash', '=', ticketHash)
    .execute();
}

/** The account and sign-up for which a mail is requested again. */
export interface ResendTarget {
  /** Null for a decoy. */
  uid: Uid | null;
  /** Null: the account's own. */
  signUp: SignUp | null;
  /** Which mails are counted and looked for: those to this hash of the address, because a decoy must not reveal it. */
  mailbox: string;
  /** By an operator. */
  isRefused: boolean;
}

/** Null for an unknown ticket. */
export async function findTicket(db: Db, ticket: string, madeAfterMs: number): Promise<ResendTarget | null> {
  const row = await db
    .selectFrom('sign_up_tickets')
    .select(['uid', 'name', 'password_hash', 'invitation_hash', 'address_hash', 'refused'])
    .where('ticket_hash', '=', hashSecret(ticket))
    .where('created_at_ms', '>', madeAfterMs)
    .executeTakeFirst();
  if (!row) return null;
  const mailbox = row.address_hash ?? hashSecret(ticket);
  return { uid: row.uid as Uid | null, signUp: readSignUp(row), mailbox, isRefused: row.refused === 1 };
}

/** A ticket of this account whose browser is signed in. */
export async function dropTicket(db: Db, ticket: string, uid: Uid): Promise<void> {
  await db.deleteFrom('sign_up_tickets').where('ticket_hash', '=', hashSecret(ticket)).where('uid', '=', uid).execute();
}

/** Deletes the links and tickets of one sign-up, and its place in the operators' list. */
export async function dropSignUp(db: Db, uid: Uid, passwordHash: string): Promise<void> {
  for (const table of ['action_codes', 'sign_up_tickets', 'operator_waits'] as const) {
    await db.deleteFrom(table).where('uid', '=', uid).where('password_hash', '=', passwordHash).execute();
  }
}

/** The sign-up of this account with this password, of its ticket or its link; null where the account has it. */
export async function signUpWithPassword(db: Db, uid: Uid, passwordHash: string | null): Promise<SignUp | null> {
  for (const table of ['sign_up_tickets', 'action_codes'] as const) {
    const row = await db
      .selectFrom(table)
      .select(['name', 'password_hash', 'invitation_hash'])
      .where('uid', '=', uid)
      .where('password_hash', '=', passwordHash)
      .limit(1)
      .executeTakeFirst();
    if (row) return readSignUp(row);
  }
  return null;
}

/** The latest sign-up with a link that still works. */
export async function latestSignUp(db: Db, uid: Uid, madeAfterMs: number): Promise<SignUp | null> {
  const row = await db
    .selectFrom('action_codes')
    .select(['name', 'password_hash', 'invitation_hash'])
    .where('uid', '=', uid)
    .where('mode', '=', 'verifyEmail')
    .where('used_at_ms', 'is', null)
    .where('created_at_ms', '>', madeAfterMs)
    .orderBy('created_at_ms', 'desc')
    .executeTakeFirst();
  return row ? readSignUp(row) : null;
}

/**
 * After a sign-up is verified the tickets of others send no more mail and sign in no browser, but get the same answer as
 * before; so does `used`, the ticket of the browser that is signed in by it.
 */
export async function decoyOtherTickets(db: Db, uid: Uid, passwordHash: string, used: string | null): Promise<void> {
  await db
    .updateTable('sign_up_tickets')
    .set({ uid: null })
    .where('uid', '=', uid)
    .where((where) =>
      where.or([where('password_hash', '<>', passwordHash), where('ticket_hash', '=', hashSecret(used ?? ''))]),
    )
    .execute();
}

/** Invalidates this user's codes, by default all, and no operator is asked for them any more. */
export async function spendCodesOf(db: Db, uid: Uid, nowMs: number, modes?: readonly CodeMode[]): Promise<void> {
  await spendOnlyCodesOf(db, uid, nowMs, modes);
  await dropWaitsOf(db, uid);
}

/** Links that verify the address can still say that it is verified. */
export async function spendOnlyCodesOf(
  db: Db,
  uid: Uid,
  nowMs: number,
  modes: readonly CodeMode[] = [...linkModes, 'rejectSignUp'],
): Promise<void> {
  await db
    .updateTable('action_codes')
    .set({
      ...spent(nowMs),
      // Of a link that did nothing it is forgotten when: its page says that it does not work.
      used_at_ms: sql<number>`case when mode = 'verifyEmail' then cast(${nowMs} as bigint) else 0 end`,
    })
    .where('uid', '=', uid)
    .where('used_at_ms', 'is', null)
    .where('mode', 'in', modes)
    .execute();
}

/** No operator is asked for this user any more. */
async function dropWaitsOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('operator_waits').where('uid', '=', uid).execute();
}

/** Deletes all that is known of this user's links. */
export async function dropCodesOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('action_codes').where('uid', '=', uid).execute();
  await dropWaitsOf(db, uid);
}

export async function dropTicketsOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('sign_up_tickets').where('uid', '=', uid).execute();
}

export async function forgetCodes(db: Db, madeBeforeMs: number): Promise<void> {
  await db
    .deleteFrom('action_codes')
    .where('created_at_ms', '<=', madeBeforeMs)
    .where((code) => code.or([code('used_at_ms', 'is', null), code('used_at_ms', '<=', madeBeforeMs)]))
    .execute();
  for (const table of ['sign_up_tickets', 'operator_waits'] as const) {
    await db.deleteFrom(table).where('created_at_ms', '<=', madeBeforeMs).execute();
  }
}
