/**
 * Sessions: created at sign-in, found by their cookie, ended by the user, by a change of password, by age or by number.
 * Each end is appended to the user's stream, so that every process closes the sockets of that session. Also which
 * accounts a browser signed in to before, which outlasts its session.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type SessionRow, type Uid, userStream } from '@tunemate/protocol';
import { type Session, sessionLifetimeMs, type UserSession } from '../../access/session.ts';
import type { SessionsTable } from '../../storage/tables/account-tables.ts';
import { builtForEach, chunked, padded } from '../../storage/queries.ts';
import type { StreamRecord, Writing } from '../../storage/record.ts';
import type { Db } from '../../storage/schema.ts';
import { sharedKey } from '../../storage/settings.ts';
import { gather } from '../../system/gather.ts';
import type { Clock, Ids, Log } from '../../system/ports.ts';
import { type Account, accountsOfSessions } from '../users-store.ts';

/** How long a session lasts that is not used (ACCT-14). */
const idleMs = 7 * 24 * 60 * 60 * 1000;
const perPerson = 10;
/**
 * The time of last use is stored at most this often; while a page stays connected, which is a use, at most each hour.
 */
const noteSeenEveryMs = 5 * 60 * 1000;
const noteConnectedEveryMs = 60 * 60 * 1000;

interface SessionsDeps {
  record: StreamRecord;
  clock: Pick<Clock, 'now'>;
  /** How old sessions are; by default as the clock says. */
  ages?: Pick<Clock, 'now'>;
  ids: Ids;
  log: Log;
  /** The token in a raw `cookie` header. */
  readCookie: (cookieHeader: string | undefined) => string | null;
}

export type SessionsService = ReturnType<typeof sessionsService>;

export function sessionsService({ record, clock, ages = clock, ids, log, readCookie }: SessionsDeps) {
  const horizon = () => ({ made: ages.now() - sessionLifetimeMs, seen: ages.now() - idleMs });

  const noteSeen = (sessionIds: readonly string[]) => storeSeen(record.db, sessionIds, clock.now(), log);
  const stillLive = (sessionIds: readonly string[]) => liveAmong(record.db, sessionIds, horizon().made, horizon().seen);

  /** One query for all look-ups of the same moment. */
  const find = gather((hashes: readonly string[]) => findSessions(record.db, hashes, horizon().made, horizon().seen), {
    waitsForCrowd: true,
  });

  async function sessionOfCookie(cookieHeader: string | undefined): Promise<Session> {
    const token = readCookie(cookieHeader);
    if (token === null) return { status: 'signed-out' };
    const tokenHash = hashSecret(token);
    const found = await find(tokenHash);
    if (!found) return { status: 'signed-out' };
    if (clock.now() - found.lastSeenAtMs >= noteSeenEveryMs) await noteSeen([found.sessionId]);
    return sessionOf(found);
  }

  /** Within a write that holds the user's own stream. */
  async function end(writing: Writing, uid: Uid, which: Which): Promise<void> {
    const sessionIds = await deleteSessions(writing.db, uid, which);
    if (sessionIds.length === 0) return;
    await writing.append(userStream(uid), { type: 'accounts/sessionsEnded', sessionIds });
  }

  /** Within a write that holds the user's own stream. An eleventh session ends the least recently used one. */
  async function open(writing: Writing, uid: Uid, device: string): Promise<string> {
    const { made, seen } = horizon();
    const live = await sessionsOf(writing.db, uid, made, seen);
    const surplus = live.slice(perPerson - 1).map((row) => row.session_id);
    if (surplus.length > 0) await end(writing, uid, { type: 'only', ids: surplus });
    const token = ids.newToken();
    await writing.db
      .insertInto('sessions')
      .values({
        token_hash: hashSecret(token),
        session_id: ids.newId(),
        uid,
        device,
        created_at_ms: writing.nowMs,
        last_seen_at_ms: writing.nowMs,
      })
      .execute();
    return token;
  }

  return {
    sessionOfCookie,
    accountsOf: (ids: readonly string[]) => accountsOfSessions(record.db, ids, horizon().made, horizon().seen),
    open,
    end,
    /** A session from before a sign-in is never reused. */
    async endEarlier(session: Session): Promise<void> {
      if (session.status === 'signed-out') return;
      await record.write([userStream(session.uid)], (writing) => end(writing, session.uid, only(session)));
    },
    async list(uid: Uid, currentId: string): Promise<SessionRow[]> {
      const { made, seen } = horizon();
      const rows = await sessionsOf(record.db, uid, made, seen);
      return rows.map((row) => ({
        sessionId: row.session_id,
        device: row.device,
        createdAt: row.created_at_ms,
        lastSeenAt: row.last_seen_at_ms,
        isCurrent: row.session_id === currentId,
      }));
    },
    stillLive,
    /** Which sessions of connected pages are still valid: a socket outlives the check of its cookie. */
    async stillConnected(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const live = await stillLive(sessionIds);
      await noteSeen([...live].filter(([, atMs]) => clock.now() - atMs >= noteConnectedEveryMs).map(([id]) => id));
      return live;
    },
    forgetOld: () => forgetSessions(record.db, horizon().made, horizon().seen),
  };
}

