/**
 * Migration 0083: rows of the media folder say what lies beside each file, so that a start lists them at once, and have a
 * hash by which a file is found again that was moved. Rows that were there before get both when the folder is read next.
 */
import type { Kysely } from 'kysely';

export async function libraryRows(db: Kysely<unknown>): Promise<void> {
  for (const column of ['file', 'beside']) {
    await db.schema.alterTable('library_files').addColumn(column, 'text').execute();
  }
  await db.schema.createIndex('library_files_moved').on('library_files').column('file').execute();
}
