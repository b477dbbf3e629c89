/** Migration 0087: tokens of listening accounts have a table of their own, whose rows no backup holds. */
import { type Kysely, sql } from 'kysely';

export async function tokensApart(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('listens_tokens')
    .addColumn('uid', 'text', (column) => column.primaryKey().references('listens_accounts.uid').onDelete('cascade'))
    .addColumn('token', 'text', (column) => column.notNull())
    .execute();
  await sql`insert into listens_tokens (uid, token) select uid, token from listens_accounts`.execute(db);
  await db.schema.alterTable('listens_accounts').dropColumn('token').execute();
}
