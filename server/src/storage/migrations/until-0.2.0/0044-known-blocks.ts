/** Migration 0044: whether a block reached the blocked person; every one stored before did. */
import type { Kysely } from 'kysely';

export async function knownBlocks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('blocks')
    .addColumn('is_known', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
}
