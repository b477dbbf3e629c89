/** The statements of listens: whose are sent, what a person hears, and what waits to be sent. */
import type { Heard } from '@tunemate/domain';
import type { Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { readRoomRef } from '../presence/connections-store.ts';
import { isThere, padded } from '../storage/queries.ts';
import type { Db, RoomRef } from '../storage/schema.ts';
import type { Listen } from './listenbrainz.ts';

export interface Account {
  uid: Uid;
  /** Empty after a restore: no backup holds it. */
  token: string;
  name: string;
  connectedAtMs: number;
  refusedAtMs: number | null;
  attempts: number;
  nextAttemptAtMs: number;
}

/** Of one person; the oldest of more are dropped. */
const mostWaiting = 500;

/** Listens go nowhere until the person enters a token. */
export const isRefused = ({ token, refusedAtMs }: Pick<Account, 'token' | 'refusedAtMs'>): boolean =>
  token === '' || refusedAtMs !== null;

/** All people whose token works. */
export async function connectedPeople(db: Db): Promise<Set<Uid>> {
  const rows = await db
    .selectFrom('listens_accounts as account')
    .innerJoin('listens_tokens as its', 'its.uid', 'account.uid')
    .select('account.uid')
    .where('refused_at_ms', 'is', null)
    .execute();
  return new Set(rows.map(({ uid }) => uid as Uid));
}

export async function accountOf(db: Db, uid: Uid): Promise<Account | null> {
  const row = await db
    .selectFrom('listens_accounts as account')
    .leftJoin('listens_tokens as its', 'its.uid', 'account.uid')
    .selectAll('account')
    .select('its.token')
    .where('account.uid', '=', uid)
    .executeTakeFirst();
  return row ? readAccount(row) : null;
}

/** Whether this is the token that the person entered last. */
const isOf = ({ uid, token }: Pick<Account, 'uid' | 'token'>) =>
  sql<boolean>`exists (select 1 from listens_tokens as its where its.uid = ${uid} and its.token = ${token})`;

const readAccount = (row: {
  uid: string;
  token: string | null;
  name: string;
  connected_at_ms: number;
  refused_at_ms: number | null;
  attempts: number;
  next_attempt_at_ms: number;
}): Account => ({
  uid: row.uid as Uid,
  token: row.token ?? '',
  name: row.name,
  connectedAtMs: row.connected_at_ms,
  refusedAtMs: row.refused_at_ms,
  attempts: row.attempts,
  nextAttemptAtMs: row.next_attempt_at_ms,
});

/** What waits stays, for the new token. False for a person without an account any more. */
export async function saveToken(db: Db, uid: Uid, token: string, name: string, nowMs: number): Promise<boolean> {
  const person = db.selectFrom('users').select('uid').where('uid', '=', uid).where('deleted_at_ms', 'is', null);
  if (!(await isThere(person))) return false;
  const fresh = { name, connected_at_ms: nowMs, refused_at_ms: null, attempts: 0, next_attempt_at_ms: 0 };
  await db
    .insertInto('listens_accounts')
    .values({ uid, ...fresh })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet(fresh))
    .execute();
  await db
    .insertInto('listens_tokens')
    .values({ uid, token })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet({ token }))
    .execute();
  return true;
}

/** With the token, what the person hears and what waits. */
export async function dropAccount(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('listens_accounts').where('uid', '=', uid).execute();
}

/** Unless another token was entered meanwhile. */
export async function markRefused(db: Db, account: Pick<Account, 'uid' | 'token'>, nowMs: number) {
  await db
    .updateTable('listens_accounts')
    .set({ refused_at_ms: nowMs })
    .where('uid', '=', account.uid)
    .where(isOf(account))
    .execute();
}

/** In which rooms these connections are; those that are in none are absent. */
export async function roomsOfConnections(
  db: Db,
  connectionIds: readonly string[],
): Promise<{ uid: Uid; room: RoomRef; written: string }[]> {
  const rows = await db
    .selectFrom('connections')
    .select(['uid', 'room'])
    .distinct()
    .where('connection_id', 'in', padded(connectionIds))
    .where('grace_until_ms', 'is', null)
    .execute();
  return rows.flatMap(({ uid, room: written }) => {
    const room = readRoomRef(written);
    return room && written !== null ? [{ uid: uid as Uid, room, written }] : [];
  });
}