function sessionOf({ uid, sessionId, isVerified, isOperator }: FoundSession): Session {
  return isVerified ? { status: 'signed-in', uid, sessionId, isOperator } : { status: 'unverified', uid, sessionId };
}

interface FoundSession {
  uid: Uid;
  sessionId: string;
  lastSeenAtMs: number;
  isVerified: boolean;
  isOperator: boolean;
}

/** In the order of the hashes. Sessions made or last seen before the given times are absent. */
async function findSessions(
  db: Db,
  tokenHashes: readonly string[],
  madeAfterMs: number,
  seenAfterMs: number,
): Promise<(FoundSession | undefined)[]> {
  const rows = await withHashes(db, tokenHashes, madeAfterMs, seenAfterMs);
  const found = new Map<string, FoundSession>(
    rows.map((row) => {
      const { session_id: sessionId, last_seen_at_ms: lastSeenAtMs } = row;
      const isOperator = row.operator_since_ms !== null;
      const isVerified = row.email_verified === 1;
      return [row.token_hash, { uid: row.uid as Uid, sessionId, lastSeenAtMs, isVerified, isOperator }];
    }),
  );
  return tokenHashes.map((tokenHash) => found.get(tokenHash));
}

const withHashes = builtForEach((db, tokenHashes: readonly string[], madeAfterMs: number, seenAfterMs: number) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.uid', 'sessions.uid')
    .select(['token_hash', 'sessions.uid', 'session_id', 'last_seen_at_ms', 'email_verified', 'operator_since_ms'])
    .where('token_hash', 'in', tokenHashes)
    .where('sessions.created_at_ms', '>', madeAfterMs)
    .where('last_seen_at_ms', '>', seenAfterMs)
    .where('deleted_at_ms', 'is', null),
);

/** Last seen first. */
async function sessionsOf(db: Db, uid: Uid, madeAfterMs: number, seenAfterMs: number): Promise<SessionsTable[]> {
  return await db
    .selectFrom('sessions')
    .selectAll()
    .where('uid', '=', uid)
    .where('created_at_ms', '>', madeAfterMs)
    .where('last_seen_at_ms', '>', seenAfterMs)
    .orderBy('last_seen_at_ms', 'desc')
    .orderBy('created_at_ms', 'desc')
    .execute();
}

