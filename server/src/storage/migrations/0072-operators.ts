/** Migration 0072: who runs the server, who waits for them while no mail server is set, and whom they let in or refused. */
import type { Kysely } from 'kysely';

export async function operators(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('operator_since_ms', 'bigint').execute();
  await db.schema
    .alterTable('users')
    .addColumn('operator_told', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('users').addColumn('let_in_at_ms', 'bigint').execute();
  await db.schema
    .alterTable('sign_up_tickets')
    .addColumn('refused', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('operator_waits')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('number', 'integer')
    .addColumn('password_hash', 'text')
    .addColumn('ticket_hash', 'text')
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute();
}
