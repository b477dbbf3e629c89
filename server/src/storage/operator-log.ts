/** The log of what the operator did: who, when, what, and to whom. Kept for a year. */
import type { Ids } from '../system/ports.ts';
import { countOf } from './queries.ts';
import type { Listed, Part } from './pages.ts';
import type { Db } from './schema.ts';

/** Writes one row within the caller's transaction. */
export type NoteAction = (db: Db, nowMs: number, action: string, subject: string) => Promise<void>;

export interface LoggedAction {
  atMs: number;
  operator: string;
  action: string;
  subject: string;
}

/** `operator` is the user of the machine who gives the commands. */
export function operatorLog(ids: Ids, operator: string): NoteAction {
  return async (db, nowMs, action, subject) => {
    await db.insertInto('operator_log').values({ id: ids.newId(), at_ms: nowMs, operator, action, subject }).execute();
  };
}

/** The latest actions, the newest first. */
export async function latestActions(db: Db, { from, most }: Part): Promise<Listed<LoggedAction>> {
  const log = db.selectFrom('operator_log');
  const total = await countOf(log);
  const rows = await log
    .select(['at_ms', 'operator', 'action', 'subject'])
    .orderBy('at_ms', 'desc')
    .orderBy('id')
    .limit(most)
    .offset(from)
    .execute();
  return { rows: rows.map(({ at_ms: atMs, ...rest }) => ({ atMs, ...rest })), total };
}
