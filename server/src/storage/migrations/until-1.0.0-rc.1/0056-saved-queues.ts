/** Migration 0056: queues that people save, and with whom they share them. */
import type { Kysely } from 'kysely';

export async function savedQueues(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_queues')
    .addColumn('queue_id', 'text', (column) => column.primaryKey())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('tracks', 'text', (column) => column.notNull())
    .addColumn('track_count', 'bigint', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('saved_queues_uid').on('saved_queues').column('uid').execute();
  await db.schema
    .createTable('queue_shares')
    .addColumn('queue_id', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('queue_shares_key', ['queue_id', 'uid'])
    .execute();
  await db.schema.createIndex('queue_shares_uid').on('queue_shares').column('uid').execute();
}
