/** The log of what the operator did: who, when, what, and to whom. Kept for a year. */
import type { Kysely } from 'kysely';
import type { Ids } from '../ports.ts';
import type { Schema } from './schema.ts';

/** Writes one row within the caller's transaction. */
export type NoteOrder = (db: Kysely<Schema>, nowMs: number, action: string, subject: string) => Promise<void>;

export interface LoggedOrder {
  atMs: number;
  operator: string;
  action: string;
  subject: string;
}

/** `operator` is the user of the machine who gives the orders. */
export function operatorLog(ids: Ids, operator: string): NoteOrder {
  return async (db, nowMs, action, subject) => {
    await db.insertInto('operator_log').values({ id: ids.newId(), at_ms: nowMs, operator, action, subject }).execute();
  };
}

/** The latest orders, the newest first. */
export async function latestOrders(db: Kysely<Schema>, count: number): Promise<LoggedOrder[]> {
  const rows = await db
    .selectFrom('operator_log')
    .select(['at_ms', 'operator', 'action', 'subject'])
    .orderBy('at_ms', 'desc')
    .orderBy('id')
    .limit(count)
    .execute();
  return rows.map(({ at_ms: atMs, ...rest }) => ({ atMs, ...rest }));
}

export async function forgetOrders(db: Kysely<Schema>, beforeMs: number): Promise<void> {
  await db.deleteFrom('operator_log').where('at_ms', '<', beforeMs).execute();
}
