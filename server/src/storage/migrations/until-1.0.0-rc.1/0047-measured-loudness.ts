/**
 * Adds how loud tracks of the media folder are, so that each is measured once.
 */
import type { Kysely } from 'kysely';

export async function measuredLoudness(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('measured_loudness')
    .addColumn('item_id', 'text', (column) => column.primaryKey())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('lufs', 'double precision')
    .execute();
}
