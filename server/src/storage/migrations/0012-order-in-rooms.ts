/**
 * Adds to rooms whom the host has asked to take over, until when, and whether the host leaves then; and whether the
 * room takes requests to join.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['rooms', 'audiorooms']) {
    await db.schema.alterTable(table).addColumn('offered_to', 'text').execute();
    await db.schema.alterTable(table).addColumn('offered_until_ms', 'bigint').execute();
    await db.schema
      .alterTable(table)
      .addColumn('leaves_when_taken', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable(table)
      .addColumn('is_locked', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  }
}
