/** Adds which invitation link an unverified sign-up came by: its place is taken once the address is verified. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_up_places')
    .addColumn('uid', 'text', (column) => column.primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .execute();
}
