/**
 * People as others may see them, read in the caller's transaction: name and presence, never the address.
 * Deleted and unverified accounts are left out.
 */
import { putLatest } from '@tunemate/domain';
import { ownNames, type PresenceRecord, type Uid } from '@tunemate/protocol';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { UsersTable } from './tables/account-tables.ts';
import { isThere, lookedUp, padded } from './queries.ts';
import type { Db } from './schema.ts';

export interface Person {
  uid: Uid;
  name: string;
  presence: PresenceRecord;
}

/** Those of `uids` who exist, and whether one of them shows what they hear. One statement. */
export async function cardsOf(db: Db, uids: readonly Uid[]): Promise<{ cards: Map<Uid, Person>; isOneHeard: boolean }> {
  if (uids.length === 0) return { cards: new Map(), isOneHeard: false };
  const rows = await livingAmong(db, uids).select('hearing_shown_to').execute();
  const isOneHeard = rows.some(({ hearing_shown_to: to }) => to === 'soulmate' || to === 'tunemates');
  return { cards: new Map(rows.map((row) => [row.uid as Uid, toPerson(row)])), isOneHeard };
}

const livingAmong = (db: Db, uids: readonly Uid[]) =>
  db
    .selectFrom('users')
    .select(personColumns)
    .where('users.uid', 'in', padded(uids))
    .where('deleted_at_ms', 'is', null)
    .where('email_verified', '=', 1);

const [, deletedName] = ownNames;

/** The name to show, also of a deleted account where it is still mentioned: its row has an empty one. */
export const shownName = (name: string | null | undefined): string => name || deletedName;

/** Those of `uids` that exist; the others are absent. */
export async function peopleOf(db: Db, uids: readonly Uid[]): Promise<Map<Uid, Person>> {
  if (uids.length === 0) return new Map();
  const rows = await livingAmong(db, uids).execute();
  return new Map(rows.map((row) => [row.uid as Uid, toPerson(row)]));
}

/** Those of `uids` whose accounts were deleted, as their chats show them: offline since then. */
export async function deletedPeopleOf(db: Db, uids: readonly Uid[]): Promise<Map<Uid, Person>> {
  if (uids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(personColumns)
    .where('users.uid', 'in', padded(uids))
    .where('deleted_at_ms', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.uid as Uid, toPerson({ ...row, name: shownName(row.name) })]));
}

/** What is read of `users` for `toPerson`. */
export const personColumns = ['users.uid', 'name', 'online', 'presence_changed_at_ms'] as const;

type PersonRow = Pick<Selectable<UsersTable>, 'uid' | 'name' | 'online' | 'presence_changed_at_ms'>;

export function toPerson({ uid, name, online, presence_changed_at_ms: changedAtMs }: PersonRow): Person {
  const state = online === 1 ? 'online' : 'offline';
  return { uid: uid as Uid, name, presence: { uid: uid as Uid, state, last_changed: changedAtMs } };
}

export async function personOf(db: Db, uid: Uid): Promise<Person | null> {
  return (await peopleOf(db, [uid])).get(uid) ?? null;
}

/** Of two columns: the person of the first has that of the second on a list. */
export const lists = (of: string, mate: string): RawBuilder<boolean> => sql<boolean>`(
  ${lookedUp(sql`select 1 from tunemates as mate where mate.uid = ${sql.ref(of)} and mate.mate = ${sql.ref(mate)}`)}
  or ${lookedUp(sql`select 1 from audio_connections as mate where mate.uid = ${sql.ref(of)} and mate.mate = ${sql.ref(mate)}`)})`;

/** Whether a room may have this host: not once the account is deleted or disabled. */
export async function mayHost(db: Db, uid: Uid): Promise<boolean> {
  const living = db.selectFrom('users').select('uid').where('uid', '=', uid).where('deleted_at_ms', 'is', null);
  return await isThere(living.where('disabled_at_ms', 'is', null).where('email_verified', '=', 1));
}

const mostRemembered = 50_000;

/**
 * Answers true for every uid that exists or existed, deleted accounts included: only these have streams. The row of an
 * account that was verified once is never deleted, so it is looked up once.
 */
export function knownPeople(db: Db): (uid: Uid) => Promise<boolean> {
  const verified = new Map<Uid, true>();
  return async (uid) => {
    if (verified.has(uid)) return true;
    const row = await db.selectFrom('users').select('email_verified').where('uid', '=', uid).executeTakeFirst();
    if (row?.email_verified === 1) putLatest(verified, uid, true, mostRemembered);
    return row !== undefined;
  };
}
