/**
 * One-time codes of e-mail links, and the tickets with which a sign-up page requests its mail again. Stored as hashes.
 */
import type { Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { ActionCodesTable } from '../../storage/account-tables.ts';
import type { Schema } from '../../storage/schema.ts';
import { hashSecret } from '../sign-in/sessions.ts';

export type CodeMode = ActionCodesTable['mode'];
/** Owner of the codes for addresses without an account: the same work is done for them, but no mail is sent. */
export const noAccount = 'nobody' as Uid;

/** The name and password chosen at a sign-up. The salted hash also distinguishes two sign-ups. */
export interface SignUp {
  name: string;
  passwordHash: string;
}

/** A new reset link replaces the older ones of the same user. */
export async function replaceResetCode(db: Kysely<Schema>, uid: Uid, code: string, nowMs: number): Promise<void> {
  await db.deleteFrom('action_codes').where('uid', '=', uid).where('mode', '=', 'resetPassword').execute();
  await insertCode(db, { uid, mode: 'resetPassword', code, signUp: null }, nowMs);
}

/** Invalidates the links of this sign-up, but not those of other sign-ups with the same address. */
export async function dropVerifications(db: Kysely<Schema>, uid: Uid, { passwordHash }: SignUp): Promise<void> {
  await db
    .deleteFrom('action_codes')
    .where('uid', '=', uid)
    .where('mode', '=', 'verifyEmail')
    .where('password_hash', '=', passwordHash)
    .execute();
}

export async function insertCode(
  db: Kysely<Schema>,
  { uid, mode, code, signUp }: { uid: Uid; mode: CodeMode; code: string; signUp: SignUp | null },
  nowMs: number,
): Promise<void> {
  const ofSignUp = { name: signUp?.name ?? null, password_hash: signUp?.passwordHash ?? null };
  await db
    .insertInto('action_codes')
    .values({ code_hash: hashSecret(code), uid, mode, created_at_ms: nowMs, used_at_ms: null, ...ofSignUp })
    .execute();
}

function readSignUp({ name, password_hash }: { name: string | null; password_hash: string | null }): SignUp | null {
  return name === null || password_hash === null ? null : { name, passwordHash: password_hash };
}

/** The owner of this unused code, and the sign-up it was mailed for (null: the account's own). */
export async function findCode(
  db: Kysely<Schema>,
  mode: CodeMode,
  code: string,
  madeAfterMs: number,
): Promise<{ uid: Uid; signUp: SignUp | null } | null> {
  const row = await db
    .selectFrom('action_codes')
    .select(['uid', 'name', 'password_hash'])
    .where('code_hash', '=', hashSecret(code))
    .where('mode', '=', mode)
    .where('used_at_ms', 'is', null)
    .where('created_at_ms', '>', madeAfterMs)
    .executeTakeFirst();
  return row && row.uid !== noAccount ? { uid: row.uid as Uid, signUp: readSignUp(row) } : null;
}

/** The key of the limit on mails to this address. Hashed, so that a decoy does not reveal the address. */
export const mailsKey = (email: string): string => hashSecret(email);

/** `of` is null for a decoy. */
export async function insertTicket(
  db: Kysely<Schema>,
  { ticket, email, of }: { ticket: string; email: string; of: { uid: Uid; signUp: SignUp } | null },
  nowMs: number,
): Promise<void> {
  const ofSignUp = { name: of?.signUp.name ?? null, password_hash: of?.signUp.passwordHash ?? null };
  await db
    .insertInto('sign_up_tickets')
    .values({
      ticket_hash: hashSecret(ticket),
      uid: of?.uid ?? null,
      created_at_ms: nowMs,
      ...ofSignUp,
      address_hash: mailsKey(email),
    })
    .execute();
}

/** The account and sign-up for which a mail is requested again. */
export interface ResendTarget {
  /** Null for a decoy. */
  uid: Uid | null;
  /** Null: the account's own. */
  signUp: SignUp | null;
  /** The key of the limit on mails. */
  countedBy: string;
}

/** Null for an unknown ticket. */
export async function findTicket(
  db: Kysely<Schema>,
  ticket: string,
  madeAfterMs: number,
): Promise<ResendTarget | null> {
  const row = await db
    .selectFrom('sign_up_tickets')
    .select(['uid', 'name', 'password_hash', 'address_hash'])
    .where('ticket_hash', '=', hashSecret(ticket))
    .where('created_at_ms', '>', madeAfterMs)
    .executeTakeFirst();
  if (!row) return null;
  return { uid: row.uid as Uid | null, signUp: readSignUp(row), countedBy: row.address_hash ?? hashSecret(ticket) };
}

/** After another sign-up is verified these tickets send no more mail, but get the same answer as before. */
export async function decoyOtherTickets(db: Kysely<Schema>, uid: Uid, passwordHash: string): Promise<void> {
  await db
    .updateTable('sign_up_tickets')
    .set({ uid: null })
    .where('uid', '=', uid)
    .where('password_hash', '<>', passwordHash)
    .execute();
}

/** Invalidates every mailed link of this user, the one just used too. */
export async function dropCodesOf(db: Kysely<Schema>, uid: Uid): Promise<void> {
  await db.deleteFrom('action_codes').where('uid', '=', uid).execute();
}

export async function dropTicketsOf(db: Kysely<Schema>, uid: Uid): Promise<void> {
  await db.deleteFrom('sign_up_tickets').where('uid', '=', uid).execute();
}

export async function forgetCodes(db: Kysely<Schema>, madeBeforeMs: number): Promise<void> {
  await db.deleteFrom('action_codes').where('created_at_ms', '<=', madeBeforeMs).execute();
  await db.deleteFrom('sign_up_tickets').where('created_at_ms', '<=', madeBeforeMs).execute();
}
