/** When the last backup was made: noted by the command that made it, shown to the operator. */
import type { Db } from './schema.ts';

const settingKey = 'last-backup';

export async function noteBackup(db: Db, madeAt: Date): Promise<void> {
  const value = madeAt.toISOString();
  await db
    .insertInto('settings')
    .values({ key: settingKey, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Milliseconds since the epoch; null when none was made. */
export async function lastBackupAtMs(db: Db): Promise<number | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', settingKey).executeTakeFirst();
  const atMs = Date.parse(row?.value ?? '');
  return Number.isNaN(atMs) ? null : atMs;
}