/** When each of those that are valid was last seen. */
async function liveAmong(
  db: Db,
  sessionIds: readonly string[],
  madeAfterMs: number,
  seenAfterMs: number,
): Promise<ReadonlyMap<string, number>> {
  const live = new Map<string, number>();
  for (const some of chunked(sessionIds)) {
    const rows = await db
      .selectFrom('sessions')
      .select(['session_id', 'last_seen_at_ms'])
      .where('session_id', 'in', padded(some))
      .where('created_at_ms', '>', madeAfterMs)
      .where('last_seen_at_ms', '>', seenAfterMs)
      .execute();
    for (const row of rows) live.set(row.session_id, row.last_seen_at_ms);
  }
  return live;
}

async function storeSeen(db: Db, sessionIds: readonly string[], atMs: number, log: Log): Promise<void> {
  for (const some of chunked(sessionIds)) {
    const seen = db.updateTable('sessions').set({ last_seen_at_ms: atMs }).where('session_id', 'in', padded(some));
    // Users stay signed in while the disk is full.
    await seen.execute().catch((error: unknown) => log.warn({ err: error }, 'session.last-seen-not-stored'));
  }
}

type Which = { type: 'all' } | { type: 'only'; ids: readonly string[] } | { type: 'all-but'; id: string };

const only = ({ sessionId }: UserSession): Which => ({ type: 'only', ids: [sessionId] });

/** Resolves to the ids of the deleted sessions. */
async function deleteSessions(db: Db, uid: Uid, which: Which): Promise<string[]> {
  let query = db.deleteFrom('sessions').where('uid', '=', uid).returning('session_id');
  if (which.type === 'only') query = query.where('session_id', 'in', ['', ...which.ids]);
  if (which.type === 'all-but') query = query.where('session_id', '<>', which.id);
  const rows = await query.execute();
  return rows.map((row) => row.session_id);
}

async function forgetSessions(db: Db, madeBeforeMs: number, seenBeforeMs: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((where) =>
      where.or([where('created_at_ms', '<=', madeBeforeMs), where('last_seen_at_ms', '<=', seenBeforeMs)]),
    )
    .execute();
}

/**
 * The hash by which tokens and codes are stored: SHA-256, hex. They have 256 random bits, so a plain hash is enough,
 * and the timing of a look-up reveals nothing.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export type KnownDevices = Awaited<ReturnType<typeof openKnownDevices>>;

const deviceKeySetting = 'device-key';
/** Whose browser it is, and with which password. */
type Remembered = Pick<Account, 'uid' | 'passwordHash'>;
/** Accounts that one browser is remembered for, the latest first. */
const perBrowser = 4;

/**
 * Recognises a browser that signed in to an account before, by a signed cookie. It gives no access. Its wrong passwords
 * are counted apart from those of other browsers, so that strangers who guess can't lock the owner out. It holds as long as
 * the password: a person who knew an earlier one may have signed in with any number of browsers.
 */
export async function openKnownDevices(db: Db) {
  const key = Buffer.from(await sharedKey(db, deviceKeySetting), 'base64url');

  const signatureOf = (id: string, { uid, passwordHash }: Remembered): Buffer =>
    createHmac('sha256', key).update(`${uid}:${id}:${passwordHash}`).digest();

  function isOf(entry: string, account: Remembered): boolean {
    const [id = '', signature = ''] = entry.split('.');
    const expected = signatureOf(id, account);
    const given = Buffer.from(signature, 'base64url');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  const entriesOf = (value: string | null): string[] => (value === null ? [] : value.split('~'));

  return {
    /** The id of this browser for the account; null when it never signed in to it with this password. */
    idOf(value: string | null, account: Remembered): string | null {
      const entry = entriesOf(value).find((each) => isOf(each, account));
      return entry?.split('.')[0] ?? null;
    },
    /** The cookie's value after signing in to the account, or choosing its password. */
    remember(value: string | null, account: Remembered): string {
      const entries = entriesOf(value);
      const known = entries.find((each) => isOf(each, account));
      const id = randomBytes(16).toString('base64url');
      const entry = known ?? `${id}.${signatureOf(id, account).toString('base64url')}`;
      return [entry, ...entries.filter((each) => each !== entry)].slice(0, perBrowser).join('~');
    },
  };
}
