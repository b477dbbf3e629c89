/**
 * Whether sign-up is open, needs an invitation link, or is closed. Only hashes of links are stored. Each sign-up reads
 * the setting again, so that every process follows the latest one.
 */
import { type SignUpMode, signUpModes, type Uid } from '@tunemate/protocol';
import type { Db } from '../../storage/schema.ts';
import { noteSetting, settingOf } from '../../storage/settings.ts';
import { hashSecret } from '../sign-in/sessions.ts';

const settingKey = 'sign-up';
/** Characters of the hash that the operator sees as an invitation's id. */
const shownCharacters = 8;

export async function signUpModeOf(db: Db): Promise<SignUpMode> {
  const value = await settingOf(db, settingKey);
  return signUpModes.find((mode) => mode === value) ?? 'open';
}

export const setSignUpMode = (db: Db, mode: SignUpMode): Promise<void> => noteSetting(db, settingKey, mode);

export interface SignUpInvitation {
  /** Shown to the operator: the beginning of the hash. */
  id: string;
  createdAtMs: number;
  expiresAtMs: number;
  usesLeft: number;
}

export async function insertSignUpInvitation(
  db: Db,
  token: string,
  { createdAtMs, expiresAtMs, usesLeft }: Omit<SignUpInvitation, 'id'>,
): Promise<string> {
  const hash = hashSecret(token);
  await db
    .insertInto('sign_up_invitations')
    .values({ token_hash: hash, created_at_ms: createdAtMs, expires_at_ms: expiresAtMs, uses_left: usesLeft })
    .execute();
  return hash.slice(0, shownCharacters);
}

/** Invitations that still work, newest first. */
export async function signUpInvitations(db: Db, nowMs: number): Promise<SignUpInvitation[]> {
  const rows = await db
    .selectFrom('sign_up_invitations')
    .selectAll()
    .where('expires_at_ms', '>', nowMs)
    .where('uses_left', '>', 0)
    .orderBy('created_at_ms', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.token_hash.slice(0, shownCharacters),
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    usesLeft: row.uses_left,
  }));
}

/** False when no invitation has this id. */
export async function dropSignUpInvitation(db: Db, id: string): Promise<boolean> {
  const rows = await db.selectFrom('sign_up_invitations').select('token_hash').execute();
  const hash = rows.find((row) => row.token_hash.slice(0, shownCharacters) === id)?.token_hash;
  if (hash === undefined) return false;
  await db.deleteFrom('sign_up_invitations').where('token_hash', '=', hash).execute();
  return true;
}

/** Whether the link works, without using it. */
export async function mayUseInvitation(db: Db, token: string, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('sign_up_invitations')
    .select('uses_left')
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirst();
  return (row?.uses_left ?? 0) > 0;
}

/** Records the link that an account was made by. Its place is taken only when the address is verified. */
export async function holdPlace(db: Db, uid: Uid, tokenHash: string): Promise<void> {
  await db.insertInto('sign_up_places').values({ uid, token_hash: tokenHash }).execute();
}

/** The hash of the link that this unverified account was made by; null without one. */
export async function placeOf(db: Db, uid: Uid): Promise<string | null> {
  const row = await db.selectFrom('sign_up_places').select('token_hash').where('uid', '=', uid).executeTakeFirst();
  return row?.token_hash ?? null;
}

/**
 * Takes the place of a sign-up that is about to be verified. False when its link has none left or the operator ended it;
 * a link that has expired since still counts, and a sign-up without one needs none. Of two concurrent verifications one
 * gets the last place.
 */
export async function takePlace(db: Db, uid: Uid, tokenHash: string | null): Promise<boolean> {
  const isTaken = tokenHash === null || (await signUpModeOf(db)) === 'open' || (await useInvitation(db, tokenHash));
  if (isTaken) await forgetPlaceOf(db, uid);
  return isTaken;
}

async function useInvitation(db: Db, tokenHash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sign_up_invitations')
    .set((row) => ({ uses_left: row('uses_left', '-', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('uses_left', '>', 0)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function forgetPlaceOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('sign_up_places').where('uid', '=', uid).execute();
}

export async function forgetInvitationsExpiredBefore(db: Db, beforeMs: number): Promise<void> {
  await db.deleteFrom('sign_up_invitations').where('expires_at_ms', '<', beforeMs).execute();
}
