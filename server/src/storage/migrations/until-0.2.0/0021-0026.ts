/**
 * Migrations 0021 to 0026: the operator, invitations to sign up, reports and notifications.
 */
import { type Kysely, sql } from 'kysely';

/** Adds since when an account is disabled, and the log of what the operator did. */
export async function operator(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('disabled_at_ms', 'bigint').execute();
  await db.schema
    .createTable('operator_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('operator', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('operator_log_time').on('operator_log').columns(['at_ms', 'id']).execute();
}

/** Adds the operator's links to sign up, for servers with closed sign-up. */
export async function signUpInvitations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_up_invitations')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('uses_left', 'integer', (column) => column.notNull())
    .execute();
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Adds the expiry of kept answers where it is missing: 0006 has it since after version 0.1.0, whose databases have run
 * 0006 without it.
 */
export async function expiryOfAnswers(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables();
  const answers = tables.find(({ name }) => name === 'idempotency');
  if (answers?.columns.some(({ name }) => name === 'until_ms')) return;
  await db.schema
    .alterTable('idempotency')
    .addColumn('until_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update idempotency set until_ms = at_ms + ${sql.lit(dayMs)}`.execute(db);
  await db.schema.dropIndex('idempotency_age').execute();
  await db.schema.createIndex('idempotency_until').on('idempotency').column('until_ms').execute();
}

/** Adds reports to the operator. */
export async function reports(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reports')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('reporter', 'text', (column) => column.notNull())
    .addColumn('reported', 'text', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('text', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('answered_at_ms', 'bigint')
    .execute();
  await db.schema.createIndex('reports_time').on('reports').column('at_ms').execute();
  await db.schema.createIndex('reports_reporter').on('reports').columns(['reporter', 'at_ms']).execute();
}

/** Allows a person one notification of a type per room: without it, of two rooms that end together only one notifies. */
export async function notificationsByRoom(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('notifications')
    .addColumn('about', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.dropIndex('notifications_live').execute();
  await db.schema
    .createIndex('notifications_live')
    .unique()
    .on('notifications')
    .columns(['uid', 'sender_uid', 'type', 'about'])
    .execute();
}

/** Adds to rooms whether their host, who is away, was warned that the room ends soon: once for each absence. */
export async function warnedHosts(db: Kysely<unknown>): Promise<void> {
  for (const table of ['rooms', 'audiorooms']) {
    await db.schema
      .alterTable(table)
      .addColumn('is_host_warned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  }
}
