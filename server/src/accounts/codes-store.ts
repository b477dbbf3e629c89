/**
 * One-time codes of e-mail links, and the tickets that let a sign-up page ask for its mail again. Only hashes.
 */
import type { Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { ActionCodesTable, Schema } from '../storage/schema.ts';
import { hashSecret } from './secret-hash.ts';

export type CodeMode = ActionCodesTable['mode'];
/** Whose code it is when the address has no account: the same work is done, and no mail goes out. */
export const nobody = 'nobody' as Uid;

/** The new code kills all older ones of the same person and mode. */
export async function replaceCode(
  db: Kysely<Schema>,
  uid: Uid,
  mode: CodeMode,
  code: string,
  nowMs: number,
): Promise<void> {
  await db.deleteFrom('action_codes').where('uid', '=', uid).where('mode', '=', mode).execute();
  await db
    .insertInto('action_codes')
    .values({ code_hash: hashSecret(code), uid, mode, created_at_ms: nowMs, used_at_ms: null })
    .execute();
}

/** Whose unused code this is. */
export async function ownerOfCode(
  db: Kysely<Schema>,
  mode: CodeMode,
  code: string,
  madeAfterMs: number,
): Promise<Uid | null> {
  const row = await db
    .selectFrom('action_codes')
    .select('uid')
    .where('code_hash', '=', hashSecret(code))
    .where('mode', '=', mode)
    .where('used_at_ms', 'is', null)
    .where('created_at_ms', '>', madeAfterMs)
    .executeTakeFirst();
  return row && row.uid !== nobody ? (row.uid as Uid) : null;
}

/** Marks the code used; false when somebody was faster. */
export async function consumeCode(db: Kysely<Schema>, code: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('action_codes')
    .set({ used_at_ms: nowMs })
    .where('code_hash', '=', hashSecret(code))
    .where('used_at_ms', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** `uid` is null for a decoy. */
export async function insertTicket(db: Kysely<Schema>, ticket: string, uid: Uid | null, nowMs: number): Promise<void> {
  await db
    .insertInto('sign_up_tickets')
    .values({ ticket_hash: hashSecret(ticket), uid, created_at_ms: nowMs })
    .execute();
}

/** Whose ticket it is ('decoy' for nobody's), or null when there is no such ticket. */
export async function ownerOfTicket(
  db: Kysely<Schema>,
  ticket: string,
  madeAfterMs: number,
): Promise<Uid | 'decoy' | null> {
  const row = await db
    .selectFrom('sign_up_tickets')
    .select('uid')
    .where('ticket_hash', '=', hashSecret(ticket))
    .where('created_at_ms', '>', madeAfterMs)
    .executeTakeFirst();
  if (!row) return null;
  return row.uid === null ? 'decoy' : (row.uid as Uid);
}

/** Every link that was mailed to this person stops working. */
export async function dropCodesOf(db: Kysely<Schema>, uid: Uid): Promise<void> {
  await db.deleteFrom('action_codes').where('uid', '=', uid).execute();
}

export async function dropTicketsOf(db: Kysely<Schema>, uid: Uid): Promise<void> {
  await db.deleteFrom('sign_up_tickets').where('uid', '=', uid).execute();
}

/** Everything too old to be used. */
export async function forgetCodes(db: Kysely<Schema>, madeBeforeMs: number): Promise<void> {
  await db.deleteFrom('action_codes').where('created_at_ms', '<=', madeBeforeMs).execute();
  await db.deleteFrom('sign_up_tickets').where('created_at_ms', '<=', madeBeforeMs).execute();
}
