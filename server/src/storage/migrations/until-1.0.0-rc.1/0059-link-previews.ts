/** Migration 0059: whether a person is shown previews of links. */
import type { Kysely } from 'kysely';

export async function linkPreviews(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('link_previews', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute();
}
