/**
 * Rows of users, the form of their e-mail addresses, and a user's own document as the protocol sends it.
 */
import { domainToASCII } from 'node:url';
import { limits, readAddress, type RoutePayload, type Uid, type UserDocument } from '@tunemate/protocol';
import { type NotNull, type Selectable, sql } from 'kysely';
import type { UsersTable } from '../storage/tables/account-tables.ts';
import { inPages, type Listed, pageSize, type Part } from '../storage/pages.ts';
import { builtForEach, countOf, padded } from '../storage/queries.ts';
import type { Db } from '../storage/schema.ts';
import { folded, foundBy } from '@tunemate/domain';

export interface Account {
  uid: Uid;
  name: string;
  email: string;
  isVerified: boolean;
  /** By the operator: all sign-ins are refused. */
  isDisabled: boolean;
  passwordHash: string;
}

/** An account as the operator sees it. */
export interface KnownAccount extends Account {
  createdAtMs: number;
}

/** Adds an account whose address is not verified yet. */
export async function insertUser(
  db: Db,
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

async function accountWhere(db: Db, column: 'uid' | 'email', value: string): Promise<Account | null> {
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

/**
 * Accounts with this uid, or with this text in name or address, the newest first; a name is found by plain letters too,
 * as `bjork` finds Björk.
 */
export async function findAccounts(db: Db, text: string, { from, most }: Part): Promise<Listed<KnownAccount>> {
  const named = await uidsNamed(db, text, mostNamed);
  const address = addressKey(text);
  const part = `%${text.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const found = db
    .selectFrom('users')
    .where('deleted_at_ms', 'is', null)
    .where((either) =>
      either.or([
        either('uid', '=', text),
        sql<boolean>`lower(name) like ${part} escape '\\'`,
        ...(named.length > 0 ? [either('uid', 'in', padded(named))] : []),
        sql<boolean>`email like ${part} escape '\\'`,
        either('email', '=', address),
      ]),
    );
  const total = await countOf(found);
  const rows = await found
    .select([...accountColumns, 'created_at_ms'])
    // Exact matches first: newer accounts can have another account's uid or address as their name.
    .orderBy(sql`case when uid = ${text} or email = ${text.toLowerCase()} or email = ${address} then 0 else 1 end`)
    .orderBy('created_at_ms', 'desc')
    .orderBy('uid')
    .limit(most)
    .offset(from)
    .$narrowType<Living>()
    .execute();
  return { rows: rows.map((row) => ({ ...toAccount(row), createdAtMs: row.created_at_ms })), total };
}

/** Databases limit the parameters of one statement. */
const mostNamed = 10_000;

/** Accounts whose name contains every word of the text in plain letters. No database folds letters as people do. */
async function uidsNamed(db: Db, text: string, most: number): Promise<Uid[]> {
  const found: Uid[] = [];
  if (folded(text) === '') return found;
  const isFound = foundBy(text);
  const read = (last: { uid: string; name: string | null } | null) =>
    db
      .selectFrom('users')
      .select(['uid', 'name'])
      .where('deleted_at_ms', 'is', null)
      .where('uid', '>', last?.uid ?? '')
      .orderBy('uid')
      .limit(pageSize)
      .execute();
  for await (const { uid, name } of inPages(read)) {
    if (isFound(name ?? '')) found.push(uid as Uid);
    if (found.length === most) break;
  }
  return found;
}

/** Null enables the account again. */
export async function setDisabled(db: Db, uid: Uid, sinceMs: number | null): Promise<void> {
  await db.updateTable('users').set({ disabled_at_ms: sinceMs }).where('uid', '=', uid).execute();
}

export const accountByEmail = (db: Db, email: string) => accountWhere(db, 'email', email);

/** By an address in any of its forms. An address stored under earlier rules is found in the form typed then. */
export async function accountByTyped(db: Db, typed: string): Promise<Account | null> {
  const canonical = canonicalAddress(typed);
  const asStored = await accountByEmail(db, typed);
  return asStored ?? (canonical === null || canonical === typed ? null : await accountByEmail(db, canonical));
}

export const accountByUid = (db: Db, uid: Uid) => accountWhere(db, 'uid', uid);

/** Verifies the account and sets the name and password of this sign-up. */
export async function applySignUp(
  db: Db,
  uid: Uid,
  { name, passwordHash }: { name: string; passwordHash: string },
): Promise<void> {
  const set = { name, password_hash: passwordHash, email_verified: 1 };
  await db.updateTable('users').set(set).where('uid', '=', uid).execute();
}

/** An unverified account gets the name and password of another sign-up with its address. */
export async function changeSignUp(
  db: Db,
  uid: Uid,
  { name, passwordHash }: { name: string; passwordHash: string },
): Promise<void> {
  await db.updateTable('users').set({ name, password_hash: passwordHash }).where('uid', '=', uid).execute();
}

export async function markVerified(db: Db, uid: Uid): Promise<void> {
  await db.updateTable('users').set({ email_verified: 1 }).where('uid', '=', uid).execute();
}

/** An operator took the address as verified. */
export async function noteLetIn(db: Db, uid: Uid, nowMs: number): Promise<void> {
  await db.updateTable('users').set({ let_in_at_ms: nowMs }).where('uid', '=', uid).execute();
}

/** When an operator took the address as verified; null where a mail verified it. */
export async function letInAtMs(db: Db, uid: Uid): Promise<number | null> {
  const row = await db.selectFrom('users').select('let_in_at_ms').where('uid', '=', uid).executeTakeFirst();
  return row?.let_in_at_ms ?? null;
}

/** False, changing nothing, when the password is no longer `was`. */
export async function setPasswordHash(db: Db, uid: Uid, hash: string, was?: string): Promise<boolean> {
  let query = db.updateTable('users').set({ password_hash: hash }).where('uid', '=', uid);
  query = query.where('deleted_at_ms', 'is', null);
  if (was !== undefined) query = query.where('password_hash', '=', was);
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows === 1n;
}

export async function updateProfile(db: Db, uid: Uid, changes: RoutePayload<'PATCH /api/accounts/me'>): Promise<void> {
  const { name, readReceipts, linkPreviews } = changes;
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(readReceipts === undefined ? {} : { read_receipts: readReceipts ? 1 : 0 }),
    ...(linkPreviews === undefined ? {} : { link_previews: linkPreviews ? 1 : 0 }),
  };
  if (Object.keys(set).length === 0) return;
  await db.updateTable('users').set(set).where('uid', '=', uid).where('deleted_at_ms', 'is', null).execute();
}

/**
 * Clears the user's data; the row stays, without a name, for the conversations of others. The soulmate link stays until
 * the other side has been notified.
 */
export async function markDeleted(db: Db, uid: Uid, nowMs: number): Promise<void> {
  const cleared = {
    name: '',
    email: null,
    email_verified: 0,
    password_hash: '',
    online: 0,
    must_clear: 1,
    operator_since_ms: null,
  };
  await db
    .updateTable('users')
    .set({ ...cleared, deleted_at_ms: nowMs, presence_changed_at_ms: nowMs, shown_changed_at_ms: nowMs })
    .where('uid', '=', uid)
    .execute();
}

/** Records that no data of the account is left elsewhere. */
export async function markCleared(db: Db, uid: Uid): Promise<void> {
  await db.updateTable('users').set({ must_clear: 0, soulmate: null }).where('uid', '=', uid).execute();
}

/** Accounts deleted before this time whose data may not be cleared everywhere. */
export async function deletedBefore(db: Db, atMs: number): Promise<Uid[]> {
  const rows = await db
    .selectFrom('users')
    .select('uid')
    .where('must_clear', '=', sql.lit(1))
    .where('deleted_at_ms', '<', atMs)
    .execute();
  return rows.map((row) => row.uid as Uid);
}

/** Accounts made before this time, never verified and without a link that still works. */
export async function unverifiedBefore(db: Db, atMs: number, most: number): Promise<{ uid: Uid; email: string }[]> {
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
export async function deleteUnverified(db: Db, uid: Uid): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('users')
    .where('uid', '=', uid)
    .where('email_verified', '=', 0)
    .where('deleted_at_ms', 'is', null)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Oldest first. */
async function listsOf(db: Db, uid: Uid): Promise<Pick<UserDocument, 'tunemates' | 'audioConnections'>> {
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

/** users/{uid}. Null for a deleted account. */
export async function ownDocument(db: Db, uid: Uid): Promise<UserDocument | null> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('uid', '=', uid)
    .where('deleted_at_ms', 'is', null)
    .$narrowType<Living>()
    .executeTakeFirst();
  return row ? { ...ownAccount(row), ...(await listsOf(db, uid)) } : null;
}

type OwnAccount = Omit<UserDocument, 'tunemates' | 'audioConnections'>;

/** The accounts of these sessions, by session id. Sessions made or last seen before the given times are absent. */
export async function accountsOfSessions(
  db: Db,
  sessionIds: readonly string[],
  madeAfterMs: number,
  seenAfterMs: number,
): Promise<Map<string, OwnAccount>> {
  const rows = await accountsOf(db, sessionIds, madeAfterMs, seenAfterMs);
  return new Map(rows.map((row) => [row.session_id, ownAccount(row)]));
}

const accountsOf = builtForEach((db, sessionIds: readonly string[], madeAfterMs: number, seenAfterMs: number) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.uid', 'sessions.uid')
    .selectAll('users')
    .select('session_id')
    .where('session_id', 'in', sessionIds)
    .where('sessions.created_at_ms', '>', madeAfterMs)
    .where('last_seen_at_ms', '>', seenAfterMs)
    .where('deleted_at_ms', 'is', null)
    .$narrowType<Living>(),
);

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
    linkPreviews: row.link_previews === 1,
    ...(row.hearing_shown_to !== null && { hearingShownTo: row.hearing_shown_to }),
    ...(row.operator_since_ms !== null && { isOperator: true as const }),
  };
}

const asciiLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The one form an e-mail address is stored, compared and counted in: as the protocol reads it, with its domain in the
 * ASCII form that mail servers use. Two addresses that reach the same mailbox by these rules are one account. Null when
 * no mail could be sent to it.
 */
export function canonicalAddress(typed: string): string | null {
  const address = readAddress(typed);
  if (address === null) return null;
  const at = address.indexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  const labels = domain.split('.');
  const isName = labels.length > 1 && labels.every((label) => asciiLabel.test(label)) && !/\.\d+$/.test(domain);
  const canonical = `${address.slice(0, at)}@${domain}`;
  return isName && canonical.length <= limits.emailLength ? canonical : null;
}

/** The key of limits per address: the same for every form of it, known or not. */
export const addressKey = (typed: string): string => canonicalAddress(typed) ?? typed;
