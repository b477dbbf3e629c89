/**
 * Checks whether the database can be used: at the start for writing, later for answering at all.
 */
import { type Config, sqlitePathOf } from '../config.ts';
import { type Database, migrate, openDatabase } from './database.ts';
import { makePrivateFile, makePrivateFolder, narrow } from './private-files.ts';
import { noteSetting } from './settings.ts';
import { within } from '../system/within.ts';

const answerWithinMs = 2000;

/** Opens what the settings name, brings its schema up to date and makes sure that it can be written. */
export async function openStorage(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  onStatement?: (statement: string) => void,
): Promise<Database> {
  await makePrivateFolder(dataDir);
  const path = sqlitePathOf(databaseUrl);
  if (path !== null) await makeDatabaseFile(path);
  const database = openDatabase(databaseUrl, onStatement);
  try {
    await migrate(database);
    // A read-only file is noticed only by writing.
    await noteSetting(database.db, 'written-at-start', '1');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** SQLite gives `-wal` and `-shm` the permissions of the database file; those left by a crash exist already. */
async function makeDatabaseFile(path: string): Promise<void> {
  await makePrivateFile(path);
  await Promise.all(['-wal', '-shm'].map((suffix) => narrow(`${path}${suffix}`)));
}

/** True when the database answers within 2 s. */
export async function isReachable({ answers }: Pick<Database, 'answers'>): Promise<boolean> {
  const asked = Promise.resolve()
    .then(answers)
    .then(
      () => true,
      () => false,
    );
  return await within(answerWithinMs, asked, false);
}
