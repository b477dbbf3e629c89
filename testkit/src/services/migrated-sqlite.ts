/**
 * New databases of SQLite that have our tables already. The migrations of a new file take longer than most tests, so
 * each process that runs tests applies them once, and every further database is a copy.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, openDatabase } from '../../../server/src/storage/database.ts';
import { makeTempDir } from './temp-dir.ts';

let migrated: Promise<Buffer> | undefined;

async function makeMigrated(): Promise<Buffer> {
  await using dir = await makeTempDir('migrated');
  const path = join(dir.path, 'tunemate.sqlite');
  const database = openDatabase(`sqlite:${path}`);
  await migrate(database);
  await database.close();
  return await readFile(path);
}

/** Writes such a database to `path`, where nothing may be yet. It is empty. */
export async function writeMigratedSqlite(path: string): Promise<void> {
  migrated ??= makeMigrated();
  await writeFile(path, await migrated, { flag: 'wx', mode: 0o600 });
}
