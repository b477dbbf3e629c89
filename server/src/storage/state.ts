/**
 * Checks whether the database can be used: at the start for writing, later for answering at all.
 */
import type { Config } from '../config.ts';
import { type Database, migrate, openDatabase } from './database.ts';
import { makePrivateFile, makePrivateFolder, narrow } from './private-files.ts';
import type { Db } from './schema.ts';
import { within } from '../system/within.ts';

const answerWithinMs = 2000;

/** Opens what the settings name, brings its schema up to date and makes sure that it can be written. */
export async function openStorage(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  onStatement?: (statement: string) => void,
): Promise<Database> {
  await makePrivateFolder(dataDir);
  if (databaseUrl.startsWith('sqlite:')) await makeDatabaseFile(databaseUrl.slice('sqlite:'.length));
  const database = openDatabase(databaseUrl, onStatement);
  try {
    await migrate(database);
    await assertWritable(database.db);
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

/** Throws the driver's error when nothing can be written: a read-only file is noticed only by writing. */
async function assertWritable(db: Db): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key: 'written-at-start', value: '1' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '1' }))
    .execute();
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
