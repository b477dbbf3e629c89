/**
 * Adds the tab to connections: a host's tab holds control of playback only while it is in the room.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('connections').addColumn('tab_id', 'text').execute();
}
