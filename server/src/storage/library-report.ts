/** What the last reading of the media folder listed and left out: noted by the server, shown to the operator. */
import type { Db } from './schema.ts';

const settingKey = 'library-report';

export interface LibraryReport {
  readAtMs: number;
  listed: number;
  /** By reason, as in the log lines `catalogue.file-skipped`. */
  skipped: Readonly<Record<string, number>>;
}

export async function noteLibrary(db: Db, report: LibraryReport): Promise<void> {
  const value = JSON.stringify(report);
  await db
    .insertInto('settings')
    .values({ key: settingKey, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Null before the first reading. */
export async function latestLibraryReport(db: Db): Promise<LibraryReport | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', settingKey).executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.value) as LibraryReport);
}
