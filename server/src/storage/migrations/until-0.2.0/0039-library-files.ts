/**
 * Adds what was read from each file of the media folder, so that a start reads only the files that have changed.
 */
import type { Kysely } from 'kysely';

export async function libraryFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('library_files')
    .addColumn('place', 'text', (column) => column.primaryKey())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('found', 'text', (column) => column.notNull())
    .execute();
}
