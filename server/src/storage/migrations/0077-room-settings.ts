/** Migration 0077: the settings of a room in one column, as JSON; those that differ from a new room's. */
import type { Kysely } from 'kysely';

interface Before {
  room_id: string;
  is_locked: number;
  admits: string;
  everyone_adds: number;
  majority_skips: number;
  slow_seconds: number;
  remote: string | null;
}

type Tables = Record<'rooms' | 'audiorooms', Before & { settings: string }>;

const columns = ['is_locked', 'admits', 'everyone_adds', 'majority_skips', 'slow_seconds', 'remote'] as const;

export async function roomSettings(db: Kysely<unknown>): Promise<void> {
  for (const table of ['rooms', 'audiorooms'] as const) {
    await db.schema
      .alterTable(table)
      .addColumn('settings', 'text', (made) => made.notNull().defaultTo('{}'))
      .execute();
    const rooms = db.withTables<Tables>();
    for (const row of await rooms
      .selectFrom(table)
      .select(['room_id', ...columns])
      .execute()) {
      const settings = settingsOf(row);
      if (Object.keys(settings).length === 0) continue;
      await rooms
        .updateTable(table)
        .set({ settings: JSON.stringify(settings) })
        .where('room_id', '=', row.room_id)
        .execute();
    }
    for (const column of columns) await db.schema.alterTable(table).dropColumn(column).execute();
  }
}

function settingsOf(row: Before): object {
  const remote = row.remote === null ? null : (JSON.parse(row.remote) as { use: string; holders: string[] });
  return {
    ...(row.is_locked === 1 && { isLocked: true }),
    ...(row.admits !== 'nobody' && { admits: row.admits }),
    ...(row.everyone_adds === 1 && { everyoneAdds: true }),
    ...(row.majority_skips === 1 && { majoritySkips: true }),
    ...(row.slow_seconds !== 0 && { slowSeconds: row.slow_seconds }),
    ...(remote !== null && { remoteUse: remote.use, remoteHolders: remote.holders }),
  };
}
