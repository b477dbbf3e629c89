/**
 * Adds the sign-up to links and tickets: several people may sign up with one address before its owner opens a link.
 * Marks accounts that are deleted and not yet cleared from other tables.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['action_codes', 'sign_up_tickets']) {
    await db.schema.alterTable(table).addColumn('name', 'text').execute();
    await db.schema.alterTable(table).addColumn('password_hash', 'text').execute();
  }
  await db.schema
    .alterTable('users')
    .addColumn('must_clear', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
