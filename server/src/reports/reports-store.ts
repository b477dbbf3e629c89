/** Reads and writes reports. Every function takes the database or transaction to use. */
import type { Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { ReportsTable } from '../storage/account-tables.ts';
import type { Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

/** A report as the operator sees it. */
export interface Report {
  id: string;
  atMs: number;
  reporter: Uid;
  reported: Uid;
  /** Where it was: `person`, `room ABC123`, `private`. */
  place: string;
  /** The words of the message, as they were then. */
  text: string | null;
  reason: string;
  answeredAtMs: number | null;
}

const toReport = (row: ReportsTable): Report => ({
  id: row.id,
  atMs: row.at_ms,
  reporter: row.reporter as Uid,
  reported: row.reported as Uid,
  place: row.place,
  text: row.text,
  reason: row.reason,
  answeredAtMs: row.answered_at_ms,
});

export async function insertReport(db: Db, report: Omit<Report, 'answeredAtMs'>): Promise<void> {
  const { id, atMs, reporter, reported, place, text, reason } = report;
  await db
    .insertInto('reports')
    .values({ id, at_ms: atMs, reporter, reported, place, text, reason, answered_at_ms: null })
    .execute();
}

/** The oldest that wait, or the newest of all. */
export async function listReports(db: Db, { answeredToo }: { answeredToo: boolean }, most: number): Promise<Report[]> {
  const all = db.selectFrom('reports').selectAll().limit(most);
  const rows = answeredToo ? all.orderBy('at_ms', 'desc') : all.where('answered_at_ms', 'is', null).orderBy('at_ms');
  return (await rows.execute()).map(toReport);
}

export async function reportById(db: Db, id: string): Promise<Report | null> {
  const row = await db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toReport(row) : null;
}

/** False when it was answered before. */
export async function markAnswered(db: Db, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reports')
    .set({ answered_at_ms: nowMs })
    .where('id', '=', id)
    .where('answered_at_ms', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** What this person reported, for their export: the oldest first. */
export async function reportsBy(db: Db, uid: Uid) {
  const rows = await db.selectFrom('reports').selectAll().where('reporter', '=', uid).orderBy('at_ms').execute();
  return rows.map(({ at_ms: at, reported, place, reason }) => ({ at, reported, place, reason }));
}

/** The reporter's account is deleted. */
export async function forgetReportsBy(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('reports').where('reporter', '=', uid).execute();
}

export async function forgetReports(db: Db, beforeMs: number): Promise<void> {
  await db.deleteFrom('reports').where('at_ms', '<', beforeMs).execute();
}
