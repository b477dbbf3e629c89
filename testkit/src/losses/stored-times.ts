/** Every time that a database holds, and starts of the real server with a clock that is wrong. */
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/src/storage/database.ts';

/** Loaded before a server: its clock is `WRONG_CLOCK_MS` off. */
export const movableClock = ['--import', join(import.meta.dirname, '../services/preloads/movable-clock.ts')];

/** By table and column, in the order of the rows. */
export async function storedTimes(file: string): Promise<Record<string, unknown[]>> {
  const { db, close } = openDatabase(`sqlite:${file}`);
  const tables = await db.introspection.getTables();
  const times: Record<string, unknown[]> = {};
  for (const { name: table, columns } of tables) {
    for (const { name } of columns.filter((column) => column.name.endsWith('_ms'))) {
      const { rows } = await sql<{ at: unknown }>`select ${sql.ref(name)} as at from ${sql.table(table)}
        order by rowid`.execute(db);
      times[`${table}.${name}`] = rows.map(({ at }) => at);
    }
  }
  await close();
  return times;
}
