/** Adds the links that let people sign up where not everybody may. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_up_invitations')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('uses_left', 'integer', (column) => column.notNull())
    .execute();
}
