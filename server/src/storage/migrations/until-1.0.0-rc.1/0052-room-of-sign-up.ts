/** Migration 0052: the room that a person was on the way to when signing up, for the mails that are sent again. */
import type { Kysely } from 'kysely';

export async function roomOfSignUp(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('action_codes').addColumn('room', 'text').execute();
}
