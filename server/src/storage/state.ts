/**
 * Checks whether the database can be used: at the start for writing, later for answering at all.
 */
import { type Config, sqlitePathOf } from '../config.ts';
import { type Database, migrate, openDatabase, type OpenOptions } from './database.ts';
import { makePrivateFile, makePrivateFolder, narrow } from './private-files.ts';
import { noteSetting } from './settings.ts';
import { assertNothingLost, holdFile } from './sqlite-folder.ts';
import { within } from '../system/within.ts';

const answerWithinMs = 2000;

/** Opens what the settings name, brings its schema up to date and makes sure that it can be written. */
export async function openStorage(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  options: OpenOptions = {},
): Promise<Database> {
  const path = sqlitePathOf(databaseUrl);
  // Before anything is made: what is there decides whether this may become an installation.
  if (path !== null) assertNothingLost(path);
  await makePrivateFolder(dataDir);
  const hold = path === null ? null : await holdPrivately(path);
  let database: Database | null = null;
  try {
    database = openDatabase(databaseUrl, options);
    await migrate(database);
    // A read-only file is noticed only by writing.
    await noteSetting(database.db, 'written-at-start', '1');
  } catch (error) {
    await database?.close();
    hold?.release();
    throw error;
  }
  const { close } = database;
  return {
    ...database,
    async close() {
      await close();
      hold?.release();
    },
  };
}

async function holdPrivately(path: string): Promise<{ release(): void }> {
  await makePrivateFile(`${path}.in-use`);
  const hold = holdFile(path);
  try {
    await makeDatabaseFile(path);
    return hold;
  } catch (error) {
    hold.release();
    throw error;
  }
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
