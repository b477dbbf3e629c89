/** Adds what people reported to the operator. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reports')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('reporter', 'text', (column) => column.notNull())
    .addColumn('reported', 'text', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('text', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('answered_at_ms', 'bigint')
    .execute();
  await db.schema.createIndex('reports_time').on('reports').column('at_ms').execute();
  await db.schema.createIndex('reports_reporter').on('reports').columns(['reporter', 'at_ms']).execute();
}
