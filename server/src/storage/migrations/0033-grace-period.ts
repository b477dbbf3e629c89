/** Names the end of a connection's grace period after what it is, and its index with it. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('connections_lingers').execute();
  await db.schema.alterTable('connections').renameColumn('lingers_until_ms', 'grace_until_ms').execute();
  await db.schema
    .createIndex('connections_grace')
    .on('connections')
    .column('grace_until_ms')
    .where('grace_until_ms' as never, 'is not', null as never)
    .execute();
}
