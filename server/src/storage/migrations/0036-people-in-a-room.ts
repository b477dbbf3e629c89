/** Finds one person among the connections of a room without reading all of them. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('connections_room').execute();
  await db.schema.createIndex('connections_room').on('connections').columns(['room', 'uid']).execute();
}
