/**
 * Adds the round-trip time to connections, so that every process can schedule a command for all of them.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('connections').addColumn('round_trip_ms', 'integer').execute();
}
