/** Every time that a database holds, and starts of the real server with a clock that is wrong. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';

/** Loaded before a server: its clock is `WRONG_CLOCK_MS` off. */
export const movableClock = ['--import', join(import.meta.dirname, '../services/movable-clock.ts')];

/** By table and column, in the order of the rows. */
export function storedTimes(file: string): Record<string, unknown[]> {
  const database = new SqliteDatabase(file, { readonly: true });
  const column = (query: string) => database.prepare<[], string>(query).pluck().all();
  const times: Record<string, unknown[]> = {};
  const tables = column(`select name from sqlite_master where type = 'table' and sql not like 'create virtual%'`);
  for (const table of tables) {
    for (const name of column(`select name from pragma_table_info('${table}') where name like '%_ms'`)) {
      times[`${table}.${name}`] = column(`select ${name} from ${table} order by rowid`);
    }
  }
  database.close();
  return times;
}
