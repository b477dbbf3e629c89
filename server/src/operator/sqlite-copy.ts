/**
 * Copies a SQLite file while a server writes to it, and checks and holds such files. It knows no backup and no schema.
 */
import SqliteDatabase from 'better-sqlite3';
import { migrationsTable } from '../storage/known-schema.ts';
import { asError } from '../system/printable.ts';
import { OperatorFailure } from './operator-failure.ts';

/**
 * Copies the file as it is at this moment with SQLite's own backup. All pages are read in one step: a writer then makes
 * no difference to the copy, where between steps it would make SQLite begin anew. In WAL mode a reader holds up nobody.
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  const source = new SqliteDatabase(from, { readonly: true, fileMustExist: true });
  try {
    await source.backup(to, { progress: () => Number.MAX_SAFE_INTEGER });
  } finally {
    source.close();
  }
}

export interface Contents {
  migrations: string[];
  rows: Record<string, number>;
  /** Ids of the pictures that have files. */
  images: string[];
}

/** What a copy holds. Throws OperatorFailure when it is damaged. */
export function contentsOfSqlite(path: string): Contents {
  let file: SqliteDatabase.Database | null = null;
  try {
    file = new SqliteDatabase(path, { readonly: true, fileMustExist: true });
    if (file.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new Error('quick_check');
    const open = file;
    const names = (query: string) => open.prepare<[], string>(query).pluck().all();
    const tables = names(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by 1`);
    const count = (table: string) => Number(open.prepare(`select count(*) from "${table}"`).pluck().get());
    return {
      migrations: names(`select name from ${migrationsTable} order by name`),
      rows: Object.fromEntries(tables.map((table) => [table, count(table)])),
      images: names(`select image_id from images where state in ('unsent', 'sent') order by 1`),
    };
  } catch (error) {
    throw new OperatorFailure(`The database ${path} can not be read: ${asError(error).message}.`);
  } finally {
    file?.close();
  }
}

/**
 * Keeps every other program off the file until `release`. Null when one has it open, as a running server has. SQLite
 * leaves WAL mode only for the last connection, also after a crash of another.
 */
export function holdSqlite(path: string): { release(): void } | null {
  const file = new SqliteDatabase(path, { timeout: 0 });
  try {
    file.pragma('journal_mode = DELETE');
    file.exec('begin exclusive');
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      file.close();
      return null;
    }
    // A damaged file is what a backup is for; nobody can serve from it.
  }
  return { release: () => void file.close() };
}
