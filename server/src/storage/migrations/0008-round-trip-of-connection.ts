/**
 * Connections say how long their line is, so that every process schedules a command for all of them.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('connections').addColumn('round_trip_ms', 'integer').execute();
}
