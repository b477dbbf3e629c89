/**
 * Sessions: made at sign-in, found by their cookie, ended by choice, by change of password, by age or by number. Each
 * end is appended to the person's stream, so that every process closes the sockets of that session.
 */
import { userStream, type SessionRow, type Uid } from '@tunemate/protocol';
import type { Session } from '../../access/session.ts';
import { gather } from '../../system/gather.ts';
import type { Clock, Ids, Log } from '../../system/ports.ts';
import type { StreamRecord, Writing } from '../../storage/record.ts';
import { hashSecret } from './secret-hash.ts';
import { accountsOfSessions } from '../users-store.ts';
import {
  deleteSessions,
  findSessions,
  forgetSessions,
  insertSession,
  liveAmong,
  sessionsOf,
  touchSession,
  type Which,
} from './sessions-store.ts';

/** How long a session lasts at most (ACCT-14). */
const idleMs = 7 * 24 * 60 * 60 * 1000;
const absoluteMs = 30 * 24 * 60 * 60 * 1000;
const perPerson = 10;
/** The time of last use is stored at most this often. */
const noteSeenEveryMs = 5 * 60 * 1000;

export interface SessionsDeps {
  record: StreamRecord;
  clock: Pick<Clock, 'now'>;
  ids: Ids;
  log: Log;
  /** The token in a raw `cookie` header. */
  readCookie: (cookieHeader: string | undefined) => string | null;
}

export type SessionsService = ReturnType<typeof sessionsService>;

export function sessionsService({ record, clock, ids, log, readCookie }: SessionsDeps) {
  const horizon = () => ({ made: clock.now() - absoluteMs, seen: clock.now() - idleMs });

  /** Those who come at one moment are looked up together. */
  const find = gather(async (tokenHashes: readonly string[]) => {
    const found = await findSessions(record.db, tokenHashes, horizon().made, horizon().seen);
    return tokenHashes.map((tokenHash) => found.get(tokenHash));
  });

  async function sessionOfCookie(cookieHeader: string | undefined): Promise<Session> {
    const token = readCookie(cookieHeader);
    if (token === null) return { status: 'signed-out' };
    const tokenHash = hashSecret(token);
    const found = await find(tokenHash);
    if (!found) return { status: 'signed-out' };
    const nowMs = clock.now();
    if (nowMs - found.lastSeenAtMs >= noteSeenEveryMs) {
      // People stay signed in while the disk is full.
      await touchSession(record.db, tokenHash, nowMs).catch((error: unknown) =>
        log.warn({ err: error }, 'session.last-seen-not-stored'),
      );
    }
    return { status: found.isVerified ? 'signed-in' : 'unverified', uid: found.uid, sessionId: found.sessionId };
  }

  /** Ends sessions within a write that holds the person's own stream. */
  async function end(writing: Writing, uid: Uid, which: Which): Promise<void> {
    const sessionIds = await deleteSessions(writing.db, uid, which);
    if (sessionIds.length === 0) return;
    await writing.append(userStream(uid), { type: 'accounts/sessionsEnded', sessionIds });
  }

  /**
   * Makes a session within a write that holds the person's own stream; the eleventh ends the least recently used one.
   */
  async function open(writing: Writing, uid: Uid, device: string): Promise<string> {
    const { made, seen } = horizon();
    const live = await sessionsOf(writing.db, uid, made, seen);
    const surplus = live.slice(perPerson - 1).map((row) => row.session_id);
    if (surplus.length > 0) await end(writing, uid, { type: 'only', ids: surplus });
    const token = ids.newToken();
    await insertSession(writing.db, {
      token_hash: hashSecret(token),
      session_id: ids.newId(),
      uid,
      device,
      created_at_ms: writing.nowMs,
      last_seen_at_ms: writing.nowMs,
    });
    return token;
  }

  /** Those of these sessions that are still valid: a socket outlives the check of its cookie. */
  async function stillLive(sessionIds: readonly string[]): Promise<Set<string>> {
    const { made, seen } = horizon();
    return await liveAmong(record.db, sessionIds, made, seen);
  }

  return {
    sessionOfCookie,
    accountsOf: (ids: readonly string[]) => accountsOfSessions(record.db, ids, horizon().made, horizon().seen),
    open,
    end,
    /** Ends sessions in a write of its own. */
    endNow: (uid: Uid, which: Which) => record.write([userStream(uid)], (writing) => end(writing, uid, which)),
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
    forgetOld: () => forgetSessions(record.db, horizon().made, horizon().seen),
  };
}
