/**
 * Rows of users, and the person's own document as the protocol has it.
 */
import type { Uid, UserDocument } from '@tunemate/protocol';
import { type Kysely, type NotNull, type Selectable, sql } from 'kysely';
import type { UsersTable } from '../storage/account-tables.ts';
import { padded } from '../storage/queries.ts';
import type { Schema } from '../storage/schema.ts';
import { canonicalAddress } from './sign-up/email-address.ts';

export interface Account {
  uid: Uid;
  name: string;
  email: string;
  isVerified: boolean;
  /** The operator lets nobody sign in to it. */
  isDisabled: boolean;
  passwordHash: string;
}

/** An account as the operator sees it. */
export interface KnownAccount extends Account {
  createdAtMs: number;
}

/** Adds an account whose address is not verified yet. */
export async function insertUser(
  db: Kysely<Schema>,
  account: Omit<Account, 'isVerified' | 'isDisabled'>,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('users')
    .values({
      uid: account.uid,
      name: account.name,
      email: account.email,
      email_verified: 0,
      password_hash: account.passwordHash,
      created_at_ms: nowMs,
      // A new account counts as online; presence takes over with the first connection.
      online: 1,
      presence_changed_at_ms: nowMs,
      soulmate: null,
      deleted_at_ms: null,
    })
    .execute();
}

async function accountWhere(db: Kysely<Schema>, column: 'uid' | 'email', value: string): Promise<Account | null> {
  const row = await db
    .selectFrom('users')
    .select(accountColumns)
    .where(column, '=', value)
    .where('deleted_at_ms', 'is', null)
    .$narrowType<Living>()
    .executeTakeFirst();
  return row ? toAccount(row) : null;
}

const accountColumns = ['uid', 'name', 'email', 'email_verified', 'disabled_at_ms', 'password_hash'] as const;

/** Only a deleted account has no address. */
interface Living {
  email: NotNull;
}
type LivingRow = Omit<Selectable<UsersTable>, 'email'> & { email: string };

function toAccount(row: Pick<LivingRow, (typeof accountColumns)[number]>): Account {
  return {
    uid: row.uid as Uid,
    name: row.name,
    email: row.email,
    isVerified: row.email_verified === 1,
    isDisabled: row.disabled_at_ms !== null,
    passwordHash: row.password_hash,
  };
}

