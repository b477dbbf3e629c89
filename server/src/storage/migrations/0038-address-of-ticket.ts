/** Adds by what the mails of a sign-up ticket are counted: the same for every ticket of an address, known or not. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sign_up_tickets').addColumn('address_hash', 'text').execute();
}
