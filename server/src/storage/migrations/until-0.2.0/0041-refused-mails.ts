/** Migration 0041: mails that were refused for good, and the invitation of each sign-up. */
import { type Kysely, sql } from 'kysely';

/** Adds the reply of a mail server that refused a mail for good. */
export async function refusedMails(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('mails').addColumn('refused_with', 'text').execute();
}

/** Adds to each link and ticket the invitation of its own sign-up, which another with the same address had replaced. */
export async function invitationOfSignUp(db: Kysely<unknown>): Promise<void> {
  for (const table of ['action_codes', 'sign_up_tickets']) {
    await db.schema.alterTable(table).addColumn('invitation_hash', 'text').execute();
    await sql`
      update ${sql.table(table)} set invitation_hash = (
        select token_hash from sign_up_places where sign_up_places.uid = ${sql.ref(`${table}.uid`)}
      )`.execute(db);
  }
}