/** Accounts with this uid, or with this text in name or address, the newest first. */
export async function findAccounts(db: Kysely<Schema>, text: string, most: number): Promise<KnownAccount[]> {
  const part = `%${text.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const rows = await db
    .selectFrom('users')
    .select([...accountColumns, 'created_at_ms'])
    .where('deleted_at_ms', 'is', null)
    .where((either) =>
      either.or([
        either('uid', '=', text),
        sql<boolean>`lower(name) like ${part} escape '\\'`,
        sql<boolean>`email like ${part} escape '\\'`,
      ]),
    )
    // Nobody hides among newer accounts that carry their uid or address in a name.
    .orderBy(sql`case when uid = ${text} or email = ${text.toLowerCase()} then 0 else 1 end`)
    .orderBy('created_at_ms', 'desc')
    .limit(most)
    .$narrowType<Living>()
    .execute();
  return rows.map((row) => ({ ...toAccount(row), createdAtMs: row.created_at_ms }));
}

/** Null enables the account again. */
export async function setDisabled(db: Kysely<Schema>, uid: Uid, sinceMs: number | null): Promise<void> {
  await db.updateTable('users').set({ disabled_at_ms: sinceMs }).where('uid', '=', uid).execute();
}

/** Null when there is none (any more). */
export const accountByEmail = (db: Kysely<Schema>, email: string) => accountWhere(db, 'email', email);

/** By an address in any of its forms. One that was stored under earlier rules is found as it was typed then. */
export async function accountByTyped(db: Kysely<Schema>, typed: string): Promise<Account | null> {
  const canonical = canonicalAddress(typed);
  const asStored = await accountByEmail(db, typed);
  return asStored ?? (canonical === null || canonical === typed ? null : await accountByEmail(db, canonical));
}

export const accountByUid = (db: Kysely<Schema>, uid: Uid) => accountWhere(db, 'uid', uid);

/** Verifies the account and gives it the name and password of this sign-up. */
export async function applySignUp(
  db: Kysely<Schema>,
  uid: Uid,
  { name, passwordHash }: { name: string; passwordHash: string },
): Promise<void> {
  const set = { name, password_hash: passwordHash, email_verified: 1 };
  await db.updateTable('users').set(set).where('uid', '=', uid).execute();
}

export async function markVerified(db: Kysely<Schema>, uid: Uid): Promise<void> {
  await db.updateTable('users').set({ email_verified: 1 }).where('uid', '=', uid).execute();
}

/** False, changing nothing, when the password is no longer `was`. */
export async function setPasswordHash(db: Kysely<Schema>, uid: Uid, hash: string, was?: string): Promise<boolean> {
  let query = db.updateTable('users').set({ password_hash: hash }).where('uid', '=', uid);
  query = query.where('deleted_at_ms', 'is', null);
  if (was !== undefined) query = query.where('password_hash', '=', was);
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows === 1n;
}

export async function updateProfile(
  db: Kysely<Schema>,
  uid: Uid,
  changes: { name?: string | undefined; readReceipts?: boolean | undefined },
): Promise<void> {
  const { name, readReceipts } = changes;
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(readReceipts === undefined ? {} : { read_receipts: readReceipts ? 1 : 0 }),
  };
  if (Object.keys(set).length === 0) return;
  await db.updateTable('users').set(set).where('uid', '=', uid).where('deleted_at_ms', 'is', null).execute();
}

/**
 * Deletes the person's data; the row stays, without a name, for the conversations of others. The soulmate link stays
 * until the other side has been notified.
 */
export async function markDeleted(db: Kysely<Schema>, uid: Uid, nowMs: number): Promise<void> {
  const cleared = { name: '', email: null, email_verified: 0, password_hash: '', online: 0, must_clear: 1 };
  await db
    .updateTable('users')
    .set({ ...cleared, deleted_at_ms: nowMs, presence_changed_at_ms: nowMs, shown_changed_at_ms: nowMs })
    .where('uid', '=', uid)
    .execute();
}

/** Notes that nothing of the account is left elsewhere. */
export async function markCleared(db: Kysely<Schema>, uid: Uid): Promise<void> {
  await db.updateTable('users').set({ must_clear: 0, soulmate: null }).where('uid', '=', uid).execute();
}

/** Accounts that were deleted before this time and of which something may be left elsewhere. */
export async function deletedBefore(db: Kysely<Schema>, atMs: number): Promise<Uid[]> {
  const rows = await db
    .selectFrom('users')
    .select('uid')
    .where('must_clear', '=', 1)
    .where('deleted_at_ms', '<', atMs)
    .execute();
  return rows.map((row) => row.uid as Uid);
}

/** Accounts made before this time and never verified, of which no link can still be opened. */
export async function unverifiedBefore(
  db: Kysely<Schema>,
  atMs: number,
  most: number,
): Promise<{ uid: Uid; email: string }[]> {
  const rows = await db
    .selectFrom('users')
    .select(['uid', 'email'])
    .where('email_verified', '=', 0)
    .where('deleted_at_ms', 'is', null)
    .where('created_at_ms', '<', atMs)
    .where('uid', 'not in', (codes) => codes.selectFrom('action_codes').select('uid'))
    .limit(most)
    .$narrowType<Living>()
    .execute();
  return rows.map(({ uid, email }) => ({ uid: uid as Uid, email }));
}

/** False, deleting nothing, when the account has been verified. */
export async function deleteUnverified(db: Kysely<Schema>, uid: Uid): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('users')
    .where('uid', '=', uid)
    .where('email_verified', '=', 0)
    .where('deleted_at_ms', 'is', null)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Both lists of this person, oldest first. */
async function listsOf(db: Kysely<Schema>, uid: Uid): Promise<Pick<UserDocument, 'tunemates' | 'audioConnections'>> {
  const rows = await db
    .selectFrom('tunemates')
    .select(['mate', 'position', sql<string>`'video'`.as('kind')])
    .where('uid', '=', uid)
    .unionAll(
      db
        .selectFrom('audio_connections')
        .select(['mate', 'position', sql<string>`'audio'`.as('kind')])
        .where('uid', '=', uid),
    )
    .orderBy('position')
    .execute();
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.mate as Uid);
  return { tunemates: of('video'), audioConnections: of('audio') };
}

/** users/{uid}. Null for someone deleted. */
export async function ownDocument(db: Kysely<Schema>, uid: Uid): Promise<UserDocument | null> {
  const own = (await ownAccounts(db, [uid])).get(uid);
  return own ? { ...own, ...(await listsOf(db, uid)) } : null;
}

type OwnAccount = Omit<UserDocument, 'tunemates' | 'audioConnections'>;

/** The same of several people, without their lists; those deleted are absent. */
async function ownAccounts(db: Kysely<Schema>, uids: readonly Uid[]): Promise<Map<Uid, OwnAccount>> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('uid', 'in', padded(uids))
    .where('deleted_at_ms', 'is', null)
    .$narrowType<Living>()
    .execute();
  return new Map(rows.map((row) => [row.uid as Uid, ownAccount(row)]));
}

/** Whose these sessions are, by their ids, of those that were made and seen late enough. */
export async function accountsOfSessions(
  db: Kysely<Schema>,
  sessionIds: readonly string[],
  madeAfterMs: number,
  seenAfterMs: number,
): Promise<Map<string, OwnAccount>> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.uid', 'sessions.uid')
    .selectAll('users')
    .select('session_id')
    .where('session_id', 'in', padded(sessionIds))
    .where('sessions.created_at_ms', '>', madeAfterMs)
    .where('last_seen_at_ms', '>', seenAfterMs)
    .where('deleted_at_ms', 'is', null)
    .$narrowType<Living>()
    .execute();
  return new Map(rows.map((row) => [row.session_id, ownAccount(row)]));
}

function ownAccount(row: LivingRow): OwnAccount {
  const { name, email, created_at_ms: createdAt } = row;
  return {
    uid: row.uid as Uid,
    name,
    email,
    emailVerified: row.email_verified === 1,
    online: row.online === 1,
    createdAt,
    soulmate: row.soulmate as Uid | null,
    readReceipts: row.read_receipts === 1,
  };
}
