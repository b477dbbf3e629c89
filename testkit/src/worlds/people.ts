/**
 * People and their sessions, written directly into a database: for tests that are not about signing up.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { TabId, Uid } from '@tunemate/protocol';
import { hashSecret } from '../../../server/src/accounts/sign-in/sessions.ts';
import { randomIds } from '../../../server/src/system/machine.ts';
import type { Caller } from '../../../server/src/access/caller.ts';
import type { Db } from '../../../server/src/storage/schema.ts';

const ids = randomIds();

/** Someone with an account and a session. */
export interface Person {
  readonly uid: Uid;
  readonly name: string;
  readonly sessionId: string;
  /** As a browser sends it. */
  readonly cookie: string;
}

export interface NewPerson {
  name: string;
  nowMs: number;
  uid?: Uid;
  isVerified?: boolean;
}

/** Accounts without a password that a person could know. */
export async function insertUsers(db: Db, people: readonly NewPerson[]): Promise<Uid[]> {
  const users = people.map(({ name, nowMs, uid = ids.newId() as Uid, isVerified = true }) => {
    const account = { uid, name, email: `${uid.toLowerCase()}@example.test`, email_verified: isVerified ? 1 : 0 };
    return { ...account, password_hash: '', created_at_ms: nowMs, soulmate: null, deleted_at_ms: null };
  });
  await db.insertInto('users').values(users).execute();
  return users.map(({ uid }) => uid);
}

/** One such account. */
export async function insertUser(db: Db, person: NewPerson): Promise<Uid> {
  const [uid] = await insertUsers(db, [person]);
  return uid as Uid;
}

export async function insertSession(db: Db, uid: Uid, nowMs: number): Promise<Pick<Person, 'sessionId' | 'cookie'>> {
  const token = randomBytes(32).toString('base64url');
  const sessionId = ids.newId();
  const times = { created_at_ms: nowMs, last_seen_at_ms: nowMs };
  await db
    .insertInto('sessions')
    .values({ token_hash: hashSecret(token), session_id: sessionId, uid, device: 'a test', ...times })
    .execute();
  return { sessionId, cookie: `sid=${token}` };
}

/** An account with a session. */
export async function insertPerson(db: Db, person: NewPerson): Promise<Person> {
  const uid = await insertUser(db, person);
  return { uid, name: person.name, ...(await insertSession(db, uid, person.nowMs)) };
}

/** What a request of this person carries besides its payload. */
export function callerOf(uid: Uid): Caller {
  const tabId = randomUUID() as TabId;
  return { uid, sessionId: `session-${uid}`, connectionId: `connection-${uid}`, tabId, address: '127.0.0.1' };
}
