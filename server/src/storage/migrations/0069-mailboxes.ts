/** Migration 0069: each mail names its mailbox by the hash that tickets know, so that one look finds how the last one went. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

export async function mailboxes(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('mails').addColumn('mailbox', 'text').execute();
  const { rows } = await sql<{ recipient: string }>`select distinct recipient from mails`.execute(db);
  for (const { recipient } of rows) {
    const hash = createHash('sha256').update(recipient).digest('hex');
    await sql`update mails set mailbox = ${hash} where recipient = ${recipient}`.execute(db);
  }
  await sql`create index mails_of_mailbox on mails (mailbox, created_at_ms)`.execute(db);
}
