/**
 * Adds the expiry of kept answers where it is missing: 0006 has it since after version 0.1.0, whose databases have run
 * 0006 without it.
 */
import { type Kysely, sql } from 'kysely';

const dayMs = 24 * 60 * 60 * 1000;

export async function up(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables();
  const answers = tables.find(({ name }) => name === 'idempotency');
  if (answers?.columns.some(({ name }) => name === 'until_ms')) return;
  await db.schema
    .alterTable('idempotency')
    .addColumn('until_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update idempotency set until_ms = at_ms + ${sql.lit(dayMs)}`.execute(db);
  await db.schema.dropIndex('idempotency_age').execute();
  await db.schema.createIndex('idempotency_until').on('idempotency').column('until_ms').execute();
}