export async function heardBy(db: Db, uids: readonly Uid[]): Promise<Map<Uid, Heard>> {
  const rows = await db.selectFrom('listens_heard').selectAll().where('uid', 'in', padded(uids)).execute();
  return new Map(
    rows.map((row) => [
      row.uid as Uid,
      {
        room: row.room,
        trackId: row.track_id,
        begunAtMs: row.begun_at_ms,
        heardMs: row.heard_ms,
        positionSeconds: row.position_seconds,
        seenAtMs: row.seen_at_ms,
        isCounted: row.is_counted === 1,
      },
    ]),
  );
}

/** False when another process noted something since `before` was read: then its look counts. */
export async function saveHeard(db: Db, uid: Uid, before: Heard | null, heard: Heard): Promise<boolean> {
  const values = {
    room: heard.room,
    track_id: heard.trackId,
    begun_at_ms: heard.begunAtMs,
    heard_ms: heard.heardMs,
    position_seconds: heard.positionSeconds,
    seen_at_ms: heard.seenAtMs,
    is_counted: heard.isCounted ? 1 : 0,
  };
  if (before === null) {
    const inserted = await db
      .insertInto('listens_heard')
      .values({ uid, ...values })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return inserted.numInsertedOrUpdatedRows === 1n;
  }
  const updated = await db
    .updateTable('listens_heard')
    .set(values)
    .where('uid', '=', uid)
    .where('room', '=', before.room)
    .where('seen_at_ms', '=', before.seenAtMs)
    .executeTakeFirstOrThrow();
  return updated.numUpdatedRows === 1n;
}

export async function enqueueListen(db: Db, uid: Uid, listen: Listen): Promise<void> {
  const { listenedAtMs, artist, title, album, durationMs } = listen;
  await db
    .insertInto('listens')
    .values({ uid, listened_at_ms: listenedAtMs, artist, title, album, duration_ms: durationMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .deleteFrom('listens')
    .where('uid', '=', uid)
    .where('listened_at_ms', '<=', (inner) =>
      inner
        .selectFrom('listens as kept')
        .select('kept.listened_at_ms')
        .where('kept.uid', '=', uid)
        .orderBy('kept.listened_at_ms', 'desc')
        .limit(1)
        .offset(mostWaiting),
    )
    .execute();
}

/** The oldest first. */
export async function waitingListens(db: Db, uid: Uid, most = mostWaiting): Promise<Listen[]> {
  const rows = await db
    .selectFrom('listens')
    .selectAll()
    .where('uid', '=', uid)
    .orderBy('listened_at_ms')
    .limit(most)
    .execute();
  return rows.map(({ listened_at_ms: listenedAtMs, artist, title, album, duration_ms: durationMs }) => ({
    ...{ listenedAtMs, artist, title, album, durationMs },
  }));
}

export async function dropListens(db: Db, uid: Uid, listens: readonly Listen[]): Promise<void> {
  await db
    .deleteFrom('listens')
    .where('uid', '=', uid)
    .where(
      'listened_at_ms',
      'in',
      listens.map(({ listenedAtMs }) => listenedAtMs),
    )
    .execute();
}

export async function dropListensBefore(db: Db, beforeMs: number): Promise<number> {
  const deleted = await db.deleteFrom('listens').where('listened_at_ms', '<', beforeMs).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** People with listens that may be sent now. */
export async function dueAccounts(db: Db, nowMs: number, most: number): Promise<Account[]> {
  const rows = await db
    .selectFrom('listens_accounts')
    .innerJoin('listens_tokens as its', 'its.uid', 'listens_accounts.uid')
    .selectAll('listens_accounts')
    .select('its.token')
    .where('refused_at_ms', 'is', null)
    .where('next_attempt_at_ms', '<=', nowMs)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('listens')
          .select(sql<number>`1`.as('one'))
          .whereRef('listens.uid', '=', 'listens_accounts.uid'),
      ),
    )
    .orderBy('next_attempt_at_ms')
    .limit(most)
    .execute();
  return rows.map(readAccount);
}

/** Postpones the next attempt, so that no other process sends the same; false when another one was faster. */
export async function claimAccount(db: Db, account: Account, nextAttemptAtMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('listens_accounts')
    .set({ attempts: account.attempts + 1, next_attempt_at_ms: nextAttemptAtMs })
    .where('uid', '=', account.uid)
    .where(isOf(account))
    .where('refused_at_ms', 'is', null)
    .where('attempts', '=', account.attempts)
    .where('next_attempt_at_ms', '=', account.nextAttemptAtMs)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** The server answered: the pauses between attempts begin anew. */
export async function setNextAttempt(db: Db, account: Account, nextAttemptAtMs: number): Promise<void> {
  await db
    .updateTable('listens_accounts')
    .set({ attempts: 0, next_attempt_at_ms: nextAttemptAtMs })
    .where('uid', '=', account.uid)
    .where(isOf(account))
    .execute();
}
