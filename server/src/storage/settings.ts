/**
 * What an installation keeps under a name, in the table `settings`: secrets that its processes share, and what one
 * program notes for another.
 */
import { randomBytes } from 'node:crypto';
import type { Db } from './schema.ts';

const backupKey = 'last-backup';
const libraryKey = 'library-report';
const addressKey = 'public-url';

export async function settingOf(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

export async function noteSetting(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

const randomKey = (): string => randomBytes(32).toString('base64url');

/**
 * A secret that the processes of one database share: nothing else is known to all of them and to no other program. Made
 * when it is first asked for; of several processes the first wins.
 */
export async function sharedKey(
  db: Db,
  name: string,
  fresh: () => string | Promise<string> = randomKey,
): Promise<string> {
  const stored = await settingOf(db, name);
  if (stored !== null) return stored;
  const value = await fresh();
  await db
    .insertInto('settings')
    .values({ key: name, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await settingOf(db, name)) ?? value;
}

/** When the last backup was made: noted by the command that made it, shown to the operator. */
export const noteBackup = (db: Db, madeAt: Date): Promise<void> => noteSetting(db, backupKey, madeAt.toISOString());

/** Milliseconds since the epoch; null when none was made. */
export async function lastBackupAtMs(db: Db): Promise<number | null> {
  const atMs = Date.parse((await settingOf(db, backupKey)) ?? '');
  return Number.isNaN(atMs) ? null : atMs;
}

/** The address that people use: noted by each server as it starts, for links that a command prints. */
export const noteAddress = (db: Db, publicUrl: string): Promise<void> => noteSetting(db, addressKey, publicUrl);

/** Null before the first start. */
export const latestAddress = (db: Db): Promise<string | null> => settingOf(db, addressKey);

/** What the last reading of the media folder listed and left out: noted by the server, shown to the operator. */
export interface LibraryReport {
  readAtMs: number;
  listed: number;
  /** By reason, as in the log lines `catalogue.file-skipped`. */
  skipped: Readonly<Record<string, number>>;
}

export const noteLibrary = (db: Db, report: LibraryReport): Promise<void> =>
  noteSetting(db, libraryKey, JSON.stringify(report));

/** Null before the first reading. */
export async function latestLibraryReport(db: Db): Promise<LibraryReport | null> {
  const value = await settingOf(db, libraryKey);
  return value === null ? null : (JSON.parse(value) as LibraryReport);
}
