/**
 * Migration 0057: whose listens are sent to ListenBrainz, what they hear, and what waits to be sent. The two go with
 * the account, also where a process notes something while another one deletes it.
 */
import type { Kysely } from 'kysely';

export async function listens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('listens_accounts')
    .addColumn('uid', 'text', (column) => column.primaryKey())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('connected_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('refused_at_ms', 'bigint')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_attempt_at_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('listens_heard')
    .addColumn('uid', 'text', (column) => column.primaryKey().references('listens_accounts.uid').onDelete('cascade'))
    .addColumn('room', 'text', (column) => column.notNull())
    .addColumn('track_id', 'text', (column) => column.notNull())
    .addColumn('begun_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('heard_ms', 'integer', (column) => column.notNull())
    .addColumn('position_seconds', 'double precision', (column) => column.notNull())
    .addColumn('seen_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('is_counted', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('listens')
    .addColumn('uid', 'text', (column) => column.notNull().references('listens_accounts.uid').onDelete('cascade'))
    .addColumn('listened_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('artist', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('album', 'text')
    .addColumn('duration_ms', 'integer')
    .addPrimaryKeyConstraint('listens_key', ['uid', 'listened_at_ms'])
    .execute();
}
