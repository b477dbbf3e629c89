/**
 * The one list of who waits for an operator, while no mail server is set: sign-ups from elsewhere and forgotten
 * passwords. It is short, so that strangers can fill it and an operator can refuse it at once; one network fills a part.
 */
import { limits, type Uid, type WaitingPerson } from '@tunemate/protocol';
import { countOf } from '../../storage/queries.ts';
import type { Db } from '../../storage/schema.ts';
import type { OperatorWaitsTable } from '../../storage/tables/account-tables.ts';
import { codeLifetimeMs } from '../../access/session.ts';

/** Of the people who wait, those of one customer's networks: a party behind one router. */
const perNetwork = 8;

export type Wait = OperatorWaitsTable;

/** Whether another person of this network can wait. */
export async function hasRoomToWait(db: Db, network: string, nowMs: number): Promise<boolean> {
  await dropOver(db, nowMs);
  const waits = db.selectFrom('operator_waits');
  if ((await countOf(waits)) >= limits.waitingForOperators) return false;
  return (await countOf(waits.where('network', '=', network))) < perNetwork;
}

/** In place of the same person's earlier one. Nothing where the list is full. */
export async function addWait(db: Db, wait: Omit<Wait, 'created_at_ms'>, nowMs: number): Promise<void> {
  const { uid, kind, password_hash: passwordHash } = wait;
  const same = db.deleteFrom('operator_waits').where('uid', '=', uid).where('kind', '=', kind);
  await (passwordHash === null ? same : same.where('password_hash', '=', passwordHash)).execute();
  if (!(await hasRoomToWait(db, wait.network, nowMs))) return;
  await db
    .insertInto('operator_waits')
    .values({ ...wait, created_at_ms: nowMs })
    .execute();
}

/** Oldest first. */
export async function waitingPeople(db: Db, nowMs: number): Promise<WaitingPerson[]> {
  const rows = await db
    .selectFrom('operator_waits')
    .innerJoin('users', 'users.uid', 'operator_waits.uid')
    .select(['id', 'kind', 'operator_waits.name', 'email', 'number', 'operator_waits.created_at_ms as at'])
    .where('operator_waits.created_at_ms', '>', nowMs - codeLifetimeMs)
    .where((either) => either.or([either('kind', '<>', 'sign-up'), either('email_verified', '=', 0)]))
    .orderBy('operator_waits.created_at_ms')
    .orderBy('id')
    .limit(limits.waitingForOperators)
    .execute();
  return rows.map(({ email, ...rest }) => ({ ...rest, email: email ?? '' }));
}

/** Null for one that is answered, expired or never was. */
export async function findWait(db: Db, id: string, nowMs: number): Promise<(Wait & { uid: Uid }) | null> {
  const row = await db
    .selectFrom('operator_waits')
    .selectAll()
    .where('id', '=', id)
    .where('created_at_ms', '>', nowMs - codeLifetimeMs)
    .executeTakeFirst();
  return row ? { ...row, uid: row.uid as Uid } : null;
}

export async function dropWait(db: Db, id: string): Promise<void> {
  await db.deleteFrom('operator_waits').where('id', '=', id).execute();
}

/** Those of sign-ups whose address is verified by now are over too. */
async function dropOver(db: Db, nowMs: number): Promise<void> {
  const verified = db.selectFrom('users').select('uid').where('email_verified', '=', 1);
  await db
    .deleteFrom('operator_waits')
    .where(({ or, and, eb }) =>
      or([
        eb('created_at_ms', '<=', nowMs - codeLifetimeMs),
        and([eb('kind', '=', 'sign-up'), eb('uid', 'in', verified)]),
      ]),
    )
    .execute();
}
