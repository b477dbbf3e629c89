/**
 * Rows of sessions: found by the hash of their token, listed and ended by person.
 */
import type { Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { SessionsTable } from '../../storage/account-tables.ts';
import { padded } from '../../storage/padded.ts';
import type { Schema } from '../../storage/schema.ts';

export async function insertSession(db: Kysely<Schema>, row: SessionsTable): Promise<void> {
  await db.insertInto('sessions').values(row).execute();
}

export interface FoundSession {
  uid: Uid;
  sessionId: string;
  lastSeenAtMs: number;
  isVerified: boolean;
}

/** The sessions of these tokens, by their hashes, that were made and seen late enough. */
export async function findSessions(
  db: Kysely<Schema>,
  tokenHashes: readonly string[],
  madeAfterMs: number,
  seenAfterMs: number,
): Promise<Map<string, FoundSession>> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.uid', 'sessions.uid')
    .select(['token_hash', 'sessions.uid', 'session_id', 'last_seen_at_ms', 'email_verified'])
    .where('token_hash', 'in', padded(tokenHashes))
    .where('sessions.created_at_ms', '>', madeAfterMs)
    .where('last_seen_at_ms', '>', seenAfterMs)
    .where('deleted_at_ms', 'is', null)
    .execute();
  return new Map(
    rows.map((row) => {
      const { session_id: sessionId, last_seen_at_ms: lastSeenAtMs } = row;
      return [row.token_hash, { uid: row.uid as Uid, sessionId, lastSeenAtMs, isVerified: row.email_verified === 1 }];
    }),
  );
}

export async function touchSession(db: Kysely<Schema>, tokenHash: string, nowMs: number): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at_ms: nowMs }).where('token_hash', '=', tokenHash).execute();
}

/** Newest seen first. */
export async function sessionsOf(
  db: Kysely<Schema>,
  uid: Uid,
  madeAfterMs: number,
  seenAfterMs: number,
): Promise<SessionsTable[]> {
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

/** Those of `sessionIds` that are still within their time. */
export async function liveAmong(
  db: Kysely<Schema>,
  sessionIds: readonly string[],
  madeAfterMs: number,
  seenAfterMs: number,
): Promise<Set<string>> {
  const live = new Set<string>();
  // SQLite takes a bounded number of parameters.
  for (let from = 0; from < sessionIds.length; from += 500) {
    const rows = await db
      .selectFrom('sessions')
      .select('session_id')
      .where('session_id', 'in', padded(sessionIds.slice(from, from + 500)))
      .where('created_at_ms', '>', madeAfterMs)
      .where('last_seen_at_ms', '>', seenAfterMs)
      .execute();
    for (const row of rows) live.add(row.session_id);
  }
  return live;
}

/** Which sessions of one person. */
export type Which = { type: 'all' } | { type: 'only'; ids: readonly string[] } | { type: 'all-but'; id: string };

/** Deletes them and answers their ids. */
export async function deleteSessions(db: Kysely<Schema>, uid: Uid, which: Which): Promise<string[]> {
  let query = db.deleteFrom('sessions').where('uid', '=', uid).returning('session_id');
  if (which.type === 'only') query = query.where('session_id', 'in', ['', ...which.ids]);
  if (which.type === 'all-but') query = query.where('session_id', '<>', which.id);
  const rows = await query.execute();
  return rows.map((row) => row.session_id);
}

/** Deletes sessions that have expired. */
export async function forgetSessions(db: Kysely<Schema>, madeBeforeMs: number, seenBeforeMs: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((where) =>
      where.or([where('created_at_ms', '<=', madeBeforeMs), where('last_seen_at_ms', '<=', seenBeforeMs)]),
    )
    .execute();
}
